package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.claude.AnswerQueue.Item;
import dev.agentreplay.convert.trace.claude.Chain.Link;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the answers of the model: a call, its result, and the calls of tools that it asks for. */
final class AnswerEvents {

  /** The maximum number of answers of which the tokens are known to be counted. */
  private static final int MAX_ANSWERS = 50_000;

  private static final String FIRST = "equal to the one of the first line of the answer";

  private final TraceSession session;
  private final Chain chain;
  private final UnnamedCalls unnamed = new UnnamedCalls();
  private long generated;

  /** The answers that were written, by id, with the number of times. */
  private final Map<String, Integer> written = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
      return size() > MAX_ANSWERS;
    }
  };

  AnswerEvents(TraceSession session, Chain chain) {
    this.session = session;
    this.chain = chain;
  }

  UnnamedCalls unnamed() {
    return unnamed;
  }

  void write(Item item) throws IOException {
    SourceRecord first = item.records.get(0);
    SourceRecord last = item.records.get(item.records.size() - 1);
    Meta meta = ClaudeImport.meta(first, item.lane, item.parent);
    int times = item.messageId == null ? 1 : written.merge(item.messageId, 1, Integer::sum);
    String id = id(item, times);

    JsonValue blocks = blocks(item.records);
    Conversation conversation = session.conversation(item.lane);
    ModelCall call = conversation.call(
        id, first.text("message", "model"), new ModelCall.Parameters(JsonObject.EMPTY), meta);
    session.derive(call, first);

    JsonObject message = JsonObject.of("role", "assistant", "content", blocks);
    ModelResult result = new ModelResult(
        id,
        Content.of(message),
        completion(first, last),
        TokenCounts.NONE,
        Timing.NONE,
        resultMeta(first, last, item));
    result = times == 1 ? withTokens(result, last) : result;
    dropRepeated(item.records, times);
    List<ToolCall> calls = new ArrayList<>();
    List<SourceRecord> ofCalls = new ArrayList<>();
    for (SourceRecord record : item.records) {
      addCalls(record, item, calls, ofCalls);
    }
    List<SourceRecord> more = new ArrayList<>(item.records.subList(1, item.records.size()));
    more.removeAll(ofCalls);
    session.emit(result, first, more);
    conversation.add(message);
    for (SourceRecord record : item.records) {
      String uuid = record.text("uuid");
      if (uuid != null) {
        chain.add(uuid, new Link(item.lane, conversation.mark()));
      }
    }
    for (int i = 0; i < calls.size(); i++) {
      session.emit(calls.get(i), ofCalls.get(i));
    }
  }

  private String id(Item item, int times) {
    if (item.messageId == null) {
      item.records.get(0).generate("ModelCall/id", "numbered");
      return "answer-" + ++generated;
    }
    return times == 1 ? item.messageId : item.messageId + "#" + times;
  }

  /** The blocks of an answer, of all its lines; a text as it is. */
  private static JsonValue blocks(List<SourceRecord> records) {
    List<JsonValue> blocks = new ArrayList<>();
    for (SourceRecord record : records) {
      JsonValue content = record.move("ModelResult/answer/content", "message", "content");
      if (content instanceof JsonArray array) {
        blocks.addAll(array.values());
      } else if (records.size() == 1 && content != null) {
        return content;
      } else if (content != null) {
        blocks.add(JsonObject.of("text", content, "type", "text"));
      }
      if ("assistant".equals(record.text("message", "role"))) {
        record.move("ModelResult/answer/role", "message", "role");
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

  private static Meta resultMeta(SourceRecord first, SourceRecord last, Item item) {
    Meta meta = last == first
        ? ClaudeImport.meta(first, item.lane, item.parent)
        : ClaudeImport.meta(last, item.lane, item.parent);
    String request = first.text("requestId");
    if (request != null) {
      first.move("ModelResult/" + Names.RESPONSE_ID, "requestId");
      meta = meta.withExtra(meta.extra().with(Names.RESPONSE_ID, request));
    }
    return meta;
  }

  /**
   * The tokens as the last line states them: input, and what was written to or read from caches.
   */
  private static ModelResult withTokens(ModelResult result, SourceRecord last) {
    Long fresh = count(last, "input_tokens");
    Long written = count(last, "cache_creation_input_tokens");
    Long read = count(last, "cache_read_input_tokens");
    Long output = count(last, "output_tokens");
    Long input = fresh == null ? null : fresh + orZero(written) + orZero(read);
    for (String name :
        List.of("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")) {
      last.derive("ModelResult/" + Names.TOKENS_IN, "message", "usage", name);
    }
    last.derive("ModelResult/" + Names.TOKENS_OUT, "message", "usage", "output_tokens");
    JsonValue usage = last.move("ModelResult/" + Names.TOKEN_DETAILS, "message", "usage");
    ModelResult counted = result.withTokens(new TokenCounts(input, output));
    return usage == null
        ? counted
        : counted.withMeta(
            counted.meta().withExtra(counted.meta().extra().with(Names.TOKEN_DETAILS, usage)));
  }

  private static @Nullable Long count(SourceRecord record, String name) {
    Long count = record.integer("message", "usage", name);
    return count == null || count < 0 ? null : count;
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : count;
  }

  /** Drops what the lines of one answer repeat. */
  private static void dropRepeated(List<SourceRecord> records, int times) {
    SourceRecord first = records.get(0);
    for (SourceRecord record : records.subList(1, records.size())) {
      for (String name : List.of("id", "model", "type", "role", "stop_sequence", "stop_reason")) {
        dropIfEqual(record, first, "message", name);
      }
      dropIfEqual(record, first, "requestId");
      dropIfEqual(record, records.get(records.size() - 1), "message", "usage");
    }
    if (records.size() > 1) {
      dropIfEqual(first, records.get(records.size() - 1), "message", "usage");
    }
    if (times > 1) {
      first.generate(
          "ModelCall/id",
          "numbered: an answer with this id was written before, and its" + " tokens are counted");
    }
    first.move("ModelCall/model", "message", "model");
    if (times == 1) {
      first.move("ModelCall/id", "message", "id");
    }
  }

  private static void dropIfEqual(SourceRecord record, SourceRecord other, String... path) {
    JsonValue value = record.get(path);
    if (record != other && value != null && value.equals(other.get(path))) {
      record.drop(FIRST, path);
    }
  }

  private void addCalls(
      SourceRecord record, Item item, List<ToolCall> calls, List<SourceRecord> ofCalls) {
    if (!(record.get("message", "content") instanceof JsonArray blocks)) {
      return;
    }
    for (JsonValue value : blocks) {
      if (value instanceof JsonObject block
          && block.get("type") instanceof JsonString type
          && type.value().endsWith(Names.TOOL_USE)
          && block.get("name") instanceof JsonString name) {
        String id = block.get("id") instanceof JsonString text && !text.value().isBlank()
            ? text.value()
            : unnamed.call(item.lane);
        JsonValue input = block.get("input") == null ? JsonObject.EMPTY : block.get("input");
        record.derive("ToolCall", "message", "content");
        Meta meta = ClaudeImport.meta(record, item.lane, item.parent);
        calls.add(ToolCall.of(id, name.value(), input).withMeta(meta));
        ofCalls.add(record);
      }
    }
  }
}
