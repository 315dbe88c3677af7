package com.example.shop;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.List;

/** A model that looks up the opening hours on Monday, and needs neither a network nor a key. */
@Alternative
@Priority(1)
@ApplicationScoped
public class ScriptedModel implements ChatModel {

  @Override
  public ChatResponse doChat(ChatRequest request) {
    List<ChatMessage> messages = request.messages();
    AiMessage answer = messages.get(messages.size() - 1) instanceof ToolExecutionResultMessage hours
        ? AiMessage.from("On Monday the hours are: " + hours.text() + ".")
        : AiMessage.from(ToolExecutionRequest.builder()
            .id("hours-1")
            .name("hours")
            .arguments("{\"day\": \"Monday\"}")
            .build());
    return ChatResponse.builder()
        .aiMessage(answer)
        .modelName("scripted")
        .finishReason(
            answer.hasToolExecutionRequests() ? FinishReason.TOOL_EXECUTION : FinishReason.STOP)
        .tokenUsage(new TokenUsage(100 * messages.size(), 20))
        .build();
  }
}
