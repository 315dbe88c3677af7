package com.example.agent;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** A model that returns predefined answers in order. */
final class ScriptedModel implements ChatModel {

  private final Queue<AiMessage> answers;

  ScriptedModel(AiMessage... answers) {
    this.answers = new ArrayDeque<>(List.of(answers));
  }

  /** Returns an answer that calls a tool. */
  static AiMessage call(String id, String tool, String arguments) {
    return AiMessage.from(ToolExecutionRequest.builder()
        .id(id)
        .name(tool)
        .arguments(arguments)
        .build());
  }

  /** Returns an answer with text. */
  static AiMessage say(String text) {
    return AiMessage.from(text);
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    AiMessage answer = answers.remove();
    return ChatResponse.builder()
        .aiMessage(answer)
        .modelName("scripted")
        .finishReason(
            answer.hasToolExecutionRequests() ? FinishReason.TOOL_EXECUTION : FinishReason.STOP)
        .tokenUsage(new TokenUsage(100 * request.messages().size(), 20))
        .build();
  }
}
