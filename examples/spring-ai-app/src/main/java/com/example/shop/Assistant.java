package com.example.shop;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.stereotype.Service;

/** Answers questions of customers. Nothing in it knows of recording. */
@Service
public class Assistant {

  private final ChatClient client;

  Assistant(ChatClient.Builder builder, ShopTools tools) {
    this.client = builder
        .defaultSystem("You answer questions of customers of the corner shop. Use the tools.")
        .defaultTools(tools)
        .build();
  }

  public String ask(String question) {
    return client.prompt(question).call().content();
  }
}
