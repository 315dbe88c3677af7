package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.convert.trace.mcp.OpenRequests.Request;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes one session from the lines of a log of messages. */
final class McpImport {

  private static final List<String> LATENCIES =
      List.of("latency_ms", "duration_ms", "latencyMs", "durationMs");

  private static final double MAX_LATENCY = 1e12;

  private final TraceSession session;
  private final Directions directions = new Directions();
  private final MessageTimes times = new MessageTimes();
  private final OpenRequests requests = new OpenRequests();
  private final ServerSettings settings = new ServerSettings();
  private long paired;

  McpImport(TraceSession session) {
    this.session = session;
  }

  /**
   * Adds a line.
   *
   * @param isText whether the log is one of text, in which not every line is a message
   */
  void add(SourceLines.Line source, boolean isText) throws IOException {
    LogLine line = LogLine.of(source);
    if (line == null) {
      keepText(source, isText);
      return;
    }
    if (source.json() != null && source.fault() != null) {
      session.fault(source.fault());
    }
    Timestamp time = times.find(line.json());
    if (line.isMessage()) {
      message(source, line, null, line.json(), time);
    } else if (line.members().size() == 1
        && line.json().get(line.members().get(0)) instanceof JsonObject message) {
      message(source, line, line.members().get(0), message, time);
    } else if (line.members().isEmpty()) {
      session.keep(record(source, line, name(line.json()), time), Meta.NONE.withTime(time));
    } else {
      several(source, line, time);
    }
  }

  private void keepText(SourceLines.Line source, boolean isText) throws IOException {
    if (isText && source.text() != null) {
      JsonObject text = JsonObject.of("text", source.text());
      session.keep(session.record(text, "text", source.place(), source.hash()));
    } else {
      session.broken(source);
    }
  }

  /** The name of a line without a message. */
  private static String name(JsonObject json) {
    for (String name : List.of("type", "kind", "event")) {
      String text = SourceHead.text(json, name);
      if (text != null) {
        return text;
      }
    }
    return "record";
  }

  private SourceRecord record(
      SourceLines.Line source, LogLine line, String type, @Nullable Timestamp time) {
    SourceRecord record = session.record(line.json(), type, source.place(), source.hash());
    MessageTimes.take(record, time);
    for (String name : line.parsed()) {
      record.generate("/" + name, "the value of the JSON text that the line has");
    }
    return record;
  }

  private void message(
      SourceLines.Line source,
      LogLine line,
      @Nullable String member,
      JsonObject json,
      @Nullable Timestamp time)
      throws IOException {
    Side sender = sender(line.json(), json);
    SourceRecord record = record(source, line, type(json, sender), time);
    write(new McpMessage(record, member, sender, Meta.NONE.withTime(time)));
  }

  /** Adds a line with several messages: a batch, or a request with its response. */
  private void several(SourceLines.Line source, LogLine line, @Nullable Timestamp time)
      throws IOException {
    SourceRecord record = record(source, line, "messages", time);
    Meta meta = Meta.NONE.withTime(time);
    if (line.members().size() == 1) {
      for (SourceRecord each : record.split("message", line.members().get(0))) {
        Side sender = sender(line.json(), each.json());
        write(new McpMessage(each, null, sender, meta));
      }
      session.keep(record, meta);
      return;
    }
    JsonValue id = JsonString.of("pair-" + ++paired);
    for (String name : line.members()) {
      boolean isRequest = name.equals(line.members().get(0));
      Side sender = isRequest ? sender(line.json(), record.object(name)) : Side.SERVER;
      SourceRecord child = record.child(name, name);
      if (child != null) {
        write(new McpMessage(child, null, sender, meta, id));
      }
    }
    session.keep(record, meta);
  }

  /** The sender of a message: as stated, or the side that calls the method, or that was asked. */
  private Side sender(JsonObject envelope, JsonObject message) {
    String method = SourceHead.text(message, "method");
    Side stated = directions.find(envelope, method);
    if (method != null) {
      Side caller = Methods.sender(method);
      return caller != null ? caller : stated != null ? stated : Side.CLIENT;
    }
    JsonValue id = message.get("id");
    boolean isOpen = requests.find(Side.SERVER, id) != null;
    if (stated != null && (requests.find(stated.other(), id) != null || !isOpen)) {
      return stated;
    }
    boolean answersServer = isOpen
        && (requests.find(Side.CLIENT, id) == null || isAnswerOfClient(message.get("result")));
    return answersServer ? Side.CLIENT : Side.SERVER;
  }

  /** Whether a result is one of the methods that servers call. */
  private static boolean isAnswerOfClient(@Nullable JsonValue result) {
    return result instanceof JsonObject object
        && (object.has("role") || object.has("roots") || object.has("action"));
  }

  /** The name of the type of a message: its method, or that of the request that it answers. */
  private String type(JsonObject message, Side sender) {
    String method = SourceHead.text(message, "method");
    if (method != null) {
      return method;
    }
    Request request = requests.find(sender.other(), message.get("id"));
    return (request == null ? "response" : request.method())
        + (message.has("error") ? "/error" : "/result");
  }

  private void write(McpMessage message) throws IOException {
    String method = message.text("method");
    JsonValue id = message.id();
    if (method == null) {
      response(message, id);
      return;
    }
    if (!Methods.isKnown(method)) {
      message.record().unknown();
    }
    Request request =
        id == null ? null : requests.add(message.sender(), id, method, message.object("params"));
    if (method.equals(Methods.CALL_TOOL) && request != null) {
      call(message, request);
    } else if (method.equals(Methods.SAMPLE) && request != null) {
      session.emit(Sampling.call(message, request.callId()), message.record());
    } else if (method.equals(Methods.CANCELLED)) {
      cancel(message);
    } else {
      settings.client(message);
      session.keep(message.record(), message.meta());
    }
  }

  private void call(McpMessage message, Request request) throws IOException {
    String name = message.text("params", "name");
    if (name == null) {
      session.keep(message.record(), message.meta());
      return;
    }
    settings.client(message);
    message.move("ToolCall/tool", "params", "name");
    JsonValue arguments = message.move("ToolCall/params", "params", "arguments");
    takeId(message, request, "ToolCall/id");
    session.emit(
        ToolCall.of(request.callId(), name, arguments == null ? JsonObject.EMPTY : arguments)
            .withMeta(message.meta()),
        message.record());
  }

  private static void takeId(McpMessage message, Request request, String to) {
    message.derive(to, "id");
    if (message.get("id") instanceof JsonString text && text.value().equals(request.callId())) {
      message.move(to, "id");
    }
  }

  private void response(McpMessage message, @Nullable JsonValue id) throws IOException {
    Side caller = message.sender().other();
    Request request = requests.take(caller, id);
    if (request == null) {
      late(message, requests.takeCancelled(caller, id), id);
      return;
    }
    switch (request.method()) {
      case Methods.CALL_TOOL -> session.emit(result(message, request), message.record());
      case Methods.SAMPLE ->
        session.emit(Sampling.result(message, request.callId()), message.record());
      case Methods.INITIALIZE, Methods.DISCOVER -> set(settings.server(message), message);
      case Methods.LIST_TOOLS -> {
        if (message.get("result") != null) {
          set(settings.tools(message, request.params().has("cursor")), message);
        } else {
          session.keep(message.record(), message.meta());
        }
      }
      default -> session.keep(message.record(), message.meta());
    }
  }

  /** Keeps a response to a request that was cancelled, or that the log does not have. */
  private void late(McpMessage message, @Nullable Request cancelled, @Nullable JsonValue id)
      throws IOException {
    boolean isResult = cancelled == null
        ? message.get("result", "content") instanceof JsonArray && id != null
        : cancelled.method().equals(Methods.CALL_TOOL);
    if (isResult) {
      String text = id instanceof JsonString string ? string.value() : String.valueOf(id);
      Request request =
          cancelled == null ? new Request(Methods.CALL_TOOL, text, JsonObject.EMPTY) : cancelled;
      session.emit(result(message, request), message.record());
    } else {
      session.keep(message.record(), message.meta());
    }
  }

  private void set(Settings stated, McpMessage message) throws IOException {
    if (!stated.values().isEmpty()) {
      session.derive(stated.withMeta(message.meta()), message.record());
    }
    session.keep(message.record(), message.meta());
  }

  private ToolResult result(McpMessage message, Request request) {
    takeId(message, request, "ToolResult/id");
    ToolResult result;
    if (message.get("error") != null) {
      Failure failure = message.takeError("ToolResult/error");
      result = ToolResult.of(request.callId(), null).withOutcome(Outcome.failed(failure));
    } else {
      JsonValue output = message.move("ToolResult/output", "result");
      message.derive("ToolResult/ok", "result", "isError");
      result = ToolResult.of(request.callId(), output).withOutcome(outcome(output));
    }
    for (String name : LATENCIES) {
      if (message.record().get(name) instanceof JsonNumber number
          && number.asDouble() >= 0
          && number.asDouble() < MAX_LATENCY) {
        message.record().derive("ToolResult/latency_ms", name);
        result = result.withLatencyMillis(Math.round(number.asDouble()));
      }
    }
    return result.withMeta(message.meta());
  }

  /** The outcome of a call: success unless the result states an error, or is not the last one. */
  private static Outcome outcome(@Nullable JsonValue output) {
    if (!(output instanceof JsonObject result)) {
      return Outcome.NONE;
    }
    if (result.get("isError") instanceof JsonBoolean error) {
      return Outcome.of(!error.value(), null, null);
    }
    return result.get("content") instanceof JsonArray ? Outcome.OK : Outcome.NONE;
  }

  /** Ends the call that its caller no longer waits for. */
  private void cancel(McpMessage message) throws IOException {
    JsonValue id = message.get("params", "requestId");
    Request request = requests.cancel(message.sender(), id);
    if (request == null && requests.find(message.sender().other(), id) != null) {
      request = requests.cancel(message.sender().other(), id);
    }
    String stated = message.text("params", "reason");
    String reason = stated == null ? "the source states no reason" : stated;
    message.derive("ToolResult/error", "params", "reason");
    if (request != null && request.method().equals(Methods.CALL_TOOL)) {
      ToolResult result =
          ToolResult.of(request.callId(), null).withOutcome(Outcome.cancelled(reason));
      session.emit(result.withMeta(message.meta()), message.record());
    } else if (request != null && request.method().equals(Methods.SAMPLE)) {
      ModelResult result = Sampling.cancelled(request.callId(), reason);
      session.emit(result.withMeta(message.meta()), message.record());
    } else {
      session.keep(message.record(), message.meta());
    }
  }
}
