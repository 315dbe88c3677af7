package dev.agentreplay.sandbox.replay;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;

/** The circumstances that programs in a sandbox saw as they were recorded, for the report. */
final class PinnedCircumstances {

  /** The member for the path at which programs see the workspace. */
  private static final String WORKSPACE_PATH = "workspace_path";

  private PinnedCircumstances() {}

  /** The circumstances by name: only those that were recorded, and that the sandbox has set. */
  static JsonObject of(ReplayWorkspace workspace) {
    HostIdentity identity = workspace.view().identity();
    JsonObject json = identity == null ? JsonObject.EMPTY : identity.json();
    String path = workspace.view().workspacePath().toString();
    if (workspace.hasRecordedPath()) {
      json = json.with(WORKSPACE_PATH, path);
    }
    String zone = workspace.pinned().get("TZ");
    json = zone == null ? json : json.with(Settings.TIME_ZONE, zone);
    List<JsonString> names =
        workspace.recorded().environment().keySet().stream().map(JsonString::of).toList();
    return names.isEmpty() ? json : json.with(Settings.ENVIRONMENT, JsonArray.copyOf(names));
  }
}
