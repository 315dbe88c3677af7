package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.convert.trace.codex.AnswerCollector.Kind;
import dev.agentreplay.convert.trace.codex.AnswerCollector.Waiting;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answers of the model: a call, its result, and the calls of tools that it asks for. The
 * answer has the form of the Responses API: an object whose {@code output} has the items.
 */
final class AnswerEvents {

  private static final String ANSWER = "ModelResult/answer/output";

  private final TraceSession session;
  private final SessionHead head;
  private final UserMessages users;
  private final ToolEvents tools;
  private long generated;

  AnswerEvents(TraceSession session, SessionHead head, UserMessages users, ToolEvents tools) {
    this.session = session;
    this.head = head;
    this.users = users;
    this.tools = tools;
  }

  /**
   * Writes an answer, and the records that waited for its end, in their order.
   *
   * @param error the message of the error that ended it; null if it did not fail
   * @return its texts
   */
  Set<String> write(
      List<Waiting> waiting,
      @Nullable TokenUsage usage,
      TurnContext context,
      @Nullable String error)
      throws IOException {
    head.useInstructions();
    users.complete();
    List<CodexItem> items = waiting.stream()
        .filter(record -> record.kind() == Kind.OUTPUT)
        .map(Waiting::item)
        .toList();
    CodexItem first = items.isEmpty()
        ? usage == null ? waiting.get(waiting.size() - 1).item() : usage.item()
        : items.get(0);
    Meta meta = first.meta();
    String id = id(first, usage);
    ModelCall call =
        session.conversation(null).call(id, context.model(), context.parameters(), meta);
    session.derive(call, first.record());

    ModelResult result = new ModelResult(
        id,
        Content.of(JsonObject.of("output", output(items))),
        error == null ? Completion.NONE : Completion.failed("Error", error),
        TokenCounts.NONE,
        Timing.NONE,
        Meta.NONE.withTime(lastOfAnswer(waiting, first).meta().time()));
    emit(usage == null ? result : withTokens(result, usage), first, items, usage);
    writeAll(waiting);
    Set<String> texts = new HashSet<>();
    items.forEach(item -> texts.addAll(item.texts()));
    return texts;
  }

  private String id(CodexItem first, @Nullable TokenUsage usage) {
    String stated = usage == null ? null : usage.item().text("response_id");
    if (usage != null && stated != null && !stated.isBlank()) {
      usage.item().move("ModelCall/id", "response_id");
      return stated;
    }
    first.record().generate("ModelCall/id", "numbered");
    return "answer-" + ++generated;
  }

  /** The last item before the results of its calls. */
  private static CodexItem lastOfAnswer(List<Waiting> waiting, CodexItem first) {
    CodexItem last = first;
    for (Waiting record : waiting) {
      if (record.kind() == Kind.RESULT || record.kind() == Kind.COMPLETED) {
        break;
      }
      last = record.kind() == Kind.OUTPUT ? record.item() : last;
    }
    return last;
  }

  private static JsonArray output(List<CodexItem> items) {
    List<JsonValue> output = new ArrayList<>();
    for (CodexItem item : items) {
      output.add(item.value());
      item.moveAll(ANSWER);
    }
    return JsonArray.copyOf(output);
  }

  private static ModelResult withTokens(ModelResult result, TokenUsage usage) {
    ModelResult counted = result.withTokens(usage.counts());
    JsonValue details = usage.moveDetails();
    return details == null
        ? counted
        : counted.withMeta(
            counted.meta().withExtra(counted.meta().extra().with(Names.TOKEN_DETAILS, details)));
  }

  private void emit(
      ModelResult result, CodexItem first, List<CodexItem> items, @Nullable TokenUsage usage)
      throws IOException {
    List<SourceRecord> more = new ArrayList<>();
    for (CodexItem item : items) {
      if (item != first && !ToolEvents.isCall(item)) {
        more.add(item.record());
      }
    }
    if (usage != null && usage.item() != first) {
      more.add(usage.record());
    }
    session.emit(result, first.record(), more);
  }

  /** Writes records in their order. The items of the model become a part of the conversation. */
  void writeAll(List<Waiting> waiting) throws IOException {
    Conversation conversation = session.conversation(null);
    for (Waiting record : waiting) {
      CodexItem item = record.item();
      switch (record.kind()) {
        case OUTPUT -> {
          conversation.add(item.value());
          if (ToolEvents.isCall(item)) {
            writeCall(item);
          }
        }
        case RESULT -> {
          conversation.add(item.value());
          item.derive("ModelCall/prompt", "output");
          session.emit(tools.result(item), item.record());
        }
        case COMPLETED -> {
          if (waiting.stream().noneMatch(other -> other.item() == item && !other.equals(record))) {
            conversation.add(item.value());
          }
          session.emit(tools.completed(item), item.record());
        }
        case INPUT -> {
          conversation.add(item.value());
          item.deriveEach("ModelCall/prompt", List.of("role", "content"));
          session.keep(item.record(), item.meta());
        }
        case TURN -> head.writeTurn(item);
        default -> session.keep(item.record(), item.meta());
      }
    }
  }

  private void writeCall(CodexItem item) throws IOException {
    ToolCall call = tools.call(item);
    session.emit(call, item.record());
    ToolResult result = ToolEvents.resultInCall(item, call);
    if (result != null) {
      session.emit(result, null);
    }
  }
}
