package dev.agentreplay.springai.boot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;

/** A model whose answers a function of the prompt makes. Its class can be injected. */
public class ScriptedModel implements ChatModel {

  private final String name;
  private final Function<Prompt, AssistantMessage> script;
  private final List<Prompt> prompts = Collections.synchronizedList(new ArrayList<>());

  ScriptedModel(String name, Function<Prompt, AssistantMessage> script) {
    this.name = name;
    this.script = script;
  }

  static ScriptedModel saying(String name, String answer) {
    return new ScriptedModel(name, prompt -> new AssistantMessage(answer));
  }

  /** An answer that requests tools: names and arguments in turn. */
  static AssistantMessage calling(String... namesAndArguments) {
    List<ToolCall> calls = new ArrayList<>();
    for (int i = 0; i < namesAndArguments.length; i += 2) {
      calls.add(new ToolCall(
          "call-" + namesAndArguments[i],
          "function",
          namesAndArguments[i],
          namesAndArguments[i + 1]));
    }
    return AssistantMessage.builder().content("").toolCalls(calls).build();
  }

  /** The prompts so far. */
  List<Prompt> prompts() {
    return prompts;
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    prompts.add(prompt);
    return new ChatResponse(
        List.of(new Generation(script.apply(prompt))),
        ChatResponseMetadata.builder()
            .model(name)
            .usage(new DefaultUsage(10, 5))
            .build());
  }

  @Override
  public ChatOptions getOptions() {
    return DefaultToolCallingChatOptions.builder().model(name).build();
  }
}
