package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands that are interrupted, with sessions that are packed. */
class InterruptionTest {

  /** Fails in an exit hook. */
  static final class Exiting {

    private Exiting() {}

    public static void main(String[] args) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(fail(System.out))));
    }
  }

  /** The exit code of a command that reads a packed session after it was closed. */
  private static int fail(PrintStream err) {
    CommandLine command = CommandModel.create(
        new Terminal(InputStream.nullInputStream(), err, err, false, false, false, 0));
    try {
      return command
          .getExecutionExceptionHandler()
          .handleExecutionException(
              new ClosedFileSystemException(), command, command.parseArgs("stats", "x"));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @TempDir
  Path home;

  /** Records a session with a tool, and packs it. */
  private Path packed() throws Exception {
    Path directory = home.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(directory, "interrupted")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("hang", Map.of("path", "a.txt"), () -> "Hello");
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    Path packed = home.resolve("session.tar.gz");
    PackedSession.pack(directory, packed);
    return packed;
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  @Timeout(60)
  void interrupted_replay_of_a_packed_session_prints_a_report_on_its_part() throws Exception {
    Path tools = Files.writeString(
        home.resolve("tools.json"),
        "{\"tools\":{\"hang\":{\"command\":[\"sh\",\"-c\",\"echo started >&2; sleep 1000\"],"
            + "\"effect\":\"pure\"}}}");
    Path temporary = Files.createDirectory(home.resolve("tmp"));
    Process process = CommandProcess.in(
            temporary, "run", packed(), "--mode", "node", "--unsafe-no-sandbox", "--tools", tools)
        .start();
    try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
        InputStream out = process.getInputStream()) {
      CommandProcess.awaitLine(err, "sh: started");

      process
          .toHandle()
          .destroy(); // the signal TERM, for which the JVM does the same as for Ctrl+C

      assertThat(new String(out.readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("incomplete  ")
          .contains("\n  incomplete  interrupted\n");
      assertThat(process.waitFor()).isIn(ExitCode.INTERRUPTED, 128 + 15);
      assertThat(temporary).isEmptyDirectory();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void use_of_a_closed_packed_session_is_an_internal_error() {
    assertThat(fail(new PrintStream(PrintStream.nullOutputStream()))).isEqualTo(ExitCode.INTERNAL);
  }

  @Test
  void packed_session_closed_by_the_end_of_the_jvm_is_an_interruption() throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Exiting.class.getName())
        .redirectErrorStream(true)
        .start();
    try (InputStream out = process.getInputStream()) {
      assertThat(new String(out.readAllBytes(), StandardCharsets.UTF_8))
          .contains("replay: interrupted", "" + ExitCode.INTERRUPTED);
    } finally {
      process.destroyForcibly();
    }
  }
}
