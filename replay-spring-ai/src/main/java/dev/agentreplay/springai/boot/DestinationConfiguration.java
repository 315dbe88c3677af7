package dev.agentreplay.springai.boot;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.springai.CallDestination;
import dev.agentreplay.springai.SpringAiCalls;
import dev.agentreplay.springai.SpringAiReplayer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The destination of calls: that of the properties, or that of a bean of the application. */
@Configuration(proxyBeanMethods = false)
class DestinationConfiguration {

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
}
