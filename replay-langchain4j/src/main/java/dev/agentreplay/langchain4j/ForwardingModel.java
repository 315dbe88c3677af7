package dev.agentreplay.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import java.util.List;
import java.util.Set;

/** A model that wraps the model of an agent, and has its properties. */
abstract class ForwardingModel implements ChatModel {

  /** The model of the agent. */
  final ChatModel model;

  ForwardingModel(ChatModel model) {
    this.model = model;
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
