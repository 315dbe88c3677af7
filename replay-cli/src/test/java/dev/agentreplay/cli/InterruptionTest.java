package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A packed session that was closed is an interruption only while the JVM shuts down. */
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
    CommandLine command = Main.commandLine(
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
