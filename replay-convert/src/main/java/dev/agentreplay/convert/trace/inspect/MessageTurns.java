package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the turns of a sample whose log has no events of models and tools, from the messages of
 * its conversation.
 */
final class MessageTurns {

  private final TraceSession session;
  private final Records records;
  private final @Nullable String model;
  private final Conversation conversation;
  private long answers;
  private long unnamed;

  MessageTurns(TraceSession session, Records records, @Nullable String model) {
    this.session = session;
    this.records = records;
    this.model = model;
    this.conversation = session.conversation(null);
  }

  void write(List<Part> messages) throws IOException {
    for (Part part : messages) {
      SourceRecord message = records.create(part, "message");
      String role = message.text("role");
      if ("assistant".equals(role) && !"input".equals(message.text("source"))) {
        writeAnswer(message);
      } else if ("tool".equals(role)) {
        writeResult(message);
      } else {
        message.derive("ModelCall/prompt/messages", "content");
        conversation.add(Prompts.shown(message.json()));
        if ("user".equals(role)) {
          session.message(message, Meta.NONE);
        } else {
          session.keep(message);
        }
      }
    }
  }

  private void writeAnswer(SourceRecord message) throws IOException {
    String id = message.text("id");
    if (id == null || id.isBlank()) {
      id = "answer-" + ++answers;
      message.generate("ModelCall/id", "numbered");
    } else {
      message.move("ModelCall/id", "id");
    }
    String stated = message.text("model");
    if (stated != null) {
      message.move("ModelCall/model", "model");
    }
    ModelCall call = conversation.call(
        id, stated == null ? model : stated, ModelCall.Parameters.NONE, Meta.NONE);
    session.derive(call, message);
    JsonValue answer = Prompts.shown(message.json());
    for (String name : answer.asObject().names()) {
      message.move("ModelResult/answer", name);
    }
    List<ToolCall> calls = calls(message);
    session.emit(ModelResult.of(id, null).withAnswer(Content.of(answer)), message);
    conversation.add(answer);
    for (ToolCall tool : calls) {
      session.emit(tool, message);
    }
  }

  private List<ToolCall> calls(SourceRecord message) {
    List<ToolCall> calls = new ArrayList<>();
    for (JsonValue value : message.array("tool_calls")) {
      JsonObject call = Records.object(value);
      String id = text(call, "id");
      String function = text(call, "function");
      if (function != null) {
        JsonValue arguments = call.get("arguments");
        calls.add(ToolCall.of(
            id == null ? "call-" + ++unnamed : id,
            function,
            arguments == null ? JsonObject.EMPTY : arguments));
      }
    }
    if (!calls.isEmpty()) {
      message.derive("ToolCall", "tool_calls");
    }
    return calls;
  }

  private static @Nullable String text(JsonObject object, String name) {
    return SourceHead.text(object, name);
  }

  private void writeResult(SourceRecord message) throws IOException {
    conversation.add(Prompts.shown(message.json()));
    message.derive("ModelCall/prompt/messages", "content");
    String id = message.text("tool_call_id");
    if (id == null || id.isBlank()) {
      id = "result-" + ++unnamed;
      message.generate("ToolResult/id", "numbered: the message names no call");
    } else {
      message.move("ToolResult/id", "tool_call_id");
    }
    JsonValue output = message.move("ToolResult/output", "content");
    Outcome outcome = message.get("error") instanceof JsonObject
        ? ToolEvents.failed(message, "ToolResult/error", "error")
        : Outcome.OK;
    session.emit(ToolResult.of(id, output == null ? "" : output).withOutcome(outcome), message);
  }
}
