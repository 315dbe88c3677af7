package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.claude.AnswerQueue.Item;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes one session from the records of a transcript, and of the files of its sub-agents. */
final class ClaudeImport {

  /** The maximum number of files of sub-agents that are read within each other. */
  private static final int MAX_DEPTH = 20;

  private static final String REPEATED = "a repetition of an earlier line with this uuid";

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
  private final MessageEvents messages;
  private final Circumstances circumstances;
  private final AgentFiles agents;

  /** The calls that started the sub-agents, by the lanes of these. */
  private final Map<String, String> parents;

  private final int depth;
  private int sideChains;

  ClaudeImport(TraceSource source, TraceSession session) {
    this.source = source;
    this.session = session;
    this.circumstances = new Circumstances(session);
    this.answers = new AnswerEvents(session);
    this.results = new ResultEvents(session, answers.unnamed(), circumstances);
    this.messages = new MessageEvents(session, chain, results);
    this.agents = new AgentFiles(source);
    this.parents = new HashMap<>();
    this.depth = 0;
  }

  /** Adds a line of the transcript. */
  void add(SourceLines.Line line) throws IOException {
    add(line, null, null);
  }

  private void add(SourceLines.Line line, @Nullable String agent, @Nullable String parent)
      throws IOException {
    JsonObject json = line.json();
    if (json == null) {
      queue.addBroken(line);
      drain(false);
      return;
    }
    if (line.fault() != null) {
      session.fault(line.fault());
    }
    String base = base(json);
    SourceRecord record = session.record(json, type(base, json), line.place(), line.hash());
    if (!KNOWN.contains(base)) {
      record.unknown();
    }
    if (chain.isRepeated(record)) {
      record.dropAll(REPEATED);
      return;
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
    chain.add(record, lane);
    if (base.equals("assistant") && record.get("message") instanceof JsonObject) {
      String id = AnswerEvents.isWithoutCall(record) ? null : record.text("message", "id");
      queue.addAnswer(record, lane, call, id);
    } else {
      queue.add(record, lane, call);
    }
  }

  private static String base(JsonObject json) {
    return json.get("type") instanceof JsonString text ? text.value() : "record";
  }

  /** The type of a record, with that of its system event, attachment or progress. */
  private static String type(String base, JsonObject json) {
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
  private void addProgress(SourceRecord progress) throws IOException {
    String agent = id(progress, "data", "agentId");
    if (agent == null) {
      return;
    }
    if (agents.hasFile(agent)) {
      if (agents.has(agent, progress.text("data", "message", "uuid"))) {
        progress.drop("the same record is in the file of the sub-agent", "data", "message");
      }
      return;
    }
    String call = progress.text("parentToolUseID");
    if (call != null) {
      parents.put(agent, call);
    }
    String base = base(progress.object("data", "message"));
    SourceRecord message = progress.child("progress/" + base, "data", "message");
    if (message != null && chain.isRepeated(message)) {
      message.dropAll(REPEATED);
    } else if (message != null) {
      enqueue(message, base, agent, call);
    }
  }

  /** The lane of a record: the id of the sub-agent, or a name for a side chain that has none. */
  private @Nullable String lane(SourceRecord record) {
    String call = id(record, "parent_tool_use_id");
    if (call != null) { // in the output of the command, which names no agents
      parents.put(call, call);
      return call;
    } else if (!record.isTrue("isSidechain")) {
      return null;
    }
    String agent = id(record, "agentId");
    if (agent != null) {
      return agents.lane(agent);
    }
    String before = chain.laneBefore(record);
    return before == null ? "sidechain-" + ++sideChains : before;
  }

  /** The text at a path; null if it is missing or blank. */
  private static @Nullable String id(SourceRecord record, String... path) {
    String id = record.text(path);
    return id == null || id.isBlank() ? null : id;
  }

  private void drain(boolean isAtEnd) throws IOException {
    for (Item item = queue.next(isAtEnd); item != null; item = queue.next(isAtEnd)) {
      if (item.kind != AnswerQueue.Kind.CALLS) {
        for (SourceRecord record : item.records) {
          circumstances.take(record, item.lane, item.parent);
        }
      }
      switch (item.kind) {
        case ANSWER -> answers.write(item, chain);
        case CALLS -> answers.writeLater(item);
        case RECORD -> write(item.records.get(0), item.lane, item.parent);
        case BROKEN_LINE -> session.broken(Objects.requireNonNull(item.broken));
      }
    }
  }

  private void write(SourceRecord record, @Nullable String lane, @Nullable String parent)
      throws IOException {
    Meta meta = meta(record, lane, parent);
    Conversation conversation = session.conversation(lane);
    String base = base(record.json());
    if (base.equals("user") && record.get("message") instanceof JsonObject message) {
      addAgent(record);
      messages.write(record, message, conversation, meta);
      chain.written(record, lane);
    } else if (record.type().equals("system/compact_boundary")) {
      conversation.clear();
      chain.begin(lane, conversation);
      chain.written(record, lane);
      session.keep(record, meta);
    } else {
      if (base.equals("attachment")) {
        messages.attachment(record, conversation, meta);
      } else {
        session.keep(record, meta);
      }
      chain.writtenBetween(record, lane);
    }
  }

  /** Adds the file of a sub-agent, before the result of the call that started it. */
  private void addAgent(SourceRecord result) throws IOException {
    String agent = id(result, "toolUseResult", "agentId");
    if (agent == null || !ResultEvents.hasResults(result.array("message", "content"))) {
      return;
    }
    String call = ResultEvents.firstId(result.array("message", "content"));
    String lane = agents.lane(agent);
    if (call != null) {
      parents.putIfAbsent(lane, call);
    }
    String file = agents.file(agent);
    if (file != null && depth < MAX_DEPTH && agents.take(file)) {
      addFile(file, lane, call);
    }
  }

  private void addFile(String file, String lane, @Nullable String call) throws IOException {
    ClaudeImport reading = new ClaudeImport(this);
    try (SourceLines lines = new SourceLines(source.open(file), file)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        reading.add(line, lane, call);
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
    this.messages = new MessageEvents(session, chain, results);
    this.circumstances = main.circumstances;
    this.agents = main.agents;
    this.parents = main.parents;
    this.depth = main.depth + 1;
  }

  /** Adds the files that no record refers to, and completes the session. */
  void complete() throws IOException {
    drain(true);
    for (String file : agents.unread()) {
      if (agents.take(file)) { // it may be that of an agent which one of them started
        String lane = agents.laneOf(file);
        addFile(file, lane, parents.get(lane));
      }
    }
    ToolResultFiles.write(source, session);
  }

  /** The time and the lane of a record. */
  static Meta meta(SourceRecord record, @Nullable String lane, @Nullable String parent) {
    if (lane != null && lane.equals(record.text("agentId"))) {
      record.move("agent", "agentId");
    }
    Timestamp time = time(record);
    if (time != null && time.text().equals(record.text("timestamp"))) {
      record.move("t", "timestamp");
    }
    return Meta.NONE.withTime(time).withAgent(lane).withParent(parent);
  }

  static @Nullable Timestamp time(SourceRecord record) {
    String text = record.text("timestamp");
    return text == null ? null : Timestamp.tryParse(text);
  }
}
