package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.text.Excerpt;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.Result;
import org.jspecify.annotations.Nullable;

/** The final answer of a service. */
final class FinalAnswer {

  private static final int MAX_LENGTH = 2_000;

  private FinalAnswer() {}

  /**
   * The text of the answer, its beginning if it is long; null if there is none.
   *
   * @param returned the value that the service returned; if it is not a text, the answer is that of
   *     the model
   * @param newest the last answer of the model
   */
  static @Nullable String summary(@Nullable Object returned, @Nullable AiMessage newest) {
    Object answer = returned instanceof Result<?> result ? result.content() : returned;
    String text = answer instanceof ChatResponse response
        ? response.aiMessage().text()
        : answer instanceof AiMessage message
            ? message.text()
            : answer instanceof String string ? string : newest == null ? null : newest.text();
    if (text == null || text.length() <= MAX_LENGTH) {
      return text == null ? null : EventTexts.wellFormed(text);
    }
    return EventTexts.wellFormed(Excerpt.beginning(text, MAX_LENGTH)) + "…";
  }
}
