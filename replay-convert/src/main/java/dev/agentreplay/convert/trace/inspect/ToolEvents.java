package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Writes the calls of tools, and their results, which one event has. */
final class ToolEvents {

  /** The members in which references to attachments are replaced. */
  static final Set<String> USED = Set.of("arguments", "result", "error");

  private final TraceSession session;
  private final PendingResults results;
  private long generated;

  ToolEvents(TraceSession session, PendingResults results) {
    this.session = session;
    this.results = results;
  }

  /** Writes the call, and adds its result unless the call was pending when the log was written. */
  void write(SourceRecord event, Meta meta, Nested nested) throws IOException {
    String id = event.text("id");
    if (id == null || id.isBlank()) {
      id = "tool-" + ++generated;
      event.generate("ToolCall/id", "numbered");
    } else {
      event.move("ToolCall/id", "id");
    }
    String function = event.text("function");
    if (function == null) {
      function = "unknown";
      event.generate("ToolCall/tool", "unknown: the event does not name it");
    } else {
      event.move("ToolCall/tool", "function");
    }
    JsonValue arguments = event.move("ToolCall/params", "arguments");
    ToolCall call = ToolCall.of(id, function, arguments == null ? JsonObject.EMPTY : arguments)
        .withMeta(meta);
    if (event.isTrue("pending")) {
      session.emit(call, event);
      nested.write();
      return;
    }
    session.derive(call, event);
    nested.write();
    JsonValue output = event.move("ToolResult/output", "result");
    ToolResult result = ToolResult.of(id, output == null ? "" : output)
        .withOutcome(outcome(event))
        .withMeta(SampleImport.completed(event, meta, "ToolResult/t"));
    if (output == null) {
      event.generate("ToolResult/output", "empty: the event states none");
    }
    if (result.meta().time() == null) {
      Long millis = SampleImport.millis(event.get("working_time"));
      if (millis != null) {
        event.derive("ToolResult/latency_ms", "working_time");
        result = result.withLatencyMillis(millis);
      }
    }
    results.add(result, event, List.of());
  }

  /** Writes what the event of a tool holds of its own, as in logs before spans. */
  interface Nested {
    void write() throws IOException;
  }

  private static Outcome outcome(SourceRecord event) {
    boolean isFailed = event.isTrue("failed");
    if (isFailed) {
      event.derive("ToolResult/ok", "failed");
    }
    JsonValue error = event.get("error");
    if (error instanceof JsonObject) {
      return failed(event, "ToolResult/error", "error");
    } else if (error != null && !(error instanceof JsonNull)) {
      event.move("ToolResult/error", "error");
      return Outcome.failed("ToolError", error.toString());
    }
    return Outcome.of(!isFailed, null, null);
  }

  /** The outcome of a call whose record has an object with the type and message of an error. */
  static Outcome failed(SourceRecord record, String to, String member) {
    String type = record.text(member, "type");
    String message = record.text(member, "message");
    if (type != null) {
      record.move(to, member, "type");
    }
    if (message != null) {
      record.move(to, member, "message");
    }
    return Outcome.failed(
        Failure.of(type == null ? "ToolError" : type, message == null ? "" : message));
  }
}
