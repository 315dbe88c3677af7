package dev.agentreplay.engine.metrics;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.ReplayMetrics;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

record MicrometerReplayMetrics(MeterRegistry registry) implements ReplayMetrics {

  @Override
  public void replayed(ReplayMode mode, ReplayVerdict verdict, Duration duration) {
    Tags tags = Tags.of("mode", mode.id(), "verdict", verdict.id());
    registry.counter(REPLAYS, tags).increment();
    Timer.builder(DURATION)
        .tags(tags)
        .publishPercentileHistogram()
        .register(registry)
        .record(duration);
  }

  @Override
  public void diverged(ReplayMode mode, String kind, DivergenceSeverity severity, long count) {
    Tags tags = Tags.of("mode", mode.id(), "kind", kind, "severity", severity.id());
    registry.counter(DIVERGENCES, tags).increment(count);
  }
}
