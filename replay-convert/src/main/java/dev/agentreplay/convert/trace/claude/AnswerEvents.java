package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.claude.AnswerQueue.Item;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UnnamedCalls;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the answers of the model: a call, its result, and the calls of tools that it asks for. */
final class AnswerEvents {

  private static final String FIRST = "equal to the one of the first line of the answer";
  private static final String LAST = "equal to the one of the last line of the answer";

  /** The model of answers that Claude Code writes itself, as when a request fails. */
  private static final String SYNTHETIC = "<synthetic>";

  private final TraceSession session;
  private final TokenUsage usage;
  private final UnnamedCalls unnamed = new UnnamedCalls();
  private long generated;

  AnswerEvents(TraceSession session) {
    this.session = session;
    this.usage = new TokenUsage(session);
  }

  UnnamedCalls unnamed() {
    return unnamed;
  }

  void write(Item item, Chain chain) throws IOException {
    SourceRecord first = item.records.get(0);
    Conversation conversation = session.conversation(item.lane);
    chain.follow(first, item.lane, conversation);
    if (isWithoutCall(first)) {
      keep(item, chain, conversation);
      return;
    }
    SourceRecord last = item.records.get(item.records.size() - 1);
    Meta meta = ClaudeImport.meta(first, item.lane, item.parent);
    int times = usage.count(item.messageId);
    String id = id(item, times);
    ModelCall call =
        conversation.call(id, model(first), new ModelCall.Parameters(JsonObject.EMPTY), meta);
    session.derive(call, first);

    boolean isFailed = first.isTrue("isApiErrorMessage");
    JsonObject message = JsonObject.of("role", "assistant", "content", moved(item.records));
    ModelResult result = new ModelResult(
        id,
        Content.of(message),
        completion(first, last),
        TokenCounts.NONE,
        Timing.NONE,
        resultMeta(first, meta));
    result = usage.add(result, last, item.messageId);
    dropRepeated(item.records);
    if (times > 1) {
      first.generate(
          "ModelCall/id",
          "numbered: an answer with this id was written before, and its tokens are counted");
    } else {
      first.move("ModelCall/id", "message", "id");
    }
    List<SourceRecord> more = new ArrayList<>(item.records.subList(1, item.records.size()));
    more.removeIf(AnswerEvents::hasCalls);
    session.emit(result, first, more);
    if (!isFailed) { // a failed request is repeated without the error
      conversation.add(message);
      chain.beginAnswer(item.lane, item.messageId, conversation);
    }
    item.records.forEach(record -> chain.written(record, item.lane));
    for (SourceRecord record : item.records.subList(0, item.together)) {
      writeCalls(record, item);
    }
  }

  /** Writes the calls of the lines of an answer that have other records before them. */
  void writeLater(Item item) throws IOException {
    for (SourceRecord record : item.records) {
      writeCalls(record, item);
    }
  }

  /** Whether a message is by Claude Code itself, which called no model for it. */
  static boolean isWithoutCall(SourceRecord record) {
    return SYNTHETIC.equals(record.text("message", "model")) && !record.isTrue("isApiErrorMessage");
  }

  /** Keeps the lines of an answer for which no model was called. */
  private void keep(Item item, Chain chain, Conversation conversation) throws IOException {
    conversation.add("assistant", blocks(item.records));
    chain.beginAnswer(item.lane, item.messageId, conversation);
    for (SourceRecord record : item.records) {
      record.derive("ModelCall/prompt", "message", "content");
      chain.written(record, item.lane);
      session.keep(record, ClaudeImport.meta(record, item.lane, item.parent));
    }
  }

  private static @Nullable String model(SourceRecord first) {
    String model = first.text("message", "model");
    if (SYNTHETIC.equals(model)) {
      return null;
    }
    first.move("ModelCall/model", "message", "model");
    return model;
  }

  private String id(Item item, int times) {
    if (item.messageId == null) {
      item.records.get(0).generate("ModelCall/id", "numbered");
      return "answer-" + ++generated;
    }
    return times == 1 ? item.messageId : item.messageId + "#" + times;
  }

  /** The blocks of an answer, which are moved there. */
  private static JsonValue moved(List<SourceRecord> records) {
    for (SourceRecord record : records) {
      JsonValue content = record.move("ModelResult/answer/content", "message", "content");
      if (content instanceof JsonString && records.size() > 1) {
        record.generate("ModelResult/answer/content", "a block of the type text");
      }
    }
    if ("assistant".equals(records.get(0).text("message", "role"))) {
      records.get(0).move("ModelResult/answer/role", "message", "role");
    }
    return blocks(records);
  }

  /** The blocks of all lines of an answer; the content of a single line as it is. */
  private static JsonValue blocks(List<SourceRecord> records) {
    List<JsonValue> blocks = new ArrayList<>();
    for (SourceRecord record : records) {
      JsonValue content = record.get("message", "content");
      if (content instanceof JsonArray array) {
        blocks.addAll(array.values());
      } else if (content != null && records.size() == 1) {
        return content;
      } else if (content instanceof JsonString) {
        blocks.add(JsonObject.of("text", content, "type", "text"));
      } else if (content != null) {
        blocks.add(content);
      }
    }
    return JsonArray.copyOf(blocks);
  }

  private static Completion completion(SourceRecord first, SourceRecord last) {
    if (first.isTrue("isApiErrorMessage")) {
      String name = first.text("error") == null ? "ApiError" : first.text("error");
      first.derive("ModelResult/error", "isApiErrorMessage");
      return Completion.failed(new Failure(
          JsonObject.of("name", name, "message", text(first.get("message", "content")))));
    }
    String reason = last.text("message", "stop_reason");
    if (reason == null) {
      return Completion.NONE;
    }
    last.move("ModelResult/finish_reason", "message", "stop_reason");
    return Completion.of(reason);
  }

  private static String text(@Nullable JsonValue content) {
    if (content instanceof JsonArray blocks
        && blocks.size() > 0
        && blocks.get(0) instanceof JsonObject block
        && block.get("text") instanceof JsonString text) {
      return text.value();
    }
    return content instanceof JsonString text ? text.value() : "";
  }

  private static Meta resultMeta(SourceRecord first, Meta meta) {
    String request = first.text("requestId");
    if (request == null) {
      return meta;
    }
    first.move("ModelResult/" + Names.RESPONSE_ID, "requestId");
    return meta.withExtra(meta.extra().with(Names.RESPONSE_ID, request));
  }

  /** Drops what the lines of one answer repeat. */
  private static void dropRepeated(List<SourceRecord> records) {
    SourceRecord first = records.get(0);
    SourceRecord last = records.get(records.size() - 1);
    for (SourceRecord record : records) {
      for (String name : List.of("id", "model", "type", "role", "stop_sequence")) {
        dropIfEqual(record, first, FIRST, "message", name);
      }
      dropIfEqual(record, first, FIRST, "requestId");
      dropIfEqual(record, last, LAST, "message", "stop_reason");
      dropIfEqual(record, last, LAST, "message", "usage");
    }
  }

  private static void dropIfEqual(
      SourceRecord record, SourceRecord other, String reason, String... path) {
    JsonValue value = record == other ? null : record.get(path);
    if (value != null && value.equals(other.get(path))) {
      record.drop(reason, path);
    }
  }

  private static boolean hasCalls(SourceRecord record) {
    return record.array("message", "content").stream()
        .anyMatch(block -> isCall(block) || ResultEvents.isServerResult(block));
  }

  private static boolean isCall(JsonValue value) {
    return value instanceof JsonObject block
        && block.get("type") instanceof JsonString type
        && type.value().endsWith(Names.TOOL_USE)
        && block.get("name") instanceof JsonString;
  }

  /** Writes the calls of a line, and the results of those that ran where the model did. */
  private void writeCalls(SourceRecord record, Item item) throws IOException {
    if (isWithoutCall(record) || !hasCalls(record)) {
      return;
    }
    Meta meta = ClaudeImport.meta(record, item.lane, item.parent);
    for (JsonValue value : record.array("message", "content")) {
      if (isCall(value)) {
        record.derive("ToolCall", "message", "content");
        session.emit(call(value.asObject(), item.lane).withMeta(meta), record);
      } else if (ResultEvents.isServerResult(value)) {
        record.derive("ToolResult", "message", "content");
        session.emit(ResultEvents.serverResult(value.asObject()).withMeta(meta), record);
      }
    }
  }

  private ToolCall call(JsonObject block, @Nullable String lane) {
    String id = block.get("id") instanceof JsonString text && !text.value().isBlank()
        ? text.value()
        : unnamed.call(lane);
    JsonValue input = block.get("input") == null ? JsonObject.EMPTY : block.get("input");
    return ToolCall.of(id, Objects.requireNonNull(block.get("name")).asString(), input);
  }
}
