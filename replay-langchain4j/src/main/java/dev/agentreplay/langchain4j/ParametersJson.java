package dev.agentreplay.langchain4j;

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
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The common parameters of model requests in LangChain4j, with the names that most providers use.
 * Parameters of a single provider are not part of LangChain4j's interface. A number that an event
 * cannot represent is recorded as text.
 */
final class ParametersJson {

  private static final String TEMPERATURE = "temperature";
  private static final String MAX_TOKENS = "max_tokens";
  private static final String STOP = "stop";
  private static final String TOOL_CHOICE = "tool_choice";
  private static final String TYPE = "type";

  private JsonObject json = JsonObject.EMPTY;

  private ParametersJson() {}

  /** The parameters of a request that are set. */
  static Parameters of(EventTexts text, ChatRequestParameters stated) {
    ParametersJson parameters = new ParametersJson();
    parameters.add(TEMPERATURE, stated.temperature());
    parameters.add(Names.TOP_P, stated.topP());
    parameters.add(Names.TOP_K, stated.topK());
    parameters.add(Names.FREQUENCY_PENALTY, stated.frequencyPenalty());
    parameters.add(Names.PRESENCE_PENALTY, stated.presencePenalty());
    parameters.add(MAX_TOKENS, stated.maxOutputTokens());
    parameters.add(STOP, stop(text, stated.stopSequences()));
    parameters.add(TOOL_CHOICE, stated.toolChoice());
    parameters.add(Names.RESPONSE_FORMAT, format(text, stated.responseFormat()));
    return new Parameters(parameters.json);
  }

  private void add(String name, @Nullable Object value) {
    if (value instanceof Enum<?> constant) {
      json = json.with(name, lowerCase(constant));
    } else if (value instanceof Number number && !isRecordable(name, number.doubleValue())) {
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

  /** The name of a constant in the spelling of most providers, such as "tool_execution". */
  static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable JsonArray stop(EventTexts text, @Nullable List<String> sequences) {
    if (sequences == null || sequences.isEmpty()) {
      return null;
    }
    List<JsonValue> values = new ArrayList<>(sequences.size());
    for (int i = 0; i < sequences.size(); i++) {
      values.add(JsonValue.of(text.at("/parameters/stop/" + i, sequences.get(i))));
    }
    return JsonArray.copyOf(values);
  }

  private static @Nullable JsonObject format(EventTexts text, @Nullable ResponseFormat format) {
    if (format == null) {
      return null;
    }
    JsonObject type = JsonObject.of(TYPE, lowerCase(format.type()));
    JsonSchema schema = format.jsonSchema();
    return schema == null ? type : type.with(Names.JSON_SCHEMA, schema(text, schema));
  }

  private static JsonObject schema(EventTexts text, JsonSchema schema) {
    // LangChain4j only serializes a schema as a parameter of a tool
    String json = ToolSpecification.builder()
        .name("schema")
        .parameters(JsonObjectSchema.builder()
            .addProperty("schema", schema.rootElement())
            .build())
        .build()
        .toJson();
    String pointer = "/parameters/response_format/json_schema";
    JsonValue value =
        JsonText.parse(EventTexts.wellFormed(json)).at("/parameters/properties/schema");
    JsonObject named = schema.name() == null
        ? JsonObject.EMPTY
        : JsonObject.of("name", text.at(pointer + "/name", schema.name()));
    if (!EventTexts.isWellFormed(json)) {
      text.keepExact(pointer + "/schema", json);
    }
    return named.with("schema", value);
  }

  /** Whether recorded parameters have the schema of an answer. */
  static boolean hasSchema(JsonObject parameters) {
    return parameters.get(Names.RESPONSE_FORMAT) instanceof JsonObject format
        && format.has(Names.JSON_SCHEMA);
  }

  /**
   * A request whose temperature, top-p and top-k are those of a replay, as far as the request or
   * the defaults of the model state them. What is not stated is not added: a model may refuse it.
   */
  static ChatRequest sampled(
      ChatRequest request, ChatRequestParameters defaults, Parameters replayed) {
    ChatRequestParameters stated = defaults.overrideWith(request.parameters());
    JsonObject json = replayed.json();
    ChatRequestParameters sampling = DefaultChatRequestParameters.builder()
        .temperature(stated.temperature() == null ? null : number(json.get(TEMPERATURE)))
        .topP(stated.topP() == null ? null : number(json.get(Names.TOP_P)))
        .topK(stated.topK() == null ? null : count(json.get(Names.TOP_K)))
        .build();
    return sampling.equals(DefaultChatRequestParameters.EMPTY)
        ? request
        : request.toBuilder()
            .parameters(request.parameters().overrideWith(sampling))
            .build();
  }

  /**
   * The recorded parameters as those of a model. A schema of answers is left out, because the
   * method of the service determines it.
   *
   * @param model the name of the model; null if it has none
   */
  static ChatRequestParameters restored(@Nullable String model, JsonObject parameters) {
    DefaultChatRequestParameters.Builder<?> restored = DefaultChatRequestParameters.builder()
        .modelName(model)
        .temperature(number(parameters.get(TEMPERATURE)))
        .topP(number(parameters.get(Names.TOP_P)))
        .topK(count(parameters.get(Names.TOP_K)))
        .frequencyPenalty(number(parameters.get(Names.FREQUENCY_PENALTY)))
        .presencePenalty(number(parameters.get(Names.PRESENCE_PENALTY)))
        .maxOutputTokens(count(parameters.get(MAX_TOKENS)));
    if (parameters.get(STOP) instanceof JsonArray sequences) {
      List<String> stop = new ArrayList<>();
      sequences.forEach(sequence -> stop.add(sequence.asString()));
      restored.stopSequences(stop);
    }
    restored.toolChoice(constant(ToolChoice.values(), parameters.get(TOOL_CHOICE)));
    if (parameters.get(Names.RESPONSE_FORMAT) instanceof JsonObject format
        && !format.has(Names.JSON_SCHEMA)) {
      ResponseFormatType type = constant(ResponseFormatType.values(), format.get(TYPE));
      restored.responseFormat(
          type == null ? null : ResponseFormat.builder().type(type).build());
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

  private static <E extends Enum<E>> @Nullable E constant(E[] known, @Nullable JsonValue value) {
    for (E constant : known) {
      if (value instanceof JsonString text && lowerCase(constant).equals(text.value())) {
        return constant;
      }
    }
    return null;
  }
}
