package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it replays leaves its ledger, and the recording as it was. */
@Timeout(60)
@Tag("slow")
class ReplayCrashTest {

  private static final int EXCHANGES = 20;
  private static final int ANSWERED = 7;

  @TempDir
  Path directory;

  @Test
  void a_process_that_is_killed_leaves_whole_lines_and_the_recording_unchanged() throws Exception {
    Path recorded = directory.resolve("recorded");
    Path out = directory.resolve("replayed");
    Session session = TestRecordings.record(
        recorded,
        scope -> agent(scope, EXCHANGES),
        Executors.none().withTool("read_file", TestRecordings.echo()));
    byte[] log = Files.readAllBytes(session.log());
    byte[] receipt = Files.readAllBytes(recorded.resolve(Session.RECEIPT_NAME));

    killAtLine(recorded, out);

    assertThat(Files.readAllBytes(session.log())).isEqualTo(log);
    assertThat(Files.readAllBytes(recorded.resolve(Session.RECEIPT_NAME))).isEqualTo(receipt);
    assertThat(Files.readString(out.resolve(Replay.LEDGER_NAME))).endsWith("\n");
    assertThat(TestRecordings.ledger(out))
        .hasSize(ANSWERED)
        .allSatisfy(entry -> assertThat(entry.get("result").asString()).isEqualTo("served"));
    assertThat(completeResults(out)).isLessThanOrEqualTo(ANSWERED);
    assertThat(out.resolve(Session.RECEIPT_NAME)).doesNotExist();
    assertThat(Replay.of(session)
            .mode(ReplayMode.MOCK)
            .run(scope -> agent(scope, EXCHANGES))
            .verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
  }

  /** The number of results in the log of a replay up to its last complete line. */
  private static long completeResults(Path out) throws IOException {
    String text = Files.readString(out.resolve(Session.LOG_NAME));
    Path whole = out.resolveSibling("whole.jsonl");
    Files.writeString(whole, text.substring(0, text.lastIndexOf('\n') + 1));
    long results = 0;
    try (var reader = new Session(whole, null).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        results += line.event() instanceof ToolResult ? 1 : 0;
      }
    }
    return results;
  }

  private static void killAtLine(Path recorded, Path out) throws Exception {
    Process process = new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            ReplayCrashTest.class.getName(),
            recorded.toString(),
            out.toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    try (BufferedReader lines = process.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("answered");
    } finally {
      process.toHandle().destroyForcibly();
      process.onExit().join();
    }
  }

  private static void agent(AgentScope scope, int exchanges) throws Exception {
    for (int i = 0; i < exchanges; i++) {
      assertThat(scope.call("read_file", TestRecordings.path(i)))
          .isEqualTo(JsonText.parse("{\"path\":\"file-%d\"}".formatted(i)));
    }
  }

  /** The process that is killed: replays some exchanges, and waits. */
  public static void main(String[] arguments) throws Exception {
    Thread parent = new Thread(ReplayCrashTest::haltWithParent);
    parent.setDaemon(true);
    parent.start();
    Replay.of(Session.open(Path.of(arguments[0])))
        .mode(ReplayMode.MOCK)
        .directory(Path.of(arguments[1]))
        .run(scope -> {
          agent(scope, ANSWERED);
          System.out.println("answered");
          new CountDownLatch(1).await();
        });
  }

  private static void haltWithParent() {
    try {
      while (System.in.read() >= 0) {
        // until the parent has ended
      }
    } catch (IOException e) {
      e.printStackTrace();
    }
    Runtime.getRuntime().halt(1);
  }
}
