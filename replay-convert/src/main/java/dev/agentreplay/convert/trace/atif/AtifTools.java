package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the calls of tools in one trajectory, and what the tools returned. */
final class AtifTools {

  private static final String CALL = "source_call_id";

  private final AtifContext context;
  private final TraceSession session;
  private final @Nullable KeptEvents kept;
  private final OtherEvents others;
  private final AtifImport.Subagents subagents;
  private final Conversation conversation;

  AtifTools(
      AtifContext context,
      OtherEvents others,
      AtifImport.Subagents subagents,
      Conversation conversation) {
    this.context = context;
    this.session = context.session();
    this.kept = context.kept();
    this.others = others;
    this.subagents = subagents;
    this.conversation = conversation;
  }

  /** Writes the calls of a step, and what the tools returned. */
  void write(List<SourceRecord> calls, List<SourceRecord> results, Meta meta) throws IOException {
    Deque<SourceRecord> left = new ArrayDeque<>(results);
    Set<String> called = new HashSet<>();
    Instant last = Instant.MAX;
    for (SourceRecord call : calls) {
      Instant time = time(call, meta);
      while (kept != null
          && !left.isEmpty()
          && called.contains(String.valueOf(left.element().text(CALL)))
          && isBefore(left.element(), time, last, meta)) {
        result(left.remove(), meta); // the calls were not parallel
      }
      call(call, meta);
      called.add(String.valueOf(call.text(Names.TOOL_CALL_ID)));
      last = time;
    }
    for (SourceRecord result : left) {
      result(result, meta);
    }
  }

  /** Whether a result was there before a call, as its time tells, or the order of the calls. */
  private boolean isBefore(SourceRecord result, Instant call, Instant lastCall, Meta meta) {
    Instant time = time(result, meta);
    return time.isBefore(call) || (time.equals(call) && lastCall.isBefore(call));
  }

  private Instant time(SourceRecord record, Meta meta) {
    Timestamp own = kept == null ? null : kept.ownTime(record);
    Timestamp time = own == null ? meta.time() : own;
    return time == null ? Instant.MAX : time.instant();
  }

  private void call(SourceRecord call, Meta meta) throws IOException {
    String tool = call.text("function_name");
    if (tool == null) {
      session.fault(
          new SourceFault(Kind.CONTRADICTION, call.place(), "a tool call does not name its tool"));
      session.keep(call, meta);
      return;
    }
    String id = call.text(Names.TOOL_CALL_ID);
    if (id == null || id.isBlank()) {
      call.generate("ToolCall/id", "numbered");
      id = context.ids().unused("call");
    } else {
      call.move("ToolCall/id", Names.TOOL_CALL_ID);
    }
    call.move("ToolCall/tool", "function_name");
    JsonValue arguments = call.move("ToolCall/params", "arguments");
    ReplayEvent restored = kept == null || !KeptEvents.has(call)
        ? null
        : kept.takeOwn(
            call,
            EventKind.TOOL_CALL,
            kept.known(meta, "id", id, "params", arguments, "tool", tool));
    ReplayEvent event = restored != null
        ? restored
        : ToolCall.of(id, tool, arguments == null ? JsonObject.EMPTY : arguments)
            .withMeta(meta);
    others.writeBefore(event);
    session.emit(event, call);
  }

  /** Writes what a tool, or the environment, returned; before it the agents that it names. */
  private void result(SourceRecord result, Meta meta) throws IOException {
    String call = result.text(CALL);
    for (JsonValue reference : result.array("subagent_trajectory_ref")) {
      if (reference instanceof JsonObject object) {
        subagents.write(object, call, result.place());
      }
    }
    addResult(result.json());
    result.derive("ModelCall/prompt", "content");
    if (call == null || call.isBlank() || (kept != null && !KeptEvents.has(result))) {
      session.keep(result, meta); // of no call, such as a summary
    } else if (kept != null) {
      restore(kept, result, call, meta);
    } else {
      result.move("ToolResult/id", CALL);
      JsonValue content = result.move("ToolResult/output", "content");
      session.emit(ToolResult.of(call, content).withMeta(meta), result);
    }
  }

  private void restore(KeptEvents kept, SourceRecord result, String call, Meta meta)
      throws IOException {
    result.move("ToolResult/id", CALL);
    JsonValue content = result.move("ToolResult/output", "content");
    ReplayEvent restored = kept.takeOwn(
        result, EventKind.TOOL_RESULT, kept.known(meta, "id", call, "output", content));
    ReplayEvent event = restored == null ? ToolResult.of(call, content).withMeta(meta) : restored;
    others.writeBefore(event);
    session.emit(event, result);
  }

  /** Adds a result to the conversation. */
  void addResult(JsonObject result) {
    JsonValue content = result.get("content");
    if (content == null || content == JsonNull.NULL) {
      return;
    }
    JsonValue call = result.get(CALL);
    conversation.add(
        call instanceof JsonString
            ? JsonObject.of("content", content, "role", "tool", Names.TOOL_CALL_ID, call)
            : JsonObject.of("content", content, "role", "user"));
  }
}
