package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.convert.trace.codex.AnswerCollector.Kind;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;

/** Writes one session from the records of a rollout, or of a stream of {@code codex exec}. */
final class CodexImport {

  private final TraceSession session;
  private final SessionHead head;
  private final ToolEvents tools = new ToolEvents();
  private final UserMessages users;
  private final TurnContext context = new TurnContext();
  private final AnswerCollector answers;
  private final ExecStream stream;
  private final InheritedHistory inherited = new InheritedHistory();

  CodexImport(TraceSession session) {
    this.session = session;
    this.head = new SessionHead(session);
    this.users = new UserMessages(session);
    this.answers = new AnswerCollector(new AnswerEvents(session, head, users, tools), context);
    this.stream = new ExecStream(answers);
  }

  /** Adds a line. */
  void add(SourceLines.Line line) throws IOException {
    JsonObject json = line.json();
    if (json == null) {
      session.broken(line);
      return;
    }
    if (line.fault() != null) {
      session.fault(line.fault());
    }
    String type = SourceHead.text(json, "type");
    if (json.get("payload") instanceof JsonObject payload && type != null) {
      String inner = SourceHead.text(payload, "type");
      boolean isNested = type.equals("response_item") || type.equals("event_msg");
      String name = isNested ? type + "/" + (inner == null ? "message" : inner) : type;
      enveloped(type, new CodexItem(record(json, name, line), "payload"));
    } else if (ExecStream.isRecord(json)) {
      stream.add(ExecStream.item(record(json, ExecStream.name(json), line)));
    } else if (type == null && json.has("record_type")) {
      answers.add(Kind.OTHER, new CodexItem(record(json, "state", line), null));
    } else if (type == null && json.has("instructions")) {
      head.write(new CodexItem(record(json, "session_meta", line), null));
    } else {
      item(new CodexItem(record(json, type == null ? "record" : type, line), null));
    }
  }

  private SourceRecord record(JsonObject json, String type, SourceLines.Line line) {
    return session.record(json, type, line.place(), line.hash());
  }

  private void enveloped(String type, CodexItem item) throws IOException {
    item.record().drop("it is in the name of the record", "type");
    if (!type.equals("session_meta") && inherited.includes(item)) {
      inherited(type, item);
      return;
    }
    switch (type) {
      case "session_meta" -> {
        answers.newOrder();
        if (inherited.isOwn(item)) {
          head.write(item);
        } else {
          answers.add(Kind.OTHER, item);
        }
      }
      case "turn_context" -> turn(item);
      case "response_item" -> item(item);
      case "event_msg" -> event(item);
      case "compacted" -> compacted(item);
      case "token_usage_record" -> usage(item);
      default -> {
        if (!RecordTypes.ENVELOPES.contains(type)) {
          item.record().unknown();
        }
        answers.add(Kind.OTHER, item);
      }
    }
  }

  /** Keeps a record of the thread that this one was forked from: its items are in the prompts. */
  private void inherited(String type, CodexItem item) throws IOException {
    boolean isItem = type.equals("response_item") && RecordTypes.isShown(item.type());
    if (type.equals("compacted")) {
      compacted(item);
    } else if (isItem && "user".equals(item.text("role"))) {
      users.inherited(item);
    } else if (isItem) {
      answers.add(Kind.INPUT, item);
    } else {
      answers.inherited(item, TokenUsage.of(item));
    }
  }

  private void turn(CodexItem item) throws IOException {
    context.set(item);
    answers.add(Kind.TURN, item);
  }

  private void item(CodexItem item) throws IOException {
    String type = item.type();
    if (!RecordTypes.isKnownItem(type)) {
      item.record().unknown();
    }
    if (type.equals("message") && !"assistant".equals(item.text("role"))) {
      head.forgetInstructionsIn(item.joined());
      if ("user".equals(item.text("role"))) {
        answers.close();
        users.item(item);
      } else {
        answers.add(Kind.INPUT, item);
      }
    } else if (type.endsWith("_output") || type.equals("tool_result")) {
      answers.add(Kind.RESULT, item);
    } else if (type.equals("message") || type.equals("reasoning") || type.endsWith("_call")) {
      answers.output(item);
    } else if (type.equals("agent_message") || type.endsWith("compaction")) {
      answers.add(Kind.INPUT, item);
    } else {
      answers.add(Kind.OTHER, item);
    }
  }

  private void event(CodexItem item) throws IOException {
    String type = item.type();
    if (!RecordTypes.EVENTS.contains(type)) {
      item.record().unknown();
    }
    switch (type) {
      case "user_message" -> {
        answers.close();
        users.event(item);
      }
      case "agent_message", "agent_reasoning", "agent_reasoning_raw_content" -> answers.event(item);
      case "token_count", "turn.completed" -> usage(item);
      case "exec_command_end", "patch_apply_end", "mcp_tool_call_end" -> {
        tools.outcomes().add(item);
        answers.add(Kind.OTHER, item);
      }
      case "error" -> {
        item.derive("ModelResult/error", "message");
        answers.fail(item, message(item));
      }
      case "thread_rolled_back" -> {
        answers.close();
        Long turns = item.integer("num_turns");
        users.removeTurns(turns == null ? 0 : turns);
        item.derive("ModelCall/prompt", "num_turns");
        answers.add(Kind.OTHER, item);
      }
      default -> answers.add(Kind.OTHER, item);
    }
  }

  static String message(CodexItem item) {
    String message = item.text("message");
    return message == null ? "the source states no message" : message;
  }

  private void usage(CodexItem item) throws IOException {
    String thread = item.text("thread_id");
    boolean isOther = thread != null && !thread.equals(session.start().meta().sessionId());
    answers.usage(item, isOther ? null : TokenUsage.of(item));
  }

  /** Replaces the conversation by its summary, or by the history that replaces it. */
  private void compacted(CodexItem item) throws IOException {
    answers.close();
    users.clear();
    Conversation conversation = session.conversation(null);
    conversation.clear();
    String summary = item.text("message");
    if (item.get("replacement_history") instanceof JsonArray history) {
      item.derive("ModelCall/prompt", "replacement_history");
      history.forEach(conversation::add);
    } else if (summary != null) {
      item.derive("ModelCall/prompt", "message");
      conversation.add(JsonObject.of("content", summary, "role", "assistant"));
    }
    answers.add(Kind.OTHER, item);
  }

  /** Writes what still waits. */
  void complete() throws IOException {
    answers.close();
    users.complete();
  }
}
