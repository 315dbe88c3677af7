package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UniqueIds;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/**
 * Reads what OpenHands logs of its model calls: a document with the prompt and the response of one
 * call, or an array with the messages of a conversation.
 */
final class ModelLog {

  private static final String MESSAGES = "messages";
  private static final String RESPONSE = "response";

  private ModelLog() {}

  /** Whether a document is the log of one call. */
  static boolean isLog(JsonObject document) {
    return document.get(MESSAGES) instanceof JsonArray
        && (document.has(RESPONSE) || document.has("kwargs"))
        && (document.has("kwargs") || document.has("latency_sec"));
  }

  /** Whether an array has the messages of a conversation that used tools. */
  static boolean isConversation(JsonArray array) {
    return array.size() > 0
        && array.get(0) instanceof JsonObject first
        && SourceHead.text(first, "role") != null
        && first.has("content")
        && array.stream()
            .anyMatch(message -> message instanceof JsonObject object
                && (object.get(Names.TOOL_CALLS) instanceof JsonArray
                    || "tool".equals(SourceHead.text(object, "role"))));
  }

  /** Reads the log of one call as a session with one call. */
  static void read(TraceOutput output, JsonObject document) throws IOException {
    Long millis = Usage.millis(document.get("timestamp"));
    Timestamp time = millis == null ? null : Timestamp.of(Instant.ofEpochMilli(millis));
    TraceSession session = output.begin(null, time);
    SourceRecord log = session.record(
        document, "completion_log", SourcePlace.DOCUMENT, CanonicalJson.SERDE.hash(document));
    Conversation conversation = session.conversation(null);
    for (JsonValue message : log.array(MESSAGES)) {
      conversation.add(message);
    }
    log.move("ModelCall/prompt/messages", MESSAGES);
    if (log.get("tools") instanceof JsonArray tools) {
      conversation.context(JsonObject.of("tools", tools));
      log.move("ModelCall/prompt/context/tools", "tools");
      if (tools.equals(log.get("kwargs", "tools"))) {
        log.drop("equal to /tools", "kwargs", "tools");
      }
    }
    Meta meta = Meta.NONE.withTime(time);
    if (millis != null) {
      log.derive("t", "timestamp");
    }
    call(session, log, conversation, meta);
  }

  private static void call(
      TraceSession session, SourceRecord log, Conversation conversation, Meta meta)
      throws IOException {
    String id = log.text(RESPONSE, "id");
    if (id == null || id.isBlank()) {
      log.generate("ModelCall/id", "numbered");
      id = "answer";
    } else {
      log.move("ModelCall/id", RESPONSE, "id");
    }
    JsonObject.Builder parameters = JsonObject.builder();
    for (String name :
        List.of("temperature", "top_p", "max_completion_tokens", "reasoning_effort")) {
      JsonValue value = log.move("ModelCall/parameters/" + name, "kwargs", name);
      if (value != null) {
        parameters.put(name, value);
      }
    }
    log.move("ModelCall/model", RESPONSE, "model");
    ModelCall call = conversation.call(
        id, log.text(RESPONSE, "model"), new ModelCall.Parameters(parameters.build()), meta);
    session.derive(call, log);
    if (!(log.get(RESPONSE) instanceof JsonObject)) {
      session.keep(log, meta);
      return;
    }
    session.emit(result(log, id, meta), log);
  }

  private static ModelResult result(SourceRecord log, String id, Meta meta) {
    JsonArray choices = log.array(RESPONSE, "choices");
    JsonObject choice =
        choices.size() > 0 && choices.get(0) instanceof JsonObject first ? first : JsonObject.EMPTY;
    JsonValue answer = choice.get("message");
    if (answer == null) {
      answer = log.get(RESPONSE);
    }
    log.derive("ModelResult/answer", RESPONSE, "choices");
    String reason = SourceHead.text(choice, "finish_reason");
    JsonObject usage = log.object(RESPONSE, "usage");
    log.derive("ModelResult/" + Names.TOKENS_IN, RESPONSE, "usage", "prompt_tokens");
    log.derive("ModelResult/" + Names.TOKENS_OUT, RESPONSE, "usage", "completion_tokens");
    log.move("ModelResult/" + Names.TOKEN_DETAILS, RESPONSE, "usage");
    log.derive("ModelResult/latency_ms", "latency_sec");
    return new ModelResult(
        id,
        Content.of(answer == null ? JsonObject.EMPTY : answer),
        reason == null ? Completion.NONE : Completion.of(reason),
        new TokenCounts(
            Usage.count(usage, "prompt_tokens"), Usage.count(usage, "completion_tokens")),
        Timing.NONE.withLatencyMillis(Usage.millis(log.get("latency_sec"))),
        usage.isEmpty() ? meta : meta.withExtra(JsonObject.of(Names.TOKEN_DETAILS, usage)));
  }

  /** Reads the messages of a conversation. */
  static void read(TraceOutput output, JsonArray messages) throws IOException {
    TraceSession session = output.begin(null, null);
    UniqueIds ids = new UniqueIds();
    for (int i = 0; i < messages.size(); i++) {
      SourcePlace place = SourcePlace.DOCUMENT.child(JsonPointer.ROOT.append(i));
      if (messages.get(i) instanceof JsonObject message) {
        String role = SourceHead.text(message, "role");
        message(
            session,
            session.record(
                message, role == null ? "message" : role, place, CanonicalJson.SERDE.hash(message)),
            ids);
      } else {
        session.fault(new SourceFault(
            Kind.CONTRADICTION,
            place,
            "expected a message, an object; found " + messages.get(i).typeName()));
      }
    }
  }

  private static void message(TraceSession session, SourceRecord message, UniqueIds ids)
      throws IOException {
    Conversation conversation = session.conversation(null);
    switch (message.type()) {
      case "assistant" -> answer(session, message, ids);
      case "tool" -> {
        conversation.add(message.json());
        message.derive("ModelCall/prompt", "content");
        String id = message.text(Names.TOOL_CALL_ID);
        if (id == null) {
          session.keep(message);
        } else {
          message.move("ToolResult/id", Names.TOOL_CALL_ID);
          session.emit(ToolResult.of(id, message.move("ToolResult/output", "content")), message);
        }
      }
      case "user" -> {
        conversation.add(message.json());
        message.derive("ModelCall/prompt", "content");
        if (message.get("content") instanceof JsonString text) {
          session.task(message, text.value(), "content");
        }
        session.message(message, Meta.NONE);
      }
      default -> {
        if (!message.type().equals("system")) {
          message.unknown();
        }
        conversation.add(message.json());
        message.derive("ModelCall/prompt", "content");
        session.keep(message);
      }
    }
  }

  private static void answer(TraceSession session, SourceRecord message, UniqueIds ids)
      throws IOException {
    message.generate("ModelCall/id", "numbered");
    String id = ids.unused("answer");
    Conversation conversation = session.conversation(null);
    session.derive(conversation.call(id, null, ModelCall.Parameters.NONE, Meta.NONE), message);
    for (String name : message.json().names()) {
      message.move("ModelResult/answer/" + name, name);
    }
    message.derive("ToolCall", Names.TOOL_CALLS);
    session.emit(ModelResult.of(id, message.json()), message);
    conversation.add(message.json());
    for (JsonValue value : message.array(Names.TOOL_CALLS)) {
      if (value instanceof JsonObject call
          && call.get("function") instanceof JsonObject function
          && function.get("name") instanceof JsonString name) {
        String stated = SourceHead.text(call, "id");
        JsonValue arguments = function.get("arguments");
        session.emit(
            ToolCall.of(
                stated == null || stated.isBlank() ? ids.unused("call") : stated,
                name.value(),
                arguments instanceof JsonString text
                    ? JsonText.parseOrString(text.value())
                    : arguments == null ? JsonObject.EMPTY : arguments),
            message);
      }
    }
  }
}
