package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.span.ModelFacts;
import dev.agentreplay.convert.trace.span.ModelFacts.Ending;
import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request to a model: its name, its parameters, and how it ended. */
final class ModelAttributes {

  private static final String[] MODEL = {
    "gen_ai.request.model",
    "llm.model_name",
    "ai.model.id",
    "gen_ai.response.model",
    "ai.response.model"
  };
  private static final String[] RESPONSE_ID = {"gen_ai.response.id", "ai.response.id"};
  private static final String REQUEST = "gen_ai.request.";
  private static final String SETTINGS = "ai.settings.";
  private static final String INVOCATION = "llm.invocation_parameters";
  private static final String[] FINISH = {
    "gen_ai.response.finish_reasons",
    "ai.response.finishReason",
    "llm.finish_reason",
    "gen_ai.completion.0.finish_reason",
    "llm.response.finish_reason"
  };

  /** The parameters that have a type here. */
  private static final Set<String> NUMBERS =
      Set.of("temperature", "max_tokens", "seed", Names.TOP_P, Names.TOP_K);

  private static final Map<String, String> NAMES = Map.of(
      "maxTokens", "max_tokens",
      "maxOutputTokens", "max_tokens",
      "topP", Names.TOP_P,
      "topK", Names.TOP_K,
      "temperature", "temperature",
      "seed", "seed");

  private ModelAttributes() {}

  static ModelFacts take(SpanRecord span) {
    String modelAt = span.firstText(MODEL);
    String model = span.text(MODEL);
    if (modelAt != null) {
      span.move("ModelCall/model", modelAt);
    }
    JsonObject parameters = parameters(span);
    ModelFacts.Prompt prompt = PromptAttributes.take(span);
    JsonValue answer = AnswerAttributes.take(span);
    return new ModelFacts(
        model, parameters, prompt, answer, UsageAttributes.take(span), ending(span, answer));
  }

  private static JsonObject parameters(SpanRecord span) {
    Map<String, JsonValue> parameters = new LinkedHashMap<>();
    String to = "ModelCall/parameters";
    if (SpanRecord.parsed(span.get(INVOCATION)) instanceof JsonObject stated
        && stated.toMap().entrySet().stream()
            .allMatch(entry -> isParameter(entry.getKey(), entry.getValue()))) {
      span.moveJson(to, INVOCATION);
      stated.forEach(parameters::put);
    }
    span.prefixed(REQUEST).forEach((name, value) -> {
      if (!name.equals("model") && isParameter(name, value) && !parameters.containsKey(name)) {
        span.move(to, REQUEST + name);
        parameters.put(name, value);
      }
    });
    span.prefixed(SETTINGS).forEach((stated, value) -> {
      String name = NAMES.get(stated);
      if (name != null && isParameter(name, value) && !parameters.containsKey(name)) {
        span.move(to, SETTINGS + stated);
        parameters.put(name, value);
      }
    });
    JsonObject.Builder object = JsonObject.builder();
    parameters.forEach(object::add);
    return object.build();
  }

  private static boolean isParameter(String name, JsonValue value) {
    return !NUMBERS.contains(name) || value instanceof JsonNumber;
  }

  private static Ending ending(SpanRecord span, @Nullable JsonValue answer) {
    String reason = null;
    for (String name : FINISH) {
      String stated = first(SpanRecord.parsed(span.get(name)));
      if (reason == null && stated != null) {
        reason = stated;
        span.derive("ModelResult/finish_reason", name);
      }
    }
    if (reason == null) {
      JsonValue first =
          answer instanceof JsonArray choices && choices.size() > 0 ? choices.get(0) : answer;
      reason = first instanceof JsonObject message ? first(message.get("finish_reason")) : null;
    }
    if (reason == null) {
      reason = ofChoice(span);
    }
    String responseAt = span.firstText(RESPONSE_ID);
    String response = span.text(RESPONSE_ID);
    if (responseAt != null) {
      span.move("ModelResult/" + Names.RESPONSE_ID, responseAt);
    }
    Failure failure = Failures.take(span, "ModelResult/error");
    return new Ending(reason, response, failure);
  }

  /** The reason that the event of an answer states. */
  private static @Nullable String ofChoice(SpanRecord span) {
    for (Span.Event event : span.span().events()) {
      String reason = first(event.attributes().get("finish_reason"));
      if (event.name().equals("gen_ai.choice") && reason != null) {
        span.record().derive("ModelResult/finish_reason", "events");
        return reason;
      }
    }
    return null;
  }

  private static @Nullable String first(@Nullable JsonValue value) {
    JsonValue first =
        value instanceof JsonArray array ? array.size() == 0 ? null : array.get(0) : value;
    return first instanceof JsonString text && !text.value().isBlank() ? text.value() : null;
  }
}
