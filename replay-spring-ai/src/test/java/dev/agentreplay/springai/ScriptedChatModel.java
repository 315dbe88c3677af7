package dev.agentreplay.springai;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.core.publisher.Flux;

/**
 * A model that answers at once, without a network. It streams an answer in pieces of four
 * characters. It can also be used to measure what recording costs a call.
 */
final class ScriptedChatModel implements ChatModel {

  private final Function<Prompt, ChatResponse> script;
  private final ChatOptions options;
  private final AtomicInteger calls = new AtomicInteger();

  ScriptedChatModel(Function<Prompt, ChatResponse> script) {
    this.script = script;
    this.options =
        ToolCallingChatOptions.builder().model("scripted").temperature(0.5).build();
  }

  /** A model that gives one answer after the other. */
  static ScriptedChatModel inTurn(Object... answers) {
    Iterator<Object> iterator = List.of(answers).iterator();
    return new ScriptedChatModel(prompt -> {
      Object answer;
      synchronized (iterator) {
        answer = iterator.next();
      }
      if (answer instanceof RuntimeException e) {
        throw e;
      }
      return answer instanceof ChatResponse response
          ? response
          : answer instanceof AssistantMessage message ? response(message) : text((String) answer);
    });
  }

  /** The answer with a text. */
  static ChatResponse text(String text) {
    return response(new AssistantMessage(text));
  }

  /** The answer with tool calls. */
  static AssistantMessage calling(ToolCall... calls) {
    return AssistantMessage.builder().content("").toolCalls(List.of(calls)).build();
  }

  /** The call of a tool. */
  static ToolCall tool(@Nullable String id, String name, @Nullable String arguments) {
    return new ToolCall(id, "function", name, arguments);
  }

  static ChatResponse response(AssistantMessage message) {
    return new ChatResponse(
        List.of(new Generation(
            message,
            ChatGenerationMetadata.builder()
                .finishReason(message.hasToolCalls() ? "TOOL_CALLS" : "STOP")
                .build())),
        ChatResponseMetadata.builder()
            .id("r1")
            .model("scripted-1")
            .usage(new DefaultUsage(7, 3))
            .build());
  }

  /** The number of its calls. */
  int calls() {
    return calls.get();
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    calls.incrementAndGet();
    return script.apply(prompt);
  }

  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    return Flux.defer(() -> {
      ChatResponse whole = call(prompt);
      AssistantMessage message = whole.getResult().getOutput();
      String text = message.getText() == null ? "" : message.getText();
      List<ChatResponse> pieces = new ArrayList<>();
      for (int at = 0; at < text.length(); at += 4) {
        pieces.add(new ChatResponse(List.of(new Generation(
            new AssistantMessage(text.substring(at, Math.min(text.length(), at + 4)))))));
      }
      pieces.add(new ChatResponse(
          List.of(new Generation(
              AssistantMessage.builder()
                  .content("")
                  .toolCalls(message.getToolCalls())
                  .build(),
              whole.getResult().getMetadata())),
          whole.getMetadata()));
      return Flux.fromIterable(pieces);
    });
  }

  @Override
  public ChatOptions getOptions() {
    return options;
  }
}
