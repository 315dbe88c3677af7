package dev.agentreplay.langchain4j;

import dev.agentreplay.langchain4j.ReplayedInvocation.Answer;
import dev.agentreplay.langchain4j.ReplayedInvocation.LiveModel;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Models whose calls are replayed. */
final class ReplayedModels {

  private ReplayedModels() {}

  /** A model that answers at once. */
  static final class Chat extends ForwardingModel {

    private final AiServiceReplayer replayer;

    Chat(AiServiceReplayer replayer, ChatModel model) {
      super(model);
      this.replayer = replayer;
    }

    @Override
    public ChatResponse chat(ChatRequest request) {
      return chat(request, model::chat);
    }

    @Override
    public ChatResponse chat(ChatRequest request, ChatRequestOptions options) {
      return chat(request, sampled -> model.chat(sampled, options));
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
      return chat(request, model::doChat);
    }

    private ChatResponse chat(ChatRequest request, Function<ChatRequest, ChatResponse> live) {
      LiveModel called = (parameters, pieces) -> {
        try {
          ChatRequest sampled =
              ParametersJson.sampled(request, model.defaultRequestParameters(), parameters);
          return new Answer(live.apply(sampled), null);
        } catch (Exception e) { // the model's own, of any class
          return new Answer(null, e);
        }
      };
      Answer answer;
      try {
        answer = replayer
            .issued(request, model.defaultRequestParameters(), model.provider())
            .ask(piece -> {}, RecordedModel.canBeCalled(model) ? called : null);
      } catch (Exception e) { // of the replay
        throw RecordedExceptions.<RuntimeException>thrown(e);
      }
      if (answer.response() != null) {
        return answer.response();
      }
      throw RecordedExceptions.<RuntimeException>thrown(answer.failure());
    }
  }

  /** A model that streams, on a thread of its own for each request. */
  static final class Streaming implements StreamingChatModel {

    private final AiServiceReplayer replayer;
    private final StreamingChatModel model;

    Streaming(AiServiceReplayer replayer, StreamingChatModel model) {
      this.replayer = replayer;
      this.model = model;
    }

    @Override
    public void chat(ChatRequest request, StreamingChatResponseHandler handler) {
      start(request, handler, model::chat);
    }

    @Override
    public void chat(
        ChatRequest request, ChatRequestOptions options, StreamingChatResponseHandler handler) {
      start(request, handler, (sampled, live) -> model.chat(sampled, options, live));
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
      start(request, handler, model::doChat);
    }

    private void start(
        ChatRequest request,
        StreamingChatResponseHandler handler,
        BiConsumer<ChatRequest, StreamingChatResponseHandler> live) {
      IssuedRequest issued =
          replayer.issued(request, model.defaultRequestParameters(), model.provider());
      LiveModel called = (parameters, pieces) -> {
        ChatRequest sampled =
            ParametersJson.sampled(request, model.defaultRequestParameters(), parameters);
        return LiveStream.call(to -> live.accept(sampled, to), handler, pieces);
      };
      Thread thread = new Thread(
          () -> stream(issued, handler, RecordedModel.canBeCalled(model) ? called : null),
          "replayed-model");
      thread.setDaemon(true);
      thread.start();
    }

    private static void stream(
        IssuedRequest issued, StreamingChatResponseHandler handler, @Nullable LiveModel live) {
      AtomicBoolean hasPieces = new AtomicBoolean();
      Answer answer;
      try {
        answer = issued.ask(
            piece -> {
              hasPieces.set(true);
              handler.onPartialResponse(piece);
            },
            live);
      } catch (Exception e) { // of the replay
        handler.onError(e);
        return;
      }
      ChatResponse response = answer.response();
      if (response == null) {
        handler.onError(answer.failure());
        return;
      }
      try {
        complete(response, hasPieces.get(), handler);
      } catch (Exception e) { // of the agent; models report it to the agent
        handler.onError(e);
      }
    }

    private static void complete(
        ChatResponse response, boolean hasPieces, StreamingChatResponseHandler handler) {
      String text = response.aiMessage().text();
      if (!hasPieces && text != null && !text.isEmpty()) {
        handler.onPartialResponse(text); // recorded without its pieces
      }
      List<ToolExecutionRequest> requests = response.aiMessage().toolExecutionRequests();
      for (int i = 0; i < requests.size(); i++) {
        handler.onCompleteToolCall(new CompleteToolCall(i, requests.get(i)));
      }
      handler.onCompleteResponse(response);
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
  }
}
