package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The members that most records repeat, such as the directory and the version. They are written
 * where they change, for each lane on its own: a sub-agent may work in another directory.
 */
final class Circumstances {

  private static final List<String> NAMES =
      List.of("cwd", "version", "gitBranch", "userType", "entrypoint", "slug", "sessionKind");

  private static final List<String> SESSION_IDS = List.of("sessionId", "session_id");

  /** The maximum number of lanes that are remembered. */
  private static final int MAX_LANES = 1_000;

  private final TraceSession session;

  private final Map<String, Map<String, JsonValue>> lanes = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Map<String, JsonValue>> eldest) {
      return size() > MAX_LANES;
    }
  };

  private @Nullable JsonValue statedDirectory;
  private @Nullable JsonValue statedVersion;
  private @Nullable String workspace;

  Circumstances(TraceSession session) {
    this.session = session;
  }

  /** The first working directory of the session; null if none was stated yet. */
  @Nullable
  String workspace() {
    return workspace;
  }

  /** Removes members that have the value of the record before, and states what is new. */
  void take(SourceRecord record, @Nullable String lane, @Nullable String parent)
      throws IOException {
    Map<String, JsonValue> values = lanes.get(lane == null ? "" : lane);
    if (values == null) {
      values = new HashMap<>(lanes.getOrDefault("", Map.of()));
      lanes.put(lane == null ? "" : lane, values);
    }
    for (String name : NAMES) {
      JsonValue value = record.get(name);
      if (value == null) {
        continue;
      }
      if (value.equals(values.put(name, value))) {
        record.drop("equal to the one of the record before", name);
      } else if (name.equals("gitBranch")) {
        branch(record, value);
      }
    }
    for (String name : SESSION_IDS) {
      if (record.get(name) instanceof JsonString id
          && id.value().equals(session.start().meta().sessionId())) {
        record.move("SessionStart/session_id", name);
      }
    }
    settings(record, values, lane, parent);
  }

  private void branch(SourceRecord record, JsonValue value) {
    SessionStart start = session.start();
    if (value instanceof JsonString branch && !session.isStarted() && start.repository() == null) {
      record.derive("SessionStart/repo/branch", "gitBranch");
      session.start(start.withRepository(JsonObject.of("branch", branch.value())));
    }
  }

  /** States the directory and the version of a lane, unless they are those stated last. */
  private void settings(
      SourceRecord record,
      Map<String, JsonValue> values,
      @Nullable String lane,
      @Nullable String parent)
      throws IOException {
    JsonValue directory = values.get("cwd") instanceof JsonString text ? text : null;
    JsonValue version = values.get("version") instanceof JsonString text ? text : null;
    if (Objects.equals(directory, statedDirectory) && Objects.equals(version, statedVersion)) {
      return;
    }
    statedDirectory = directory;
    statedVersion = version;
    Map<String, Setting> settings = new LinkedHashMap<>();
    if (version != null) {
      record.derive("Settings/versions", "version");
      settings.put(Settings.VERSIONS, new Setting(JsonObject.of("claude-code", version), null));
    }
    if (directory != null) {
      workspace = workspace == null ? directory.asString() : workspace;
      record.derive("Settings/working_directory", "cwd");
      settings.put(Settings.WORKING_DIRECTORY, new Setting(directory, null));
    }
    if (!settings.isEmpty()) {
      Meta meta = Meta.NONE.withTime(ClaudeImport.time(record)).withAgent(lane).withParent(parent);
      session.derive(Settings.of(settings).withMeta(meta), record);
    }
  }
}
