package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the results of tools: observations, rejections by the user, errors of the agent. */
final class ResultEvents {

  private static final String OBSERVATION = "observation";

  private final TraceSession session;
  private final PromptView view;

  ResultEvents(TraceSession session, PromptView view) {
    this.session = session;
    this.view = view;
  }

  void write(SourceRecord event) throws IOException {
    String id = event.text(Names.TOOL_CALL_ID);
    if (id == null || id.isBlank()) {
      session.keep(event, EventImport.meta(event));
      return;
    }
    event.move("ToolResult/id", Names.TOOL_CALL_ID);
    ToolResult result =
        switch (event.type()) {
          case "UserRejectObservation" -> failed(event, id, "rejection_reason");
          case "AgentErrorEvent" -> failed(event, id, "error");
          default -> observed(event, id);
        };
    session.emit(result.withMeta(EventImport.meta(event)), event);
  }

  private ToolResult failed(SourceRecord event, String id, String member) {
    String message = String.valueOf(event.text(member));
    event.move("ToolResult/error/message", member);
    addMessage(event, id, JsonArray.of(JsonObject.of("text", message, "type", "text")));
    return ToolResult.of(id, null).withOutcome(Outcome.failed(Failure.of(event.type(), message)));
  }

  private ToolResult observed(SourceRecord event, String id) {
    JsonValue content = event.get(OBSERVATION, "content");
    if (content instanceof JsonArray parts) {
      List<JsonValue> all = new ArrayList<>(parts.values());
      all.addAll(event.array("extended_content").values());
      content = JsonArray.copyOf(all);
    }
    addMessage(event, id, content == null ? event.get(OBSERVATION) : content);
    event.derive("ModelCall/prompt", OBSERVATION, "content");
    Boolean isError = event.get(OBSERVATION, "is_error") instanceof JsonBoolean error
        ? (Boolean) error.value()
        : null;
    Outcome outcome = Outcome.of(isError == null ? null : !isError, exitCode(event), null);
    event.derive("ToolResult/ok", OBSERVATION, "is_error");
    JsonValue output = event.move("ToolResult/output", OBSERVATION);
    return ToolResult.of(id, output).withOutcome(outcome);
  }

  private static @Nullable Integer exitCode(SourceRecord event) {
    Long code = event.integer(OBSERVATION, "exit_code");
    if (code == null || code != code.intValue()) {
      return null;
    }
    event.derive("ToolResult/exit_code", OBSERVATION, "exit_code");
    return code.intValue();
  }

  private void addMessage(SourceRecord event, String id, @Nullable JsonValue content) {
    view.add(
        EventImport.ids(event),
        JsonObject.of(
            "content",
            content,
            "name",
            event.get("tool_name"),
            "role",
            "tool",
            Names.TOOL_CALL_ID,
            id));
  }
}
