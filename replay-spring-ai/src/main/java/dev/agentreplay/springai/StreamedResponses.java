package dev.agentreplay.springai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.EmptyUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.content.Media;
import reactor.core.publisher.Flux;

/** The response that the responses of a stream form. */
final class StreamedResponses {

  private StreamedResponses() {}

  /**
   * The whole response, as the chat client has it; null if there are no responses.
   *
   * @param onFailure gets the exception if Spring AI cannot form it; its text, tool calls and
   *     metadata are then put together here
   */
  static @Nullable ChatResponse whole(
      List<ChatResponse> responses, Consumer<? super Throwable> onFailure) {
    if (responses.isEmpty()) {
      return null;
    }
    // Spring AI adds up counts, also those that a model does not state, and one generation only
    if (responses.stream()
        .anyMatch(each -> lacksCounts(each) || each.getResults().size() > 1)) {
      return joined(responses);
    }
    AtomicReference<@Nullable ChatResponse> whole = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    new MessageAggregator()
        .aggregate(Flux.fromIterable(responses), whole::set)
        .subscribe(response -> {}, failure::set);
    ChatResponse formed = whole.get();
    if (formed != null) {
      return formed;
    }
    Throwable failed = failure.get();
    onFailure.accept(
        failed == null ? new IllegalStateException("the pieces form no answer") : failed);
    return joined(responses);
  }

  private static boolean lacksCounts(ChatResponse response) {
    ChatResponseMetadata metadata = response.getMetadata();
    Usage usage = metadata == null ? null : metadata.getUsage();
    return usage != null
        && (usage.getPromptTokens() == null
            || usage.getCompletionTokens() == null
            || usage.getTotalTokens() == null);
  }

  private static ChatResponse joined(List<ChatResponse> responses) {
    List<Joined> generations = new ArrayList<>();
    ChatResponseMetadata metadata = null;
    for (ChatResponse response : responses) {
      int index = 0;
      for (Generation generation : response.getResults()) {
        if (index == generations.size()) {
          generations.add(new Joined());
        }
        generations.get(index).add(generation);
        index++;
      }
      if (response.getMetadata() != null && (metadata == null || isStated(response))) {
        metadata = response.getMetadata();
      }
    }
    List<Generation> all = generations.stream().map(Joined::generation).toList();
    return metadata == null ? new ChatResponse(all) : new ChatResponse(all, metadata);
  }

  private static boolean isStated(ChatResponse response) {
    ChatResponseMetadata metadata = response.getMetadata();
    Usage usage = metadata.getUsage();
    return usage != null && !(usage instanceof EmptyUsage);
  }

  /** One generation, from its parts. */
  private static final class Joined {

    private final StringBuilder text = new StringBuilder();
    private final List<ToolCall> toolCalls = new ArrayList<>();
    private final List<Media> media = new ArrayList<>();
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private ChatGenerationMetadata metadata = ChatGenerationMetadata.NULL;

    void add(Generation generation) {
      AssistantMessage message = generation.getOutput();
      if (message != null) {
        text.append(message.getText() == null ? "" : message.getText());
        toolCalls.addAll(message.getToolCalls());
        media.addAll(message.getMedia());
        properties.putAll(message.getMetadata());
      }
      ChatGenerationMetadata stated = generation.getMetadata();
      if (stated != null && stated != ChatGenerationMetadata.NULL) {
        metadata = stated;
      }
    }

    Generation generation() {
      AssistantMessage message = AssistantMessage.builder()
          .content(text.toString())
          .properties(properties)
          .toolCalls(toolCalls)
          .media(media)
          .build();
      return new Generation(message, metadata);
    }
  }
}
