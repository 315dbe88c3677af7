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
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the calls of tools in one trajectory, and what the tools returned. */
final class AtifTools {

  private static final String CALL = "source_call_id";

  private final AtifContext context;
  private final TraceSession session;
  private final @Nullable KeptEvents kept;
  private final AtifImport.Subagents subagents;
  private final Conversation conversation;

  AtifTools(AtifContext context, AtifImport.Subagents subagents, Conversation conversation) {
    this.context = context;
    this.session = context.session();
    this.kept = context.kept();
    this.subagents = subagents;
    this.conversation = conversation;
  }

  /** Writes a call. */
  void call(SourceRecord call, Meta meta) throws IOException {
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
    session.emit(
        restored != null
            ? restored
            : ToolCall.of(id, tool, arguments == null ? JsonObject.EMPTY : arguments)
                .withMeta(meta),
        call);
  }

  /** Writes what the tools, or the environment, returned; before it the agents that it names. */
  void results(List<SourceRecord> results, Meta meta) throws IOException {
    for (SourceRecord result : results) {
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
        restoreToolResult(kept, result, call, meta);
      } else {
        result.move("ToolResult/id", CALL);
        JsonValue content = result.move("ToolResult/output", "content");
        session.emit(ToolResult.of(call, content).withMeta(meta), result);
      }
    }
  }

  private void restoreToolResult(KeptEvents kept, SourceRecord result, String call, Meta meta)
      throws IOException {
    result.move("ToolResult/id", CALL);
    JsonValue content = result.move("ToolResult/output", "content");
    ReplayEvent restored = kept.takeOwn(
        result, EventKind.TOOL_RESULT, kept.known(meta, "id", call, "output", content));
    session.emit(restored == null ? ToolResult.of(call, content).withMeta(meta) : restored, result);
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
