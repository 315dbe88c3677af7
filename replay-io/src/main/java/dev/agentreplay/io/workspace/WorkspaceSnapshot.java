package dev.agentreplay.io.workspace;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
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

  /** Checks for null. */
  public WorkspaceSnapshot {
    Objects.requireNonNull(hash, "hash");
  }

  /** The value of the setting {@link dev.agentreplay.model.Settings#WORKSPACE}. */
  public JsonObject json() {
    JsonObject json = JsonObject.of("hash", hash.toString());
    return location == null ? json : json.with("location", location);
  }
}
