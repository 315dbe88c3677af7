package dev.agentreplay.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A model that passes the pieces of its answers to a recorder, because the listeners of a service
 * see whole answers only.
 */
final class RecordedStreamingModel implements StreamingChatModel {

  private final StreamingChatModel model;

  /** Returns the receiver of the pieces of the answer to a request. */
  private final Function<ChatRequest, Consumer<String>> pieces;

  RecordedStreamingModel(StreamingChatModel model, Function<ChatRequest, Consumer<String>> pieces) {
    this.model = model;
    this.pieces = pieces;
  }

  @Override
  public void chat(ChatRequest request, StreamingChatResponseHandler handler) {
    model.chat(request, new RecordedHandler(handler, pieces.apply(request)));
  }

  @Override
  public void chat(
      ChatRequest request, ChatRequestOptions options, StreamingChatResponseHandler handler) {
    model.chat(request, options, new RecordedHandler(handler, pieces.apply(request)));
  }

  @Override
  public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
    model.doChat(request, new RecordedHandler(handler, pieces.apply(request)));
  }

  @Override
  public ChatRequestParameters defaultRequestParameters() {
    return model.defaultRequestParameters();
  }

  @Override
  public List<ChatModelListener> listeners() {
    return model.listeners();
  }

  @Override
  public ModelProvider provider() {
    return model.provider();
  }

  @Override
  public Set<Capability> supportedCapabilities() {
    return model.supportedCapabilities();
  }

  /** Passes each event on to the handler of the agent, and pieces of the answer to the recorder. */
  private record RecordedHandler(StreamingChatResponseHandler handler, Consumer<String> piece)
      implements StreamingChatResponseHandler {

    @Override
    public void onPartialResponse(String text) {
      piece.accept(text);
      handler.onPartialResponse(text);
    }

    @Override
    public void onPartialResponse(PartialResponse part, PartialResponseContext context) {
      piece.accept(part.text());
      handler.onPartialResponse(part, context);
    }

    @Override
    public void onPartialThinking(PartialThinking thinking) {
      handler.onPartialThinking(thinking);
    }

    @Override
    public void onPartialThinking(PartialThinking thinking, PartialThinkingContext context) {
      handler.onPartialThinking(thinking, context);
    }

    @Override
    public void onPartialToolCall(PartialToolCall call) {
      handler.onPartialToolCall(call);
    }

    @Override
    public void onPartialToolCall(PartialToolCall call, PartialToolCallContext context) {
      handler.onPartialToolCall(call, context);
    }

    @Override
    public void onCompleteToolCall(CompleteToolCall call) {
      handler.onCompleteToolCall(call);
    }

    @Override
    public void onUnmappedRawEvent(Object event) {
      handler.onUnmappedRawEvent(event);
    }

    @Override
    public void onCompleteResponse(ChatResponse response) {
      handler.onCompleteResponse(response);
    }

    @Override
    public void onError(Throwable error) {
      handler.onError(error);
    }
  }
}
