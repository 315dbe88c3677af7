package dev.agentreplay.springai.boot;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.springai.CallDestination;
import dev.agentreplay.springai.SpringAiCalls;
import dev.agentreplay.springai.SpringAiReplayer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Auto-configuration that records or replays the models, tools and chat clients of Spring AI. */
@AutoConfiguration(
    afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
    beforeName = "org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration")
@ConditionalOnClass({ChatClient.class, ChatModel.class})
@ConditionalOnProperty(name = "replay.enabled", havingValue = "true", matchIfMissing = true)
@EnableConfigurationProperties(ReplayProperties.class)
@Import({
  ReplayAutoConfiguration.FromProperties.class,
  ReplayAutoConfiguration.FromScopes.class,
  ReplayAutoConfiguration.Wrapping.class,
  ReplayAutoConfiguration.Customizing.class,
  McpToolsConfiguration.class,
  ReplayObservability.class
})
class ReplayAutoConfiguration {

  /** Recording or a replay, as the properties say. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(OnReplay.class)
  @ConditionalOnMissingBean({SpringAiCalls.class, ScopeSource.class})
  static class FromProperties {

    @Bean
    ReplayActivity replayActivity(ReplayProperties properties) {
      return ReplayActivity.of(properties);
    }

    @Bean
    SpringAiCalls replayCalls(ReplayActivity activity) {
      return SpringAiCalls.to(activity::destination);
    }

    @Bean
    ReplayExitCode replayExitCode(ReplayActivity activity) {
      return new ReplayExitCode(activity);
    }
  }

  /** The scopes of a bean of the application or the test. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(ScopeSource.class)
  @ConditionalOnMissingBean(SpringAiCalls.class)
  static class FromScopes {

    @Bean
    SpringAiCalls replayCalls(ScopeSource scopes) {
      return SpringAiCalls.to(new ScopeDestinations(scopes));
    }
  }

  /** The destinations of scopes: one for each scope. */
  static final class ScopeDestinations implements Supplier<@Nullable CallDestination> {

    private record Entry(AgentScope scope, CallDestination destination) {}

    private final ScopeSource scopes;
    private @Nullable Entry last;

    ScopeDestinations(ScopeSource scopes) {
      this.scopes = scopes;
    }

    @Override
    public synchronized @Nullable CallDestination get() {
      AgentScope scope = scopes.scope();
      if (scope == null) {
        return null;
      }
      Entry entry = last;
      if (entry == null || entry.scope() != scope) {
        entry = new Entry(
            scope,
            scopes.isOneCall() ? SpringAiReplayer.of(scope) : SpringAiReplayer.ofShared(scope));
        last = entry;
      }
      return entry.destination();
    }
  }

  /** The beans that are wrapped. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(SpringAiCalls.class)
  static class Wrapping {

    @Bean
    static ReplayedBeans replayedBeans(
        ObjectProvider<SpringAiCalls> calls, Environment environment) {
      return new ReplayedBeans(calls::getObject, environment);
    }
  }

  /** The builders that the application itself creates and configures, in Spring AI 2. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(SpringAiCalls.class)
  @ConditionalOnClass(ChatClientBuilderCustomizer.class)
  static class Customizing {

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    ChatClientBuilderCustomizer replayChatClientBuilderCustomizer(SpringAiCalls calls) {
      return builder -> new ChatClients(() -> calls).instrument(builder);
    }
  }
}
