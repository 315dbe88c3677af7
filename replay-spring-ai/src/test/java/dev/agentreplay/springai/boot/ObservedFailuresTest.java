package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.agentreplay.io.recording.FailingDisk;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.springai.SpringAiCalls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The meters and the endpoint of an application whose disk fails. */
class ObservedFailuresTest {

  @TempDir
  Path directory;

  private ReplayProperties properties(FailurePolicy policy) {
    return new Binder(new MapConfigurationPropertySource(Map.of(
            "replay.record.dir", directory.toString(),
            "replay.record.failure-policy", policy.name().toLowerCase(Locale.ROOT))))
        .bindOrCreate("replay", ReplayProperties.class);
  }

  private static double failures(MeterRegistry registry) {
    return registry.get("replay.failures").functionCounter().count();
  }

  @ParameterizedTest
  @EnumSource(FailurePolicy.class)
  void full_disk_is_counted_and_shown_and_the_application_continues(FailurePolicy policy) {
    // one write of the first session fails
    FailingDisk disk = new FailingDisk(3, 4);
    MeterRegistry registry = new SimpleMeterRegistry();
    try (LoggedMessages logged = LoggedMessages.of("dev.agentreplay.springai")) {
      RecordingActivity activity = new RecordingActivity(properties(policy), disk::start);
      new ReplayObservability.Meters().replayMeters(activity).bindTo(registry);
      SpringAiCalls calls = SpringAiCalls.to(activity.recorder());
      ChatClient client = ChatClient.builder(calls.wrap(ScriptedModel.saying("model", "Yes.")))
          .defaultAdvisors(calls.advisor())
          .build();

      assertThat(client.prompt("Is it open?").call().content()).isEqualTo("Yes.");
      double first = failures(registry);
      assertThat(first).isPositive();
      assertThat(client.prompt("Is it open?").call().content()).isEqualTo("Yes.");

      assertThat(failures(registry)).isEqualTo(first);
      assertThat(registry.get("replay.sessions").functionCounter().count()).isEqualTo(2);
      assertThat(registry.get("replay.sessions.open").gauge().value()).isZero();
      Map<String, Object> state = new ReplayEndpoint(activity).replay();
      assertThat(state).containsEntry("failures", (long) first).containsEntry("open", List.of());
      assertThat((List<?>) state.get("lastFailures")).hasSize((int) first);
      assertThat(state.get("lastFailures").toString()).contains("no space left on device");
      assertThat(logged.from(Level.WARN))
          .singleElement()
          .asString()
          .contains("was not recorded; the agent continues");
      activity.destroy();
    }
  }
}
