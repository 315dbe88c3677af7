package dev.agentreplay.springai.boot;

import java.util.List;
import java.util.Locale;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.vectorstore.QuestionAnswerAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.rag.advisor.RetrievalAugmentationAdvisor;
import org.springframework.ai.rag.retrieval.search.VectorStoreDocumentRetriever;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.vectorstore.SimpleVectorStore;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * An application with two models and two chat clients. One has memory, documents, tools of two MCP
 * servers and a tool of its own; the other one has documents, and was not built by the builder of
 * the auto-configuration.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ShopApplication {

  /** A system property with the number of times that the tool of the application ran. */
  static final String PRICES = "replay.test.prices";

  /** The tools of the application. */
  static class Prices {

    @Tool(description = "Returns the price of an item")
    String price(String item) {
      System.setProperty(PRICES, String.valueOf(Integer.getInteger(PRICES, 0) + 1));
      return item + ": 20 francs";
    }
  }

  /** An assistant that answers with one client, and lets the other one check the answer. */
  static final class Shop {

    private final ChatClient assistant;
    private final ChatClient reviewer;

    Shop(ChatClient assistant, ChatClient reviewer) {
      this.assistant = assistant;
      this.reviewer = reviewer;
    }

    String ask(String question) {
      return assistant
          .prompt(question)
          .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, "customer"))
          .call()
          .content();
    }

    String review(String answer) {
      return reviewer.prompt("Is this correct? " + answer).call().content();
    }
  }

  /** An embedding that depends on the words of a text only. */
  static final class Words implements EmbeddingModel {

    private static final int DIMENSIONS = 64;

    @Override
    public EmbeddingResponse call(EmbeddingRequest request) {
      List<String> texts = request.getInstructions();
      return new EmbeddingResponse(java.util.stream.IntStream.range(0, texts.size())
          .mapToObj(i -> new Embedding(vector(texts.get(i)), i))
          .toList());
    }

    @Override
    public float[] embed(Document document) {
      return vector(document.getText());
    }

    private static float[] vector(String text) {
      float[] vector = new float[DIMENSIONS];
      for (String word : text.toLowerCase(Locale.ROOT).split("\\W+")) {
        vector[Math.floorMod(word.hashCode(), DIMENSIONS)] += 1;
      }
      return vector;
    }
  }

  private static AssistantMessage assist(Prompt prompt) {
    if (prompt.getInstructions().get(prompt.getInstructions().size() - 1).getMessageType()
        == MessageType.TOOL) {
      ToolResponseMessage results = (ToolResponseMessage)
          prompt.getInstructions().get(prompt.getInstructions().size() - 1);
      return new AssistantMessage("Results: "
          + String.join(
              ", ",
              results.getResponses().stream()
                  .map(ToolResponseMessage.ToolResponse::responseData)
                  .toList()));
    }
    return ScriptedModel.calling(
        "opening_hours", "{\"shop\":\"corner\"}",
        "stock", "{\"item\":\"lamp\"}",
        "price", "{\"item\":\"lamp\"}");
  }

  @Bean
  @Primary
  ScriptedModel assistantModel() {
    return new ScriptedModel("assistant", ShopApplication::assist);
  }

  @Bean
  ScriptedModel reviewerModel() {
    return new ScriptedModel("reviewer", prompt -> new AssistantMessage("It is."));
  }

  @Bean
  VectorStore documents() {
    VectorStore store = SimpleVectorStore.builder(new Words()).build();
    store.add(List.of(
        new Document("returns", "Lamps can be returned within 30 days.", java.util.Map.of()),
        new Document("delivery", "Delivery takes two days.", java.util.Map.of())));
    return store;
  }

  @Bean
  ChatMemory memory() {
    return MessageWindowChatMemory.builder().build();
  }

  @Bean
  ChatClient assistant(
      ChatClient.Builder builder,
      ToolCallbackProvider servers,
      ChatMemory memory,
      VectorStore documents) {
    return builder
        .defaultSystem("You answer questions of customers.")
        .defaultTools(servers, new Prices())
        .defaultAdvisors(
            MessageChatMemoryAdvisor.builder(memory).build(),
            QuestionAnswerAdvisor.builder(documents).build())
        .build();
  }

  @Bean
  ChatClient reviewer(@Qualifier("reviewerModel") ScriptedModel model, VectorStore documents) {
    return ChatClient.builder(model)
        .defaultAdvisors(RetrievalAugmentationAdvisor.builder()
            .documentRetriever(
                VectorStoreDocumentRetriever.builder().vectorStore(documents).build())
            .build())
        .build();
  }

  @Bean
  Shop shop(
      @Qualifier("assistant") ChatClient assistant, @Qualifier("reviewer") ChatClient reviewer) {
    return new Shop(assistant, reviewer);
  }
}
