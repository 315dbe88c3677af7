package dev.agentreplay.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;

/** A model whose requests are passed to {@link AiServiceCalls}. */
final class ServiceModel extends ForwardingModel {

  private final AiServiceCalls calls;

  ServiceModel(AiServiceCalls calls, ChatModel model) {
    super(model);
    this.calls = calls;
  }

  boolean isOf(AiServiceCalls other) {
    return calls == other;
  }

  @Override
  public ChatResponse chat(ChatRequest request) {
    return issued(request).chat(request);
  }

  @Override
  public ChatResponse chat(ChatRequest request, ChatRequestOptions options) {
    return issued(request).chat(request, options);
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    return issued(request).doChat(request);
  }

  /** Announces a request; returns the model that answers it. */
  private ChatModel issued(ChatRequest request) {
    AiServiceReplayer replayer = calls.issued(
        request, () -> new ModelDefaults(model.defaultRequestParameters(), model.provider()));
    return replayer == null ? model : new ReplayedModels.Chat(replayer, model);
  }
}
