package dev.agentreplay.springai;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.StructuredOutputChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * The portable options of model calls, with the names that most providers use. Options of a single
 * provider are not part of Spring AI's interface. A number that an event cannot represent is
 * recorded as text.
 */
final class ParametersJson {

  private static final String TEMPERATURE = "temperature";
  private static final String MAX_TOKENS = "max_tokens";
  private static final String STOP = "stop";
  private JsonObject json = JsonObject.EMPTY;

  private ParametersJson() {}

  /** The options that are set. */
  static Parameters of(EventTexts text, @Nullable ChatOptions options) {
    if (options == null) {
      return Parameters.NONE;
    }
    ParametersJson parameters = new ParametersJson();
    parameters.add(TEMPERATURE, options.getTemperature());
    parameters.add(Names.TOP_P, options.getTopP());
    parameters.add(Names.TOP_K, options.getTopK());
    parameters.add(Names.FREQUENCY_PENALTY, options.getFrequencyPenalty());
    parameters.add(Names.PRESENCE_PENALTY, options.getPresencePenalty());
    parameters.add(MAX_TOKENS, options.getMaxTokens());
    List<String> stop = options.getStopSequences();
    if (stop != null && !stop.isEmpty()) {
      parameters.add(STOP, text.value("/parameters/stop", stop));
    }
    if (options instanceof StructuredOutputChatOptions structured) {
      String schema = structured.getOutputSchema();
      if (schema != null) {
        parameters.add(Names.RESPONSE_FORMAT, format(text, schema));
      }
    }
    return new Parameters(parameters.json);
  }

  private static JsonObject format(EventTexts text, String schema) {
    String pointer = "/parameters/response_format/json_schema/schema";
    JsonValue value = JsonText.parseOrString(text.at(pointer, schema));
    return JsonObject.of(
        MessageJson.TYPE, Names.JSON_SCHEMA, Names.JSON_SCHEMA, JsonObject.of("schema", value));
  }

  private void add(String name, @Nullable Object value) {
    if (value instanceof Number number && !isRecordable(name, number.doubleValue())) {
      json = json.with(name, number.toString());
    } else if (value != null) {
      json = json.with(name, value);
    }
  }

  /** Whether JSON, which has no NaN and no infinity, and {@link EventRules} allow a number. */
  private static boolean isRecordable(String name, double number) {
    boolean isRanged = name.equals(TEMPERATURE) || name.equals(MAX_TOKENS);
    return Double.isFinite(number) && (number >= 0 || !isRanged);
  }

  /**
   * A prompt whose temperature, top-p and top-k are those of a replay, as far as the prompt states
   * them. An option that is not stated is not added: a model may refuse it.
   */
  static Prompt sampled(Prompt prompt, Parameters replayed) {
    ChatOptions stated = prompt.getOptions();
    if (stated == null || sampling(of(new EventTexts(), stated)).equals(sampling(replayed))) {
      return prompt;
    }
    JsonObject json = replayed.json();
    ChatOptions.Builder<?> options;
    try {
      options = stated.mutate();
    } catch (NoSuchMethodError e) {
      return prompt; // the options of Spring AI 1.1 cannot be changed
    }
    if (stated.getTemperature() != null) {
      options.temperature(number(json.get(TEMPERATURE)));
    }
    if (stated.getTopP() != null) {
      options.topP(number(json.get(Names.TOP_P)));
    }
    if (stated.getTopK() != null) {
      options.topK(count(json.get(Names.TOP_K)));
    }
    return new Prompt(prompt.getInstructions(), options.build());
  }

  private static JsonObject sampling(Parameters parameters) {
    JsonObject sampling = JsonObject.EMPTY;
    for (String name : List.of(TEMPERATURE, Names.TOP_P, Names.TOP_K)) {
      JsonValue value = parameters.json().get(name);
      sampling = value == null ? sampling : sampling.with(name, value);
    }
    return sampling;
  }

  /**
   * The recorded options as those of a model. A schema of answers is left out, because the caller
   * of the chat client determines it.
   *
   * @param model the name of the model; null if it has none
   */
  static ChatOptions restored(@Nullable String model, JsonObject parameters) {
    ToolCallingChatOptions.Builder<?> restored = ToolCallingChatOptions.builder();
    restored.model(model);
    restored.temperature(number(parameters.get(TEMPERATURE)));
    restored.topP(number(parameters.get(Names.TOP_P)));
    restored.topK(count(parameters.get(Names.TOP_K)));
    restored.frequencyPenalty(number(parameters.get(Names.FREQUENCY_PENALTY)));
    restored.presencePenalty(number(parameters.get(Names.PRESENCE_PENALTY)));
    restored.maxTokens(count(parameters.get(MAX_TOKENS)));
    if (parameters.get(STOP) instanceof JsonArray sequences) {
      List<String> stop = new ArrayList<>();
      sequences.forEach(sequence -> stop.add(sequence.asString()));
      restored.stopSequences(stop);
    }
    return restored.build();
  }

  private static @Nullable Double number(@Nullable JsonValue value) {
    if (value instanceof JsonString text) { // one that an event cannot represent
      return Double.valueOf(text.value());
    }
    return value instanceof JsonNumber number ? (Double) number.asDouble() : null;
  }

  private static @Nullable Integer count(@Nullable JsonValue value) {
    Double number = number(value);
    return number == null ? null : (Integer) number.intValue();
  }
}
