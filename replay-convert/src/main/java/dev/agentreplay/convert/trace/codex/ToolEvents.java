package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.UnnamedCalls;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the calls of tools and their results from the items of the conversation. */
final class ToolEvents {

  private static final Set<String> NOT_PARAMETERS = Set.of("id", "type", "status", "result");

  private final UnnamedCalls unnamed = new UnnamedCalls();
  private final ToolOutcomes outcomes = new ToolOutcomes();

  /** Whether an item of the model is the call of a tool. */
  static boolean isCall(CodexItem item) {
    String type = item.type();
    return type.endsWith("_call")
        || type.equals("command_execution")
        || type.equals("file_change")
        || type.equals("web_search");
  }

  /** The outcomes of calls that events next to the conversation state. */
  ToolOutcomes outcomes() {
    return outcomes;
  }

  ToolCall call(CodexItem item) {
    String id = item.text("call_id");
    id = id == null ? item.text("id") : id;
    item.deriveEach("ToolCall", List.of("call_id", "name", "tool", "arguments", "input", "action"));
    if (id == null || id.isBlank()) {
      item.record().generate("ToolCall/id", "numbered");
      id = unnamed.call(null);
    }
    return ToolCall.of(id, name(item), parameters(item)).withMeta(item.meta());
  }

  private static String name(CodexItem item) {
    for (String name : new String[] {"name", "tool"}) {
      String text = item.text(name);
      if (text != null && item.type().endsWith("_call")) {
        return text;
      }
    }
    String function = item.text("function", "name");
    return function == null ? item.type().replaceFirst("_call$", "") : function;
  }

  /** The parameters; the arguments of a function are the text of a JSON object. */
  private static JsonValue parameters(CodexItem item) {
    for (String name : new String[] {"arguments", "input", "action"}) {
      JsonValue value = item.get(name);
      if (value instanceof JsonString text && name.equals("arguments")) {
        return JsonText.parseOrString(text.value());
      } else if (value != null) {
        return value;
      }
    }
    if (item.text("call_id") != null) {
      return JsonObject.EMPTY;
    }
    JsonObject parameters = item.value().without(NOT_PARAMETERS.toArray(String[]::new));
    return item.type().equals("command_execution")
        ? parameters.without("aggregated_output", "exit_code")
        : parameters;
  }

  /** Returns the image that the call of the generator has, as the result; null if there is none. */
  static @Nullable ToolResult resultInCall(CodexItem item, ToolCall call) {
    String image = item.type().equals("image_generation_call") ? item.text("result") : null;
    return image == null ? null : ToolResult.of(call.id(), image).withMeta(call.meta());
  }

  /** Makes the result of a call from an item of the conversation. */
  ToolResult result(CodexItem item) {
    String id = item.text("call_id");
    if (id == null || id.isBlank()) {
      item.record().generate("ToolResult/id", "that of the first call without result");
      id = unnamed.result(null);
    }
    ToolResult result = ToolResult.of(id, output(item)).withMeta(item.meta());
    item.move("ToolResult/id", "call_id");
    item.derive("ToolResult/outcome", "output");
    return outcomes.complete(result, item.get("output"));
  }

  private static @Nullable JsonValue output(CodexItem item) {
    for (String name : new String[] {"output", "result", "tools"}) {
      if (item.has(name)) {
        return item.move("ToolResult/output", name);
      }
    }
    return null;
  }

  /** Makes the result of a call from the item of a stream that states its completion. */
  ToolResult completed(CodexItem item) {
    String status = item.text("status");
    item.deriveEach("ToolResult/outcome", List.of("status", "exit_code"));
    String id = item.text("id");
    if (id == null || id.isBlank()) {
      item.record().generate("ToolResult/id", "that of the first call without result");
      id = unnamed.result(null);
    }
    JsonValue output = null;
    for (String name : new String[] {"aggregated_output", "result", "error", "agents_states"}) {
      if (output == null && !isNull(item.get(name))) {
        output = item.move("ToolResult/output", name);
      }
    }
    Long exit = item.integer("exit_code");
    Boolean ok = status == null ? null : (Boolean) status.equals("completed");
    return ToolResult.of(id, output)
        .withOutcome(
            Outcome.of(ok, exit != null && exit == exit.intValue() ? exit.intValue() : null, null))
        .withMeta(item.meta());
  }

  private static boolean isNull(@Nullable JsonValue value) {
    return value == null || value == JsonNull.NULL;
  }
}
