package dev.agentreplay.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** A model that answers as a script says. Safe for use by several threads if the script is. */
final class ScriptedModel implements ChatModel {

  private final Function<ChatRequest, AiMessage> script;

  ScriptedModel(Function<ChatRequest, AiMessage> script) {
    this.script = script;
  }

  /** A model that gives these answers in turn. */
  static ScriptedModel of(AiMessage... answers) {
    return new ScriptedModel(inTurn(answers));
  }

  static Function<ChatRequest, AiMessage> inTurn(AiMessage... answers) {
    Queue<AiMessage> left = new ConcurrentLinkedQueue<>(List.of(answers));
    return request -> left.remove();
  }

  /** An answer that calls a tool. */
  static AiMessage call(String id, String tool, String arguments) {
    return AiMessage.from(request(id, tool, arguments));
  }

  static ToolExecutionRequest request(String id, String tool, String arguments) {
    return ToolExecutionRequest.builder().id(id).name(tool).arguments(arguments).build();
  }

  static ChatResponse response(AiMessage answer) {
    return ChatResponse.builder()
        .aiMessage(answer)
        .modelName("scripted-1")
        .tokenUsage(new TokenUsage(12, 3))
        .finishReason(
            answer.hasToolExecutionRequests() ? FinishReason.TOOL_EXECUTION : FinishReason.STOP)
        .build();
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    return response(script.apply(request));
  }
}
