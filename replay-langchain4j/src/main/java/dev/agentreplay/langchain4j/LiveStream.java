package dev.agentreplay.langchain4j;

import dev.agentreplay.langchain4j.ReplayedInvocation.Answer;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * The stream of a model that is called in a replay. The pieces of its text go to the replay, those
 * of thinking and of tool calls to the handler of the agent.
 */
final class LiveStream implements StreamingChatResponseHandler {

  private final StreamingChatResponseHandler agent;
  private final Consumer<String> pieces;
  private final CompletableFuture<Answer> answer = new CompletableFuture<>();

  private LiveStream(StreamingChatResponseHandler agent, Consumer<String> pieces) {
    this.agent = agent;
    this.pieces = pieces;
  }

  /** Calls a model, and waits for its answer. */
  static Answer call(
      Consumer<StreamingChatResponseHandler> model,
      StreamingChatResponseHandler agent,
      Consumer<String> pieces)
      throws InterruptedException {
    LiveStream stream = new LiveStream(agent, pieces);
    try {
      model.accept(stream);
      return stream.answer.get();
    } catch (ExecutionException | RuntimeException e) {
      return new Answer(null, e);
    }
  }

  @Override
  public void onPartialResponse(String text) {
    pieces.accept(text);
  }

  @Override
  public void onPartialThinking(PartialThinking thinking) {
    agent.onPartialThinking(thinking);
  }

  @Override
  public void onPartialToolCall(PartialToolCall call) {
    agent.onPartialToolCall(call);
  }

  @Override
  public void onUnmappedRawEvent(Object event) {
    agent.onUnmappedRawEvent(event);
  }

  @Override
  public void onCompleteResponse(ChatResponse response) {
    answer.complete(new Answer(response, null));
  }

  @Override
  public void onError(Throwable error) {
    answer.complete(new Answer(null, error));
  }
}
