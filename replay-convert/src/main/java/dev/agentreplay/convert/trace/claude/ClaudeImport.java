package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.claude.AnswerQueue.Item;
import dev.agentreplay.convert.trace.claude.Chain.Link;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes one session from the records of a transcript, and of the files of its sub-agents. */
final class ClaudeImport {

  /** The members that are the same in most records, and are written where they change. */
  private static final List<String> CIRCUMSTANCES =
      List.of("cwd", "version", "gitBranch", "userType", "entrypoint", "slug", "sessionKind");

  private static final Set<String> KNOWN = Set.of(
      "user",
      "assistant",
      "system",
      "summary",
      "progress",
      "attachment",
      "file-history-snapshot",
      "queue-operation",
      "permission-mode",
      "mode",
      "agent-name",
      "custom-title",
      "ai-title",
      "last-prompt",
      "frame-link",
      "pr-link",
      "started",
      "result",
      "relocated",
      "worktree-state",
      "bridge-session",
      "atis-latch",
      "tag",
      "agent-setting",
      "content-replacement");

  private final TraceSource source;
  private final TraceSession session;
  private final Chain chain = new Chain();
  private final AnswerQueue queue = new AnswerQueue();
  private final AnswerEvents answers;
  private final ResultEvents results;
  private final Map<String, JsonValue> circumstances = new LinkedHashMap<>();

  /** The calls that started the sub-agents, by the ids of these. */
  private final Map<String, String> parents;

  /** The files of sub-agents that were not read yet. */
  private final Set<String> unread;

  private int sideChains;

  ClaudeImport(TraceSource source, TraceSession session) {
    this.source = source;
    this.session = session;
    this.answers = new AnswerEvents(session, chain);
    this.results = new ResultEvents(session, answers.unnamed());
    this.parents = new LinkedHashMap<>();
    this.unread =
        new TreeSet<>(source.names().stream().filter(ClaudeReader::isAgentFile).toList());
  }

  /** Adds a line of the transcript. */
  void add(SourceLines.Line line) throws IOException {
    add(line, null, null);
  }

  private void add(SourceLines.Line line, @Nullable String agent, @Nullable String parent)
      throws IOException {
    JsonObject json = line.json();
    if (json == null) {
      drain(true);
      session.broken(line);
      return;
    }
    if (line.fault() != null) {
      session.fault(line.fault());
    }
    String type = type(json);
    SourceRecord record = session.record(json, type, line.place(), line.hash());
    String base = base(json);
    if (!KNOWN.contains(base)) {
      record.unknown();
    }
    if (base.equals("progress") && record.get("data", "message") instanceof JsonObject) {
      addProgress(record);
    }
    String lane = agent == null ? lane(record) : agent;
    String call = parent == null && lane != null ? parents.get(lane) : parent;
    enqueue(record, base, lane, call);
    drain(false);
  }

  private void enqueue(
      SourceRecord record, String base, @Nullable String lane, @Nullable String call) {
    if (base.equals("assistant") && record.get("message") instanceof JsonObject) {
      queue.addAnswer(record, lane, call, record.text("message", "id"));
    } else {
      queue.add(record, lane, call);
    }
  }

  private static String base(JsonObject json) {
    return json.get("type") instanceof JsonString text ? text.value() : "record";
  }

  /** The type of a record, with that of its system event, attachment or progress. */
  private static String type(JsonObject json) {
    String base = base(json);
    JsonValue sub =
        switch (base) {
          case "system" -> json.get("subtype");
          case "attachment" ->
            json.get("attachment") instanceof JsonObject object ? object.get("type") : null;
          case "progress" ->
            json.get("data") instanceof JsonObject object ? object.get("type") : null;
          default -> null;
        };
    return sub instanceof JsonString text ? base + "/" + text.value() : base;
  }

  /** Takes the message of a sub-agent out of its progress, unless the agent has its own file. */
  private void addProgress(SourceRecord progress) {
    String agent = progress.text("data", "agentId");
    if (agent == null) {
      return;
    }
    if (agentFile(agent) != null) {
      progress.drop("the same record is in the file of the sub-agent", "data", "message");
      return;
    }
    String call = progress.text("parentToolUseID");
    if (call != null) {
      parents.put(agent, call);
    }
    String base = base(progress.object("data", "message"));
    SourceRecord message = progress.child("progress/" + base, "data", "message");
    if (message != null) {
      enqueue(message, base, agent, call);
    }
  }

  private @Nullable String agentFile(String agent) {
    String name = ClaudeReader.agentFile(agent);
    return source.names().stream()
        .filter(file -> file.equals(name) || file.endsWith("/" + name))
        .findFirst()
        .orElse(null);
  }

  /** The lane of a record: the id of the sub-agent, or a name for a side chain that has none. */
  private @Nullable String lane(SourceRecord record) {
    String agent = record.text("agentId");
    if (!record.isTrue("isSidechain")) {
      return null;
    } else if (agent != null) {
      return agent;
    }
    Link before = chain.find(record.text("parentUuid"));
    return before != null && before.lane != null ? before.lane : "sidechain-" + ++sideChains;
  }

  private void drain(boolean isAtEnd) throws IOException {
    for (Item item = queue.next(isAtEnd); item != null; item = queue.next(isAtEnd)) {
      for (SourceRecord record : item.records) {
        takeCircumstances(record);
      }
      SourceRecord first = item.records.get(0);
      if (base(first.json()).equals("assistant") && first.get("message") instanceof JsonObject) {
        answers.write(item);
      } else {
        write(first, item.lane, item.parent);
      }
    }
  }

  private void write(SourceRecord record, @Nullable String lane, @Nullable String parent)
      throws IOException {
    Meta meta = meta(record, lane, parent);
    Conversation conversation = session.conversation(lane);
    String base = base(record.json());
    if (base.equals("user") && record.get("message") instanceof JsonObject message) {
      user(record, message, conversation, meta);
    } else if (record.type().equals("system/compact_boundary")) {
      conversation.clear();
      session.keep(record, meta);
    } else if (base.equals("attachment")) {
      attachment(record, conversation, meta);
    } else {
      session.keep(record, meta);
    }
    String uuid = record.text("uuid");
    if (uuid != null) {
      chain.add(uuid, new Link(lane, conversation.mark()));
    }
  }

  private void user(SourceRecord record, JsonObject message, Conversation conversation, Meta meta)
      throws IOException {
    JsonValue content = message.get("content");
    boolean hasResults = content instanceof JsonArray blocks && ResultEvents.hasResults(blocks);
    if (!hasResults) {
      rewind(record, conversation);
    }
    String agent = record.text("toolUseResult", "agentId");
    if (hasResults && agent != null) {
      addAgent(agent, ResultEvents.firstId(content));
    }
    conversation.add(message);
    record.derive("ModelCall/prompt", "message");
    if (hasResults) {
      results.write(record, content.asArray(), meta);
      return;
    }
    String text = text(content);
    if (text != null && meta.agent() == null && !record.isTrue("isMeta") && !text.startsWith("<")) {
      record.derive("SessionStart/task", "message", "content");
      session.task(text);
    }
    session.message(record, meta);
  }

  /** Returns to an earlier point of the conversation if the user continued there a second time. */
  private void rewind(SourceRecord record, Conversation conversation) {
    Link before = chain.find(record.text("parentUuid"));
    if (before != null) {
      if (before.isContinued) {
        conversation.rewind(before.mark);
      }
      before.isContinued = true;
    }
  }

  private static @Nullable String text(@Nullable JsonValue content) {
    if (content instanceof JsonString text) {
      return text.value();
    }
    if (content instanceof JsonArray blocks) {
      for (JsonValue block : blocks) {
        if (block instanceof JsonObject object && object.get("text") instanceof JsonString text) {
          return text.value();
        }
      }
    }
    return null;
  }

  private void attachment(SourceRecord record, Conversation conversation, Meta meta)
      throws IOException {
    JsonValue system = record.get("attachment", "systemPrompt");
    if (system != null) {
      record.derive("ModelCall/prompt", "attachment", "systemPrompt");
      conversation.system(system);
    }
    if (record.get("attachment", "tools") instanceof JsonArray tools && isObjects(tools)) {
      record.derive("Settings/tools", "attachment", "tools");
      record.derive("ModelCall/prompt", "attachment", "tools");
      conversation.context(JsonObject.of("tools", tools));
      Settings settings =
          Settings.of(Map.of(Settings.TOOLS, new Setting(descriptions(tools), null)));
      session.derive(settings.withMeta(meta), record);
    }
    session.keep(record, meta);
  }

  private static boolean isObjects(JsonArray array) {
    return array.stream().allMatch(value -> value instanceof JsonObject);
  }

  /** The tools as {@link dev.agentreplay.model.ToolDescription} has them. */
  private static JsonArray descriptions(JsonArray tools) {
    return JsonArray.copyOf(tools.stream()
        .map(tool -> {
          JsonValue schema = tool.asObject().get(Names.INPUT_SCHEMA);
          return schema == null
              ? tool
              : tool.asObject().without(Names.INPUT_SCHEMA).with("schema", schema);
        })
        .toList());
  }

  /** Removes members that have the value of an earlier record, and states the changed ones. */
  private void takeCircumstances(SourceRecord record) throws IOException {
    boolean isChanged = false;
    for (String name : CIRCUMSTANCES) {
      JsonValue value = record.get(name);
      if (value == null) {
        continue;
      } else if (value.equals(circumstances.put(name, value))) {
        record.drop("equal to the one of the record before", name);
      } else {
        isChanged |= name.equals("cwd") || name.equals("version");
        start(record, name, value);
      }
    }
    if (record.get("sessionId") instanceof JsonString id
        && id.value().equals(session.start().meta().sessionId())) {
      record.move("SessionStart/session_id", "sessionId");
    }
    if (isChanged) {
      settings(record);
    }
  }

  private void start(SourceRecord record, String name, JsonValue value) {
    SessionStart start = session.start();
    if (name.equals("gitBranch")
        && value instanceof JsonString branch
        && !session.isStarted()
        && start.repository() == null) {
      record.derive("SessionStart/repo/branch", name);
      session.start(start.withRepository(JsonObject.of("branch", branch.value())));
    }
  }

  private void settings(SourceRecord record) throws IOException {
    Map<String, Setting> settings = new LinkedHashMap<>();
    if (circumstances.get("version") instanceof JsonString version) {
      record.derive("Settings/versions", "version");
      settings.put(
          Settings.VERSIONS, new Setting(JsonObject.of("claude-code", version.value()), null));
    }
    if (circumstances.get("cwd") instanceof JsonString directory) {
      record.derive("Settings/working_directory", "cwd");
      settings.put(Settings.WORKING_DIRECTORY, new Setting(directory, null));
    }
    Timestamp time = time(record);
    session.derive(Settings.of(settings).withMeta(Meta.NONE.withTime(time)), record);
  }

  /** Adds the file of a sub-agent, before the result of the call that started it. */
  private void addAgent(String agent, @Nullable String call) throws IOException {
    if (call != null) {
      parents.putIfAbsent(agent, call);
    }
    String file = agentFile(agent);
    if (file != null && unread.remove(file)) {
      addFile(file, agent, call);
    }
  }

  private void addFile(String file, String agent, @Nullable String call) throws IOException {
    ClaudeImport reading = new ClaudeImport(this);
    try (SourceLines lines = new SourceLines(source.open(file), file)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        reading.add(line, agent, call);
      }
    }
    reading.drain(true);
  }

  /** The reading of the file of a sub-agent, which waits for its answers on its own. */
  private ClaudeImport(ClaudeImport main) {
    this.source = main.source;
    this.session = main.session;
    this.answers = main.answers;
    this.results = main.results;
    this.circumstances.putAll(main.circumstances);
    this.parents = main.parents;
    this.unread = main.unread;
  }

  /** Adds the files that no record refers to, and completes the session. */
  void complete() throws IOException {
    drain(true);
    for (String file : List.copyOf(unread)) {
      if (unread.remove(file)) { // it may be that of an agent which one of them started
        String agent = ClaudeReader.agentOf(file);
        addFile(file, agent, parents.get(agent));
      }
    }
    ToolResultFiles.write(source, session);
  }

  /** The time and the lane of a record. */
  static Meta meta(SourceRecord record, @Nullable String lane, @Nullable String parent) {
    if (lane != null && record.text("agentId") != null) {
      record.move("agent", "agentId");
    }
    return Meta.NONE.withTime(takeTime(record)).withAgent(lane).withParent(parent);
  }

  private static @Nullable Timestamp time(SourceRecord record) {
    String text = record.text("timestamp");
    return text == null ? null : Timestamp.tryParse(text);
  }

  private static @Nullable Timestamp takeTime(SourceRecord record) {
    Timestamp time = time(record);
    if (time != null && time.text().equals(record.text("timestamp"))) {
      record.move("t", "timestamp");
    }
    return time;
  }
}
