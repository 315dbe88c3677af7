package com.example.shop;

import dev.agentreplay.langchain4j.AiServiceCalls;
import dev.langchain4j.model.chat.ChatModel;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.function.Supplier;

/** The model of the assistant, wrapped so that its calls are recorded. */
@ApplicationScoped
public class AssistantModel implements Supplier<ChatModel> {

  private final AiServiceCalls calls;
  private final ChatModel model;

  /** Receives the model: a provider's, if the application depends on one, such as OpenAI. */
  AssistantModel(AiServiceCalls calls, ChatModel model) {
    this.calls = calls;
    this.model = model;
  }

  @Override
  public ChatModel get() {
    return calls.wrap(model);
  }
}
