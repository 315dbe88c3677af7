package dev.agentreplay.springai.boot;

import dev.agentreplay.springai.SpringAiCalls;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** The models, managers of tools and chat clients that are wrapped, if there is a destination. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(SpringAiCalls.class)
class WrappingConfiguration {

  @Bean
  static ReplayedBeans replayedBeans(
      ObjectProvider<SpringAiCalls> calls, ListableBeanFactory beans, Environment environment) {
    return new ReplayedBeans(calls::getObject, beans, environment);
  }

  /** The builders that the application itself creates and configures, in Spring AI 2. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ChatClientBuilderCustomizer.class)
  static class Customizing {

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    ChatClientBuilderCustomizer replayChatClientBuilderCustomizer(SpringAiCalls calls) {
      return builder -> new ChatClients(() -> calls).instrument(builder);
    }
  }
}
