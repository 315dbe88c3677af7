package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Commands of several replays that are interrupted: they report those made so far. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class InterruptedCommandsTest {

  @TempDir
  Path home;

  private Path session;
  private Path temporary;

  @BeforeEach
  void record() throws Exception {
    session = GreetingSession.record(home, "one", "Hello");
    temporary = Files.createDirectory(home.resolve("temporary"));
  }

  /** An agent that does what is recorded when it runs first, and then waits. */
  private Path agent() throws IOException {
    Path once = Files.createDirectory(home.resolve("once"));
    return Files.writeString(
        home.resolve("waiting.sh"),
        "if rmdir %s 2>/dev/null; then . %s; else echo started >&2; sleep 1000; fi\n"
            .formatted(once, GreetingSession.agent(home, "a.txt")));
  }

  /** Interrupts a command when its agent waits; returns what it prints. */
  private String interrupted(Object... arguments) throws Exception {
    Process process = CommandProcess.in(temporary, arguments).start();
    try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      StringBuilder begun = new StringBuilder();
      String line = err.readLine();
      while (line != null && !line.equals("subject: started")) {
        begun.append(line).append('\n');
        line = err.readLine();
      }
      assertThat(line).as(begun.toString()).isNotNull();

      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

      String text = out.lines().collect(Collectors.joining("\n"))
          + err.lines().collect(Collectors.joining("\n"));
      assertThat(process.waitFor()).as(text).isEqualTo(ExitCode.INTERRUPTED);
      assertThat(temporary).isEmptyDirectory();
      return text;
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @Tag("slow")
  void repeated_replays_are_reported_with_their_page() throws Exception {
    Path page = home.resolve("runs.html");

    String text = interrupted(
        "run",
        session,
        "--mode",
        "mock",
        "--unsafe-no-sandbox",
        "--subject",
        "sh " + agent(),
        "--repeat",
        "3",
        "--html",
        page);

    assertThat(text)
        .startsWith("1 of 2 replays passes (50.0%), 1 identical, 1 incomplete;"
            + " interrupted, 3 were requested\n");
    assertThat(page).isNotEmptyFile();
  }

  @Test
  @Tag("slow")
  void trials_of_packed_sessions_are_reported() throws Exception {
    Path other = GreetingSession.record(home, "two", "Bye");
    Path first = home.resolve("one.zip");
    Path second = home.resolve("two.zip");
    assertThat(Console.run("pack", session.toString(), first.toString()).exit()).isZero();
    assertThat(Console.run("pack", other.toString(), second.toString()).exit()).isZero();

    String text = interrupted(
        "attribute",
        "--outcome",
        "answer",
        "--unsafe-no-sandbox",
        "--subject",
        "sh " + agent(),
        first,
        second);

    assertThat(text).startsWith("undecided  ").contains("interrupted");
  }
}
