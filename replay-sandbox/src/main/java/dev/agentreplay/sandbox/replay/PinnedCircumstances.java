package dev.agentreplay.sandbox.replay;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.sandbox.Mechanism;
import java.util.List;
import java.util.Set;

/** The circumstances that programs in a sandbox saw as they were recorded, for the report. */
final class PinnedCircumstances {

  /** The member for the path at which programs see the workspace. */
  private static final String WORKSPACE_PATH = "workspace_path";

  private PinnedCircumstances() {}

  /** The circumstances by name: only those that were recorded, and that the mechanism can set. */
  static JsonObject of(ReplayWorkspace workspace, Mechanism mechanism) {
    JsonObject json = JsonObject.EMPTY;
    HostIdentity identity = workspace.view().identity();
    if (identity != null) {
      JsonObject stated = identity.json();
      for (String name : stated.names()) {
        json = settable(mechanism).contains(name) ? json.with(name, stated.get(name)) : json;
      }
    }
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

  /** The members of an identity that a mechanism sets; some are variables everywhere. */
  private static Set<String> settable(Mechanism mechanism) {
    return switch (mechanism) {
      case BUBBLEWRAP -> Set.of("user", "uid", "gid", "home", "host", "umask", "variables");
      case PODMAN, DOCKER -> Set.of("user", "uid", "gid", "home", "host", "variables");
      case LANDLOCK -> Set.of("user", "home", "umask", "variables");
      case SEATBELT, NONE -> Set.of("user", "home", "variables");
    };
  }
}
