package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** The calls of tools of an ATIF step, and the observation with their results. */
final class AtifToolCalls {

  private static final String EXTRA = "extra." + DocumentWriter.KEPT;

  private AtifToolCalls() {}

  static void put(List<Exchange> calls, ExportedSession session, JsonObject.Builder step) {
    List<JsonValue> written = new ArrayList<>();
    List<JsonValue> results = new ArrayList<>();
    for (Exchange call : calls) {
      written.add(call(call));
      List<Lane> agents = session.startedBy(call);
      if (call.end() != null || !agents.isEmpty()) {
        results.add(result(call, agents));
      }
    }
    step.put("tool_calls", JsonArray.copyOf(written));
    if (!results.isEmpty()) {
      step.put("observation", JsonObject.of("results", JsonArray.copyOf(results)));
    }
  }

  private static JsonObject call(Exchange exchange) {
    ExportedEvent event = exchange.begin();
    event.move("tool_calls[].tool_call_id", "id", Names.STEP_ID);
    event.move("tool_calls[].function_name", "tool");
    JsonObject.Builder call = JsonObject.builder()
        .put("tool_call_id", exchange.tool().id())
        .put("function_name", exchange.tool().tool());
    if (event.value() instanceof JsonObject arguments) {
      call.put("arguments", arguments);
      event.move("tool_calls[].arguments", "params");
    } else {
      call.put("arguments", JsonObject.EMPTY);
      event.record().generate("tool_calls[].arguments", "empty: params are not an object");
    }
    return withKept(call, event);
  }

  private static JsonObject result(Exchange exchange, List<Lane> agents) {
    JsonObject.Builder result =
        JsonObject.builder().put("source_call_id", exchange.tool().id());
    ExportedEvent event = exchange.end();
    if (event != null && event.value() != null) {
      if (event.value() instanceof JsonString text) {
        result.put("content", text);
        event.move("observation.results[].content", "output");
      } else {
        result.put("content", event.value().toString());
        event.record().derive("observation.results[].content", "output");
      }
    }
    if (!agents.isEmpty()) {
      List<JsonValue> references = new ArrayList<>();
      for (Lane agent : agents) {
        references.add(JsonObject.of("trajectory_id", agent.agent()));
      }
      result.put("subagent_trajectory_ref", JsonArray.copyOf(references));
    }
    if (event == null) {
      return result.build();
    }
    event.move("observation.results[].source_call_id", "id", Names.STEP_ID);
    return withKept(result, event);
  }

  private static JsonObject withKept(JsonObject.Builder object, ExportedEvent event) {
    JsonObject rest = event.keptIn(EXTRA);
    return (rest.isEmpty() ? object : object.put("extra", JsonObject.of(DocumentWriter.KEPT, rest)))
        .build();
  }
}
