package dev.agentreplay.io.workspace;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
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

  /** The member with the hash. */
  public static final String HASH = "hash";

  /** The member with the location. */
  public static final String LOCATION = "location";

  /** The member with the paths of changed files, in the state of a workspace that was changed. */
  public static final String PATHS = "paths";

  /** The member with the number of changed files, in the state of a workspace that was changed. */
  public static final String CHANGED = "changed";

  /** Checks for null. */
  public WorkspaceSnapshot {
    Objects.requireNonNull(hash, "hash");
  }

  /** The snapshot that settings name with a hash; null if there is none. */
  public static @Nullable WorkspaceSnapshot of(Settings settings) {
    Settings.Setting setting = settings.get(Settings.WORKSPACE);
    if (setting == null
        || !(setting.value() instanceof JsonObject json)
        || !(json.get(HASH) instanceof JsonString text)) {
      return null;
    }
    ContentHash hash = ContentHash.tryParse(text.value());
    String place = json.get(LOCATION) instanceof JsonString location ? location.value() : null;
    return hash == null ? null : new WorkspaceSnapshot(hash, place);
  }

  /** The value of the setting {@link Settings#WORKSPACE}. */
  public JsonObject json() {
    JsonObject json = JsonObject.of(HASH, hash.toString());
    return location == null ? json : json.with(LOCATION, location);
  }
}
