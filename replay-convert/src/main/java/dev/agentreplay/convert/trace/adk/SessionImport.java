package dev.agentreplay.convert.trace.adk;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UniqueIds;
import dev.agentreplay.convert.trace.reading.UnnamedCalls;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one session from the events of one that the kit stored. An event of an agent is an answer
 * of its model; the prompt is what was said before it.
 */
final class SessionImport {

  private final TraceSession session;
  private final AgentLanes lanes = new AgentLanes();
  private final UniqueIds ids = new UniqueIds();

  /** The calls without an id, by the name of the tool. */
  private final UnnamedCalls unnamed = new UnnamedCalls();

  private final Conversation conversation;

  private SessionImport(TraceSession session) {
    this.session = session;
    this.conversation = session.conversation(null);
  }

  static void read(TraceOutput output, JsonObject document) throws IOException {
    Timestamp first = null;
    for (JsonValue event :
        document.get("events") instanceof JsonArray all ? all : JsonArray.EMPTY) {
      if (first == null && event instanceof JsonObject object) {
        first = time(object.get("timestamp"));
      }
    }
    TraceSession session = output.begin(SourceHead.text(document, "id"), first);
    SourceRecord root = session.record(
        document, "session", SourcePlace.DOCUMENT, CanonicalJson.SERDE.hash(document));
    List<SourceRecord> events = root.split("event", "events");
    if (events.isEmpty() && root.array("events").size() > 0) {
      session.fault(
          new SourceFault(Kind.CONTRADICTION, SourcePlace.DOCUMENT, "an event is not an object"));
    }
    if (root.get("id") instanceof JsonString id
        && id.value().equals(session.start().meta().sessionId())) {
      root.move("SessionStart/session_id", "id");
    }
    session.start(session.start(), root);
    SessionImport reading = new SessionImport(session);
    for (SourceRecord event : events) {
      reading.write(event);
    }
  }

  /** A time in seconds since 1970, as the kit writes it; null if it is none. */
  private static @Nullable Timestamp time(@Nullable JsonValue seconds) {
    double value = seconds instanceof JsonNumber number ? Double.parseDouble(number.text()) : -1;
    if (!(value >= 0 && value <= Integer.MAX_VALUE)) {
      return null;
    }
    long micros = Math.round(value * 1_000_000);
    return Timestamp.of(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
  }

  private void write(SourceRecord event) throws IOException {
    String author = event.text("author");
    Timestamp time = time(event.get("timestamp"));
    if (time != null) {
      event.derive("t", "timestamp");
    }
    JsonValue content = event.get("content");
    boolean isUser = "user".equals(author);
    Meta meta = (isUser ? Meta.NONE : lanes.of(author)).withTime(time);
    List<JsonObject> parts = Answers.parts(content);
    boolean hasResults =
        parts.stream().anyMatch(part -> AdkNames.get(part, "function_response") != null);
    if (parts.isEmpty() || event.isTrue("partial")) {
      session.keep(event, meta);
    } else if (hasResults) {
      results(event, parts, meta);
    } else if (isUser) {
      user(event, meta);
    } else {
      answer(event, parts, meta);
    }
  }

  private void user(SourceRecord event, Meta meta) throws IOException {
    event.derive("ModelCall/prompt", "content");
    conversation.add(event.object("content"));
    String text = Answers.text(event.get("content"));
    if (text != null) {
      session.task(event, text, "content");
    }
    session.message(event, meta);
  }

  private void answer(SourceRecord event, List<JsonObject> parts, Meta meta) throws IOException {
    if (meta.agent() != null) {
      event.move("agent", "author");
    }
    String id = event.text("id");
    if (id == null || id.isBlank()) {
      event.generate("ModelCall/id", "numbered");
      id = ids.unused("answer");
    } else {
      event.move("ModelCall/id", "id");
      id = ids.unused(id);
    }
    String[] model = AdkNames.path(event, "model_version");
    event.move("ModelCall/model", model);
    session.derive(
        conversation.call(id, event.text(model), ModelCall.Parameters.NONE, meta), event);
    JsonObject content = event.object("content");
    event.derive("ToolCall", "content", "parts");
    session.emit(Answers.result(event, id, meta), event);
    conversation.add(content);
    for (JsonObject part : parts) {
      JsonObject call = AdkNames.object(part, "function_call");
      String tool = SourceHead.text(call, "name");
      if (tool != null) {
        String stated = SourceHead.text(call, "id");
        String callId = stated == null || stated.isBlank() ? unnamed.call(tool) : stated;
        JsonValue args = call.get("args");
        lanes.called(callId, tool, args instanceof JsonObject object ? object : JsonObject.EMPTY);
        session.emit(
            ToolCall.of(callId, tool, args == null ? JsonObject.EMPTY : args).withMeta(meta),
            event);
      }
    }
  }

  private void results(SourceRecord event, List<JsonObject> parts, Meta meta) throws IOException {
    event.derive("ModelCall/prompt", "content");
    conversation.add(event.object("content"));
    event.derive("ToolResult", "content", "parts");
    for (JsonObject part : parts) {
      JsonObject response = AdkNames.object(part, "function_response");
      String id = SourceHead.text(response, "id");
      String call = id == null ? unnamed.result(SourceHead.text(response, "name")) : id;
      if (!response.isEmpty()) {
        session.emit(ToolResult.of(call, response.get("response")).withMeta(meta), event);
      }
    }
    session.keep(event, meta);
  }
}
