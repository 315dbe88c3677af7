package com.example.shop;

import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** A model with a script, so that the example runs without a key and without a network. */
@Component
@Primary
@Profile("scripted")
class ScriptedModel implements ChatModel {

  @Override
  public ChatResponse call(Prompt prompt) {
    List<Message> messages = prompt.getInstructions();
    AssistantMessage answer = messages.get(messages.size() - 1) instanceof ToolResponseMessage results
        ? new AssistantMessage(answer(results))
        : AssistantMessage.builder()
            .content("")
            .toolCalls(List.of(
                call("call_1", "openingHours", "{\"day\":\"Monday\"}"),
                call("call_2", "stock", "{\"item\":\"lamp\"}")))
            .build();
    return new ChatResponse(
        List.of(new Generation(answer)),
        ChatResponseMetadata.builder().model("scripted").usage(new DefaultUsage(120, 30)).build());
  }

  private static String answer(ToolResponseMessage results) {
    List<String> data = results.getResponses().stream()
        .map(ToolResponseMessage.ToolResponse::responseData)
        .toList();
    return "On Monday we are open %s, and have %s lamps."
        .formatted(data.get(0).replace("\"", ""), data.get(1));
  }

  private static AssistantMessage.ToolCall call(String id, String tool, String arguments) {
    return new AssistantMessage.ToolCall(id, "function", tool, arguments);
  }

  @Override
  public ChatOptions getOptions() {
    return DefaultToolCallingChatOptions.builder().model("scripted").build();
  }
}
