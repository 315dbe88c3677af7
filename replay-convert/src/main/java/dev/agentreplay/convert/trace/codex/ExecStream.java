package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.convert.trace.codex.AnswerCollector.Kind;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stream of {@code codex exec --json}. It has neither times nor the prompt, and states
 * the tokens of a turn only, with those of the turns before it; they are counted with the last
 * answer of the turn.
 */
final class ExecStream {

  private static final Set<String> TURNS =
      Set.of("thread.started", "turn.started", "turn.completed", "turn.failed", "error");

  private static final Set<String> ITEMS = Set.of("item.started", "item.updated", "item.completed");

  private static final Set<String> ANSWERS = Set.of("agent_message", "reasoning");

  private static final Set<String> TOOLS =
      Set.of("command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search");

  private static final Set<String> OTHERS = Set.of("plan", "todo_list", "error");

  private final AnswerCollector answers;
  private final Set<String> started = new HashSet<>();
  private @Nullable TokenUsage last;

  ExecStream(AnswerCollector answers) {
    this.answers = answers;
  }

  static boolean isRecord(JsonObject json) {
    String type = String.valueOf(SourceHead.text(json, "type"));
    return TURNS.contains(type) || (ITEMS.contains(type) && json.get("item") instanceof JsonObject);
  }

  /** The name of the type of a record, with that of its item. */
  static String name(JsonObject json) {
    String type = String.valueOf(SourceHead.text(json, "type"));
    return json.get("item") instanceof JsonObject item
        ? type + "/" + SourceHead.text(item, "type")
        : type;
  }

  static CodexItem item(SourceRecord record) {
    return new CodexItem(record, record.get("item") instanceof JsonObject ? "item" : null);
  }

  void add(CodexItem item) throws IOException {
    String type = String.valueOf(item.record().text("type"));
    if (item.record().get("item") instanceof JsonObject) {
      item.record().drop("it is in the name of the record", "type");
      item(type, item);
      return;
    }
    switch (type) {
      case "thread.started" -> {
        answers.close();
        started.clear();
        last = null;
        answers.add(Kind.OTHER, item);
      }
      case "turn.completed" -> completed(item);
      case "turn.failed" -> {
        String message = item.text("error", "message");
        item.derive("ModelResult/error", "error");
        answers.fail(item, message == null ? CodexImport.message(item) : message);
      }
      default -> answers.add(Kind.OTHER, item);
    }
  }

  private void completed(CodexItem item) throws IOException {
    TokenUsage usage = TokenUsage.of(item);
    if (usage != null) {
      usage.include(last);
      last = usage;
    }
    answers.usage(item, usage);
    answers.close();
  }

  private void item(String type, CodexItem item) throws IOException {
    String kind = item.type();
    if (!ANSWERS.contains(kind) && !TOOLS.contains(kind) && !OTHERS.contains(kind)) {
      item.record().unknown();
    }
    boolean isStart = type.equals("item.started");
    boolean isEnd = type.equals("item.completed");
    if (ANSWERS.contains(kind) && isEnd) {
      answers.output(item);
    } else if (TOOLS.contains(kind) && (isStart || isEnd)) {
      tool(item, isEnd);
    } else {
      answers.add(Kind.OTHER, item);
    }
  }

  /** Adds the start or the end of a tool. The end alone, as of a change of files, is both. */
  private void tool(CodexItem item, boolean isEnd) throws IOException {
    String id = String.valueOf(item.text("id"));
    boolean isStarted = !started.add(id);
    if (!isStarted) {
      answers.output(item);
    }
    if (isEnd) {
      answers.add(Kind.COMPLETED, item);
      started.remove(id);
    }
  }
}
