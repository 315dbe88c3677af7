package dev.agentreplay.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import java.util.function.Function;

/** A model that streams what a script says, on a thread of its own for each request. */
final class ScriptedStreamingModel implements StreamingChatModel {

  private final Function<ChatRequest, AiMessage> script;

  ScriptedStreamingModel(Function<ChatRequest, AiMessage> script) {
    this.script = script;
  }

  /** A model that gives these answers in turn. */
  static ScriptedStreamingModel of(AiMessage... answers) {
    return new ScriptedStreamingModel(ScriptedModel.inTurn(answers));
  }

  @Override
  public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
    new Thread(() -> stream(request, handler), "scripted-model").start();
  }

  private void stream(ChatRequest request, StreamingChatResponseHandler handler) {
    try {
      AiMessage answer = script.apply(request);
      if (answer.text() != null) {
        for (String word : answer.text().split("(?<= )")) {
          handler.onPartialResponse(word);
        }
      }
      List<ToolExecutionRequest> calls = answer.toolExecutionRequests();
      for (int i = 0; i < calls.size(); i++) {
        handler.onCompleteToolCall(new CompleteToolCall(i, calls.get(i)));
      }
      handler.onCompleteResponse(ScriptedModel.response(answer));
    } catch (RuntimeException e) {
      handler.onError(e);
    }
  }
}
