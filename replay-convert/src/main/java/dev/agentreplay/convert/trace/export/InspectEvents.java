package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The events of an Inspect sample. Not safe for use by several threads. */
final class InspectEvents {

  private static final List<String> CONFIG = List.of(
      "temperature",
      Names.TOP_P,
      Names.TOP_K,
      "max_tokens",
      "seed",
      "frequency_penalty",
      "presence_penalty");

  private final ExportedSession session;
  private final List<JsonValue> events = new ArrayList<>();
  private final Map<String, long[]> tokens = new TreeMap<>();
  private final Set<String> begun = new HashSet<>();
  private final JsonArray tools;
  private JsonObject output = JsonObject.of("model", "", "choices", JsonArray.EMPTY);

  InspectEvents(ExportedSession session) {
    this.session = session;
    this.tools = ExportedSession.functions(session.tools("events[].tools"));
    session.exchanges().forEach(this::add);
    for (Lane lane : session.lanes()) {
      if (lane.agent() != null) {
        events.add(begin("span_end", Timestamp.of(session.last()).text(), null)
            .put("id", lane.agent())
            .build());
      }
    }
  }

  JsonArray json() {
    return JsonArray.copyOf(events);
  }

  /** The last output of a model of the main agent. */
  JsonObject output() {
    return output;
  }

  /** The numbers of tokens by the name of the model. */
  JsonObject usage() {
    JsonObject.Builder usage = JsonObject.builder();
    tokens.forEach((model, counts) -> usage.put(model, usage(counts[0], counts[1])));
    return usage.build();
  }

  private static JsonObject usage(long input, long output) {
    return JsonObject.of(
        "input_tokens", input, "output_tokens", output, "total_tokens", input + output);
  }

  private void add(Exchange exchange) {
    String agent = exchange.begin().event().meta().agent();
    if (agent != null && begun.add(agent)) {
      beginSpan(agent, exchange.begin());
    }
    if (exchange.isModel()) {
      events.add(model(exchange));
    } else if (exchange.isTool()) {
      events.add(tool(exchange));
    } else {
      events.add(begin("info", exchange.begin(), agent)
          .put("source", DocumentWriter.KEPT)
          .put("data", exchange.begin().kept())
          .build());
    }
  }

  private void beginSpan(String agent, ExportedEvent first) {
    JsonObject.Builder span = begin("span_begin", Timestamp.of(first.time()).text(), null)
        .put("id", agent)
        .put("type", "agent")
        .put("name", agent);
    for (Lane lane : session.lanes()) {
      String parent = lane.parent() == null || !agent.equals(lane.agent())
          ? null
          : lane.parent().begin().event().meta().agent();
      if (parent != null) {
        span.put("parent_id", parent);
      }
    }
    first.record().derive("events[].span_id", Names.AGENT);
    events.add(span.build());
  }

  private JsonObject.Builder begin(String type, ExportedEvent event, @Nullable String span) {
    String stated = event.timeText();
    if (stated == null) {
      return begin(type, Timestamp.of(event.time("events[].timestamp")).text(), span);
    }
    event.moveTime("events[].timestamp");
    JsonObject.Builder begun = begin(type, stated, span);
    return begun.put("working_start", seconds(Duration.between(session.first(), event.time())));
  }

  private static JsonObject.Builder begin(String type, String time, @Nullable String span) {
    JsonObject.Builder event = JsonObject.builder().put("timestamp", time);
    if (span != null) {
      event.put("span_id", span);
    }
    return event.put("event", type);
  }

  /** A duration in seconds, with its milliseconds; 0 if it is negative. */
  private static JsonNumber seconds(Duration duration) {
    return duration.isNegative()
        ? JsonNumber.of(0)
        : JsonNumber.of(BigDecimal.valueOf(duration.toMillis(), 3));
  }

  private static void putCompleted(JsonObject.Builder event, Exchange exchange) {
    ExportedEvent end = exchange.end();
    if (end == null) {
      event.put("pending", true);
      return;
    }
    if (end.timeText() != null) {
      event.put("completed", end.timeText());
      end.moveTime("events[].completed");
    }
    Long millis = end.event().latencyMillis();
    if (millis != null) {
      event.put("working_time", JsonNumber.of(BigDecimal.valueOf(millis, 3)));
      end.record().derive("events[].working_time", Names.LATENCY_MS);
    }
  }

  private JsonObject model(Exchange exchange) {
    ExportedEvent begin = exchange.begin();
    String agent = begin.event().meta().agent();
    String model = exchange.model().model();
    String name = model == null ? "unknown" : model;
    begin.move("events[].model", "model");
    PromptParts prompt = PromptParts.of(begin);
    JsonObject.Builder event = begin("model", begin, agent)
        .put("model", name)
        .put("input", JsonArray.copyOf(InspectMessages.prompt(begin)))
        .put("tools", InspectTools.of(prompt.tools() == null ? tools : prompt.tools()))
        .put("tool_choice", "auto")
        .put("config", config(begin));
    begin.record().generate("events[].tool_choice", "auto");
    if (begin.value() != null) {
      PromptParts.transform(begin, "events[].input");
    }
    JsonObject answer = output(exchange, name);
    event.put("output", answer);
    if (agent == null) {
      output = answer;
    }
    ModelResult result = exchange.modelResult();
    if (result != null && result.finish().error() != null && exchange.end() != null) {
      String message = result.finish().error().message();
      event.put("error", message == null ? "unknown" : message);
      exchange.end().record().derive("events[].error", "error");
    }
    putCompleted(event, exchange);
    putMetadata(event, exchange, prompt);
    return event.build();
  }

  private static void putMetadata(JsonObject.Builder event, Exchange exchange, PromptParts prompt) {
    JsonObject.Builder kept = InspectWriter.kept(exchange);
    JsonObject rest = prompt.more();
    if (prompt.tools() != null) {
      rest = rest.with("tools", prompt.tools());
    }
    if (!rest.isEmpty()) {
      kept.put("prompt", rest);
    }
    event.put("metadata", JsonObject.of(DocumentWriter.KEPT, kept.build()));
  }

  private static JsonObject config(ExportedEvent call) {
    JsonObject.Builder config = JsonObject.builder();
    for (String name : CONFIG) {
      if (call.record().get("parameters", name) instanceof JsonNumber number) {
        config.put(name, number);
        call.record().move("events[].config." + name, "parameters", name);
      }
    }
    return config.build();
  }

  private JsonObject output(Exchange exchange, String model) {
    ModelResult result = exchange.modelResult();
    ExportedEvent end = exchange.end();
    JsonObject.Builder answer = JsonObject.builder().put("model", model);
    if (result == null || end == null) {
      return answer.put("choices", JsonArray.EMPTY).build();
    }
    List<JsonValue> choices = new ArrayList<>();
    if (end.value() != null) {
      List<JsonValue> messages =
          InspectMessages.of(ChatMessage.of(end.value(), "assistant"), "generate");
      JsonObject last = messages.get(messages.size() - 1).asObject();
      if (messages.size() == 1 && "assistant".equals(last.at("/role").asString())) {
        choices.add(JsonObject.of(
            "message",
            last,
            "stop_reason",
            InspectTools.stopReason(result.finish().reason())));
        end.record().transform("events[].output", "answer");
      }
    }
    end.record().derive("events[].output.choices[].stop_reason", Names.FINISH_REASON);
    answer.put("choices", JsonArray.copyOf(choices));
    Long input = result.tokens().input();
    Long output = result.tokens().output();
    if (input != null || output != null) {
      long in = input == null ? 0 : input;
      long out = output == null ? 0 : output;
      answer.put("usage", usage(in, out));
      end.move("events[].output.usage.input_tokens", Names.TOKENS_IN);
      end.move("events[].output.usage.output_tokens", Names.TOKENS_OUT);
      long[] sum = tokens.computeIfAbsent(model, any -> new long[2]);
      sum[0] += in;
      sum[1] += out;
    }
    return answer.build();
  }

  private JsonObject tool(Exchange exchange) {
    ExportedEvent begin = exchange.begin();
    begin.move("events[].id", "id", Names.STEP_ID);
    begin.move("events[].function", "tool");
    JsonObject.Builder event = begin("tool", begin, begin.event().meta().agent())
        .put("type", "function")
        .put("id", exchange.tool().id())
        .put("function", exchange.tool().tool())
        .put("arguments", InspectMessages.arguments(begin.value()));
    if (begin.value() != null) {
      begin.move("events[].arguments", "params");
    }
    ExportedEvent end = exchange.end();
    ToolResult result = exchange.toolResult();
    if (result != null && end != null) {
      end.move("events[].id", "id", Names.STEP_ID);
      putResult(event, result, end);
    } else {
      event.put("result", "");
    }
    for (Lane lane : session.startedBy(exchange)) {
      event.addIfAbsent("agent_span_id", JsonValue.of(lane.agent()));
    }
    putCompleted(event, exchange);
    event.put("events", JsonArray.EMPTY);
    event.put(
        "metadata",
        JsonObject.of(DocumentWriter.KEPT, InspectWriter.kept(exchange).build()));
    return event.build();
  }

  private static void putResult(JsonObject.Builder event, ToolResult result, ExportedEvent end) {
    if (end.value() == null) {
      event.put("result", "");
    } else {
      event.put("result", MessagePart.text(end.value()));
      end.moveText("events[].result");
    }
    if (SpanWriter.isFailed(result.outcome())) {
      Failure failure = result.outcome().error();
      String message = failure == null || failure.message() == null ? "" : failure.message();
      boolean isTimeout = failure != null && Failure.TIMEOUT.equals(failure.name());
      event.put(
          "error", JsonObject.of("type", isTimeout ? "timeout" : "unknown", "message", message));
      end.record().derive("events[].error", "error");
    }
  }
}
