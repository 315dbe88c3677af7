package dev.agentreplay.springai.boot;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The actuator endpoint and the meters, where the application has what they need. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(ReplayActivity.class)
@Import({ReplayObservability.Endpoints.class, ReplayObservability.Meters.class})
class ReplayObservability {

  /** The endpoint {@code replay}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class Endpoints {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    ReplayEndpoint replayEndpoint(ReplayActivity activity) {
      return new ReplayEndpoint(activity);
    }
  }

  /** The meters of a recording. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterBinder.class)
  static class Meters {

    @Bean
    MeterBinder replayMeters(ReplayActivity activity) {
      return registry -> {
        if (activity instanceof RecordingActivity recording) {
          bind(registry, recording);
        }
      };
    }

    private static void bind(MeterRegistry registry, RecordingActivity recording) {
      FunctionCounter.builder(
              "replay.sessions", recording, each -> each.recorder().sessions())
          .description("Sessions whose recording was started")
          .baseUnit("sessions")
          .register(registry);
      Gauge.builder("replay.sessions.open", recording, each -> each.recorder()
              .openSessions()
              .size())
          .description("Sessions that are being recorded")
          .baseUnit("sessions")
          .register(registry);
      FunctionCounter.builder("replay.calls", recording, each -> each.recorder().modelCalls())
          .description("Recorded calls of models and tools")
          .baseUnit("calls")
          .tag("kind", "model")
          .register(registry);
      FunctionCounter.builder("replay.calls", recording, each -> each.recorder().toolCalls())
          .description("Recorded calls of models and tools")
          .baseUnit("calls")
          .tag("kind", "tool")
          .register(registry);
      FunctionCounter.builder(
              "replay.failures", recording, each -> each.failures().count())
          .description("Failures to record an event, or the events that a failed disk lost")
          .baseUnit("failures")
          .register(registry);
    }
  }
}
