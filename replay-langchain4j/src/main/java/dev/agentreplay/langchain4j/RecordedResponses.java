package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Restores responses of models from their events, the reverse of {@link ModelEvents}. */
final class RecordedResponses {

  private RecordedResponses() {}

  /**
   * The response of a result that is not a failure.
   *
   * @throws IllegalStateException if the event does not have the answer of a LangChain4j model
   */
  static ChatResponse of(ModelResult result) {
    ChatResponse.Builder response = ChatResponse.builder()
        .aiMessage(message(result))
        .tokenUsage(tokens(result.tokens()))
        .finishReason(finish(result.finish().reason()));
    if (result.meta().extra().get(ModelEvents.MODEL) instanceof JsonString model) {
      response.modelName(EventTexts.exact(result, ModelEvents.MODEL_PLACE, model.value()));
    }
    if (result.meta().extra().get(Names.RESPONSE_ID) instanceof JsonString id) {
      response.id(EventTexts.exact(result, ModelEvents.RESPONSE_ID_PLACE, id.value()));
    }
    return response.build();
  }

  private static AiMessage message(ModelResult result) {
    JsonValue answer = result.answer().value();
    String exact = EventTexts.exact(result, ModelEvents.ANSWER);
    if (answer instanceof JsonString text) {
      return AiMessage.builder().text(exact == null ? text.value() : exact).build();
    } else if (answer instanceof JsonNull) {
      return AiMessage.builder().build();
    }
    if (answer instanceof JsonObject message && message.has("type")) {
      String json = exact == null ? message.toString() : exact;
      if (ChatMessageDeserializer.messageFromJson(json) instanceof AiMessage restored) {
        return restored;
      }
    }
    throw new IllegalStateException(
        "the recorded answer of model call %s is not a message that LangChain4j can read"
            .formatted(result.id()));
  }

  private static @Nullable TokenUsage tokens(TokenCounts tokens) {
    return tokens.input() == null && tokens.output() == null
        ? null
        : new TokenUsage(count(tokens.input()), count(tokens.output()));
  }

  private static @Nullable Integer count(@Nullable Long tokens) {
    return tokens == null ? null : Math.toIntExact(tokens);
  }

  private static @Nullable FinishReason finish(@Nullable String reason) {
    if (reason == null) {
      return null;
    }
    for (FinishReason known : FinishReason.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(reason)) {
        return known;
      }
    }
    return FinishReason.OTHER;
  }
}
