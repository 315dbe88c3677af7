package dev.agentreplay.engine.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayMetrics;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example with Micrometer measures replays, and is the one of docs/replaying.md. */
class MicrometerReplayMetricsTest {

  private static final String EXAMPLE =
      "src/test/java/dev/agentreplay/engine/metrics/MicrometerReplayMetrics.java";

  @TempDir
  private Path directory;

  private final MeterRegistry registry = new SimpleMeterRegistry();

  private static void agent(AgentScope scope, String path) throws Exception {
    scope.run("read_file", Map.of("path", path), () -> "content");
    scope.end(SessionEnd.of(Status.SUCCESS));
  }

  private ReplayReport replay(Session session, String path) throws Exception {
    return Replay.of(session)
        .mode(ReplayMode.MOCK)
        .metrics(new MicrometerReplayMetrics(registry))
        .run(scope -> agent(scope, path));
  }

  @Test
  void replays_divergences_and_durations_are_in_the_registry() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "one")) {
      agent(AgentScope.recording(recorder, Executors.none()), "a.txt");
    }
    Session session = Session.open(directory);

    ReplayReport first = replay(session, "a.txt");
    ReplayReport second = replay(session, "a.txt");
    replay(session, "b.txt");

    assertThat(count(ReplayMetrics.REPLAYS, "verdict", "identical")).isEqualTo(2);
    assertThat(count(ReplayMetrics.REPLAYS, "verdict", "diverged")).isOne();
    assertThat(count(ReplayMetrics.DIVERGENCES, "kind", "MISS")).isOne();
    Timer timer =
        registry.get(ReplayMetrics.DURATION).tag("verdict", "identical").timer();
    assertThat(timer.count()).isEqualTo(2);
    assertThat(timer.totalTime(TimeUnit.NANOSECONDS))
        .isEqualTo(first.duration().plus(second.duration()).toNanos());
  }

  private double count(String name, String tag, String value) {
    return registry.get(name).tag("mode", "mock").tag(tag, value).counter().count();
  }

  @Test
  void document_has_the_example_and_each_metric_with_its_labels() throws Exception {
    replays_divergences_and_durations_are_in_the_registry();

    String source = Files.readString(Path.of(EXAMPLE));
    String document = Files.readString(Path.of("../docs/replaying.md"));
    assertThat(document).contains("```java\n" + source.substring(source.indexOf("import")) + "```");
    for (Meter meter : registry.getMeters()) {
      Meter.Id id = meter.getId();
      String labels = id.getTags().stream()
          .map(Tag::getKey)
          .map(label -> "`" + label + "`")
          .sorted()
          .collect(Collectors.joining(", "));
      String row = document
          .lines()
          .filter(line -> line.startsWith("| `" + id.getName() + "` |"))
          .findFirst()
          .orElseThrow();
      String documented = Arrays.stream(row.split("\\|")[4].split(","))
          .map(String::strip)
          .sorted()
          .collect(Collectors.joining(", "));
      assertThat(labels).as(id.getName()).isEqualTo(documented);
    }
  }
}
