package dev.agentreplay.springai.test;

import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application in a package of its own, whose models are injected by their classes. */
@Configuration(proxyBeanMethods = false)
public class OtherModels {

  /** A model that each package knows. */
  public static class PublicModel implements ChatModel {

    @Override
    public ChatResponse call(Prompt prompt) {
      return new ChatResponse(List.of(new Generation(new AssistantMessage("Yes."))));
    }

    @Override
    public ChatOptions getOptions() {
      return DefaultToolCallingChatOptions.builder().model("own").build();
    }
  }

  /** A model that only this package knows. */
  static class HiddenModel extends PublicModel {}

  /** The models by class. */
  public record Models(PublicModel open, HiddenModel hidden) {

    /** Asks both. */
    public List<String> ask(String question) {
      return List.of(open.call(question), hidden.call(question));
    }
  }

  @Bean
  PublicModel open() {
    return new PublicModel();
  }

  @Bean
  HiddenModel hidden() {
    return new HiddenModel();
  }

  @Bean
  Models models(PublicModel open, HiddenModel hidden) {
    return new Models(open, hidden);
  }
}
