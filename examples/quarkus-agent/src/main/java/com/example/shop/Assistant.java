package com.example.shop;

import dev.langchain4j.service.SystemMessage;
import io.quarkiverse.langchain4j.RegisterAiService;
import jakarta.enterprise.context.ApplicationScoped;

/** An assistant for customers of a shop. */
@ApplicationScoped
@RegisterAiService(chatLanguageModelSupplier = AssistantModel.class, tools = ShopTools.class)
public interface Assistant {

  /** Answers a question. The system message is part of each recorded prompt. */
  @SystemMessage("Answer questions about the shop. Look up opening hours before you name them.")
  String ask(String question);
}
