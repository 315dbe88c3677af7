package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes what a rollout states of its session: the start, and the settings when they change. */
final class SessionHead {

  private final TraceSession session;
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  /** The instructions of the first versions, which are not a message; null if there are none. */
  private @Nullable String instructions;

  SessionHead(TraceSession session) {
    this.session = session;
  }

  /** Writes the first record of a session. */
  void write(CodexItem meta) throws IOException {
    Meta time = meta.meta();
    String id = meta.text("id") == null ? "session_id" : "id";
    if (session.start().meta().sessionId() != null
        && session.start().meta().sessionId().equals(meta.text(id))) {
      meta.derive("SessionStart/session_id", id);
    }
    repository(meta);
    system(meta);
    Map<String, Setting> changed = new LinkedHashMap<>();
    if (meta.text("cli_version") != null) {
      meta.derive("Settings/versions", "cli_version");
      change(Settings.VERSIONS, JsonObject.of("codex", meta.text("cli_version")), changed);
    }
    directory(meta, changed);
    if (meta.text("model_provider") != null) {
      meta.derive("Settings/model_provider", "model_provider");
      change("model_provider", meta.get("model_provider"), changed);
    }
    List<JsonValue> tools = new ArrayList<>();
    addTools(meta.get("dynamic_tools"), tools);
    if (!tools.isEmpty()) {
      meta.derive("Settings/tools", "dynamic_tools");
      change(Settings.TOOLS, JsonArray.copyOf(tools), changed);
    }
    write(meta, changed, time);
  }

  private void repository(CodexItem meta) {
    if (session.isStarted() || session.start().repository() != null) {
      return;
    }
    JsonObject git = meta.object("git");
    JsonObject.Builder repository = JsonObject.builder();
    put(repository, "branch", git.get("branch"));
    put(repository, "commit", git.get("commit_hash"));
    put(repository, "remote", git.get("repository_url"));
    JsonObject known = repository.build();
    if (!known.isEmpty()) {
      meta.derive("SessionStart/repo", "git");
      session.start(session.start().withRepository(known));
    }
  }

  private static void put(JsonObject.Builder object, String name, @Nullable JsonValue value) {
    if (value instanceof JsonString text && !text.value().isEmpty()) {
      object.put(name, text);
    }
  }

  private void system(CodexItem meta) {
    String base = meta.text("base_instructions", "text");
    base = base == null ? meta.text("base_instructions") : base;
    if (base != null) {
      meta.derive("ModelCall/prompt/system", "base_instructions");
      session.conversation(null).system(JsonString.of(base));
      instructions = null;
    } else if (meta.text("instructions") != null) {
      meta.derive("ModelCall/prompt/system", "instructions");
      instructions = meta.text("instructions");
    }
  }

  /** Forgets the instructions of the first record if a message to the model has them as well. */
  void forgetInstructionsIn(String message) {
    if (instructions != null && message.contains(instructions)) {
      instructions = null;
    }
  }

  /** Makes the instructions a part of the prompts, before the first answer. */
  void useInstructions() {
    if (instructions != null) {
      session.conversation(null).system(JsonString.of(instructions));
      instructions = null;
    }
  }

  /** Writes the settings of a turn that changed, and the record. */
  void writeTurn(CodexItem turn) throws IOException {
    Map<String, Setting> changed = new LinkedHashMap<>();
    directory(turn, changed);
    if (turn.text("model") != null) {
      turn.derive("Settings/model", "model");
      change(Settings.MODEL, turn.get("model"), changed);
    }
    write(turn, changed, turn.meta());
  }

  private void directory(CodexItem item, Map<String, Setting> changed) {
    if (item.text("cwd") != null) {
      item.derive("Settings/working_directory", "cwd");
      change(Settings.WORKING_DIRECTORY, item.get("cwd"), changed);
    }
  }

  private void change(String name, @Nullable JsonValue value, Map<String, Setting> changed) {
    if (value != null) {
      Setting setting = new Setting(value, null);
      if (!setting.equals(settings.put(name, setting))) {
        changed.put(name, setting);
      }
    }
  }

  private void write(CodexItem item, Map<String, Setting> changed, Meta meta) throws IOException {
    if (!changed.isEmpty()) {
      session.derive(Settings.of(changed).withMeta(meta), item.record());
    }
    session.keep(item.record(), meta);
  }

  /**
   * Adds tools, also those of groups, as {@link dev.agentreplay.model.ToolDescription} has them.
   */
  private static void addTools(@Nullable JsonValue value, List<JsonValue> tools) {
    if (value instanceof JsonArray array) {
      array.forEach(tool -> addTools(tool, tools));
    } else if (value instanceof JsonObject group && group.get("tools") instanceof JsonArray array) {
      addTools(array, tools);
    } else if (value instanceof JsonObject tool) {
      String name = tool.has("inputSchema") ? "inputSchema" : "input_schema";
      JsonValue schema = tool.get(name);
      tools.add(schema == null ? tool : tool.without(name).with("schema", schema));
    }
  }
}
