package dev.agentreplay.io.workspace;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The captured state of a workspace.
 *
 * @param hash the hash of the manifest, which lists the files with their hashes
 * @param location the place of the captured files, such as a path in the session directory with
 *     {@code /} between names; null if only the hash was captured
 */
public record WorkspaceSnapshot(ContentHash hash, @Nullable String location) {

  private static final String HASH = "hash";
  private static final String LOCATION = "location";

  /** Checks for null. */
  public WorkspaceSnapshot {
    Objects.requireNonNull(hash, "hash");
  }

  /**
   * Reads the value of the setting {@link dev.agentreplay.model.Settings#WORKSPACE}.
   *
   * @return null if it has no hash
   */
  public static @Nullable WorkspaceSnapshot of(@Nullable JsonValue value) {
    if (!(value instanceof JsonObject json && json.get(HASH) instanceof JsonString text)) {
      return null;
    }
    ContentHash hash = ContentHash.tryParse(text.value());
    return hash == null
        ? null
        : new WorkspaceSnapshot(
            hash, json.get(LOCATION) instanceof JsonString place ? place.value() : null);
  }

  /** The value of the setting {@link dev.agentreplay.model.Settings#WORKSPACE}. */
  public JsonObject json() {
    JsonObject json = JsonObject.of(HASH, hash.toString());
    return location == null ? json : json.with(LOCATION, location);
  }
}
