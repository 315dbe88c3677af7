package dev.agentreplay.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.List;
import java.util.Set;

/** A model whose requests are passed to {@link AiServiceCalls}. */
final class ServiceModel implements ChatModel {

  private final AiServiceCalls calls;
  private final ChatModel model;

  ServiceModel(AiServiceCalls calls, ChatModel model) {
    this.calls = calls;
    this.model = model;
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
