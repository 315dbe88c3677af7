package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recording is read as a stream: a replay needs less memory than the recording has bytes. */
class LargeRecordingTest {

  private static final int CALLS = 600;
  private static final String CONTENT = "0123456789abcdef".repeat(5_000);

  @TempDir
  Path directory;

  /** Records a session in the first argument, and replays it in all modes that read it whole. */
  static final class InSmallHeap {

    private InSmallHeap() {}

    public static void main(String[] args) throws Exception {
      Path recorded = Path.of(args[0]);
      try (SessionRecorder recorder = SessionRecorder.start(recorded, "large")) {
        agent(AgentScope.recording(recorder, Executors.none()));
      }
      Session session = Session.open(recorded);
      for (ReplayReport report : List.of(
          Replay.of(session).run(),
          Replay.of(session).mode(ReplayMode.MOCK).run(LargeRecordingTest::agent),
          Replay.of(session)
              .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("read", Effect.PURE))
              .run(LargeRecordingTest::agent))) {
        System.out.println(report.mode() + " " + report.verdict() + " " + report.exchanges());
      }
    }
  }

  private static void agent(AgentScope scope) throws Exception {
    for (int call = 0; call < CALLS; call++) {
      String text = call + CONTENT;
      scope.run("read", Map.of("number", call), () -> text);
    }
    scope.end(SessionEnd.of(Status.SUCCESS));
  }

  @Tag("slow")
  @Test
  @Timeout(300)
  void recording_with_more_bytes_than_the_heap_is_replayed() throws Exception {
    Path recorded = directory.resolve("recorded");
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx24m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            InSmallHeap.class.getName(),
            recorded.toString())
        .redirectErrorStream(true)
        .start();

    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(out).isZero();
    assertThat(out.lines().filter(line -> line.contains(" IDENTICAL "))).as(out).hasSize(3);
    assertThat(Files.size(recorded.resolve("REPLAY.jsonl"))).isGreaterThan(48_000_000);
  }
}
