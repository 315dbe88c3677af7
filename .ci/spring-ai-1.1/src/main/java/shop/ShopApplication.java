package shop;

import java.util.List;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Flux;

/** An application with a scripted model, a tool, and a client with the advisor for tools. */
@SpringBootApplication
class ShopApplication {

  /** The calls that were executed. */
  static int executed;

  static class Model implements ChatModel {

    @Override
    public ChatResponse call(Prompt prompt) {
      executed++;
      AssistantMessage answer = prompt.getInstructions().get(prompt.getInstructions().size() - 1)
              instanceof ToolResponseMessage results
          ? new AssistantMessage("It is open " + results.getResponses().get(0).responseData())
          : AssistantMessage.builder()
              .content("")
              .toolCalls(List.of(new AssistantMessage.ToolCall(
                  "call_1", "function", "hours", "{\"shop\":\"corner\"}")))
              .build();
      return new ChatResponse(List.of(new Generation(answer)));
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
      executed++;
      return Flux.just("It ", "is ", "open")
          .map(text -> new ChatResponse(List.of(new Generation(new AssistantMessage(text)))));
    }

    @Override
    public ChatOptions getDefaultOptions() {
      return ToolCallingChatOptions.builder().model("scripted").build();
    }
  }

  static class Tools {

    @Tool(description = "Returns the opening hours of a shop")
    String hours(String shop) {
      executed++;
      return "9 to 17";
    }
  }

  @Bean
  Model model() {
    return new Model();
  }

  /** A client whose tools are called by an advisor, not by the model. */
  @Bean
  ChatClient assistant(ChatClient.Builder builder, ToolCallingManager manager) {
    return builder
        .defaultAdvisors(ToolCallAdvisor.builder().toolCallingManager(manager).build())
        .defaultTools(new Tools())
        .build();
  }

  /** A client that streams, which that advisor cannot. */
  @Bean
  ChatClient streaming(ChatModel model) {
    return ChatClient.create(model);
  }
}
