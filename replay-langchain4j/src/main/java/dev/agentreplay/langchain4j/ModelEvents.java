package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import org.jspecify.annotations.Nullable;

/** Creates the events of model requests and responses. */
final class ModelEvents {

  /** The place of the answer in the event of a response. */
  static final String ANSWER = "/answer";

  /** The member with the model that answered, and its place in an event. */
  static final String MODEL = "model";

  static final String MODEL_PLACE = "/model";

  static final String RESPONSE_ID_PLACE = "/" + Names.RESPONSE_ID;

  /** The member with the class of parameters, and that with the provider of a model. */
  static final String PARAMETERS_TYPE = "parameters_type";

  static final String PROVIDER = "provider";

  private ModelEvents() {}

  /** Creates the event of a request. */
  static ModelCall call(String id, ChatRequest request, ModelDefaults model, MessageJson json) {
    ChatRequestParameters defaults = model.parameters();
    ChatRequestParameters parameters =
        defaults == null ? request.parameters() : defaults.overrideWith(request.parameters());
    EventTexts text = new EventTexts();
    Prompt prompt = json.prompt(text, request.messages(), parameters.toolSpecifications());
    if (parameters.getClass() != DefaultChatRequestParameters.class) {
      text.add(
          PARAMETERS_TYPE,
          parameters instanceof RecordedParameters recorded
              ? recorded.type()
              : parameters.getClass().getName());
    }
    ModelProvider provider = model.provider();
    if (provider != null && provider != ModelProvider.OTHER) {
      text.add(PROVIDER, ParametersJson.lowerCase(provider));
    }
    String name = parameters.modelName();
    return new ModelCall(
        id,
        name == null ? null : text.at(MODEL_PLACE, name),
        Content.of(prompt.json()),
        ParametersJson.of(text, parameters),
        text.meta());
  }

  /** Creates the event of a response. */
  static ModelResult result(String id, ChatResponse response, @Nullable Long latencyMillis) {
    EventTexts text = new EventTexts();
    ModelResult result = ModelResult.of(id, answer(text, response.aiMessage()))
        .withTokens(tokens(text, response.tokenUsage()))
        .withLatencyMillis(latencyMillis);
    if (response.finishReason() != null) {
      result = result.withFinish(Completion.of(ParametersJson.lowerCase(response.finishReason())));
    }
    if (response.modelName() != null) {
      text.add(MODEL, text.at(MODEL_PLACE, response.modelName()));
    }
    if (response.id() != null) {
      text.add(Names.RESPONSE_ID, text.at(RESPONSE_ID_PLACE, response.id()));
    }
    return result.withMeta(text.meta());
  }

  /** Creates the event of a model call that threw, with the part of the answer that arrived. */
  static ModelResult failed(
      String id, Throwable error, @Nullable Long latencyMillis, StreamedText part) {
    EventTexts text = new EventTexts();
    String answer = part.finish() ? text.at(ANSWER, part.text()) : null;
    return ModelResult.of(id, answer)
        .withFinish(Completion.failed(Failure.of(error)))
        .withTiming(new Timing(latencyMillis, part.chunks()))
        .withMeta(text.meta());
  }

  private static JsonValue answer(EventTexts text, AiMessage message) {
    boolean isText = message.text() != null
        && message.thinking() == null
        && !message.hasToolExecutionRequests()
        && message.attributes().isEmpty();
    return isText
        ? JsonValue.of(text.at(ANSWER, message.text()))
        : MessageJson.message(text, ANSWER, message);
  }

  private static TokenCounts tokens(EventTexts text, @Nullable TokenUsage usage) {
    if (usage == null) {
      return TokenCounts.NONE;
    }
    JsonObject details = TokenDetails.of(usage);
    if (!details.isEmpty()) {
      text.add(Names.TOKEN_DETAILS, details);
    }
    TokenCounts counts =
        new TokenCounts(count(usage.inputTokenCount()), count(usage.outputTokenCount()));
    if (!isNegative(counts.input()) && !isNegative(counts.output())) {
      return counts;
    }
    text.add(Names.TOKEN_USAGE, text.at("/token_usage", usage.toString()));
    return TokenCounts.NONE;
  }

  private static @Nullable Long count(@Nullable Integer tokens) {
    return tokens == null ? null : tokens.longValue();
  }

  private static boolean isNegative(@Nullable Long count) {
    return count != null && count < 0;
  }
}
