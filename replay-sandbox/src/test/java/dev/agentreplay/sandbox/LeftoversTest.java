package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class LeftoversTest {

  @TempDir
  private Path directory;

  @Test
  void only_the_processes_of_the_named_sandbox_are_killed() throws Exception {
    // A shell whose command line is like that of bwrap, and which waits for its input.
    Path shell = Files.createSymbolicLink(directory.resolve("bwrap"), Path.of("/bin/sh"));
    Files.writeString(directory.resolve(Leftovers.VARIABLE), "read line\n");
    Process own = start(shell, "one");
    Process other = start(shell, "two");
    try {
      Leftovers.kill("one"::equals);

      assertThat(own.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(own.exitValue()).isEqualTo(128 + 9);
      assertThat(other.isAlive()).isTrue();
    } finally {
      own.destroyForcibly();
      other.destroyForcibly();
    }
  }

  @Test
  void an_incomplete_line_names_no_session() throws Exception {
    for (String line : new String[] {"", "12 (sh", "12 (sh) S 1 "}) {
      Files.writeString(directory.resolve("session"), line);

      assertThatCode(() -> Leftovers.killSession(directory)).doesNotThrowAnyException();
    }
  }

  private Process start(Path shell, String name) throws Exception {
    return new ProcessBuilder(shell.toString(), "-e", Leftovers.VARIABLE, name)
        .directory(directory.toFile())
        .start();
  }
}
