package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The commands that a replay with a miss prints: they do as they say. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class NextCommandsTest {

  @TempDir
  Path home;

  private String[] command;

  @BeforeEach
  void record() throws Exception {
    Path session = GreetingSession.record(home, "one", "Hello");
    command = new String[] {
      "run",
      session.toString(),
      "--mode",
      "mock",
      "--unsafe-no-sandbox",
      "--on-unmatched=stop",
      "--subject",
      "sh " + GreetingSession.agent(home, "b.txt"),
      "--out",
      home.resolve("kept").toString()
    };
  }

  /** Runs the command that follows some words in the output of a command. */
  private static Console next(Console run, String purpose) {
    String line = run.out()
        .lines()
        .filter(each -> each.strip().startsWith(purpose + ": replay "))
        .findFirst()
        .orElseThrow(() -> new AssertionError(run.out()));
    List<String> words = words(line.substring(line.indexOf(": replay ") + 9));
    return Console.run(words.toArray(String[]::new));
  }

  private static List<String> words(String line) {
    try {
      Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\n' " + line).start();
      return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void changed_parameter_is_accepted_recorded_or_shown() throws Exception {
    Console run = Console.run(command);
    assertThat(run.exit()).isEqualTo(1);

    Console accepted = next(run, "to accept it");
    assertThat(accepted.exit()).as(accepted.err() + accepted.out()).isZero();
    assertThat(accepted.out()).contains("requests    3: 2 exact, 1 rules");

    next(run, "to record it with the recorded results");
    Path recorded = home.resolve("one.new");
    assertThat(recorded).isDirectoryContaining("glob:**REPLAY.jsonl");
    command[1] = recorded.toString();
    command[9] = home.resolve("again").toString();
    Console again = Console.run(command);
    assertThat(again.exit()).as(again.err() + again.out()).isZero();

    assertThat(next(run, "to show all misses").out()).contains("MISS");
  }

  @Test
  void request_that_no_rule_can_accept_has_no_such_command() throws Exception {
    Path agent = home.resolve("agent.sh");
    Files.writeString(agent, Files.readString(agent).replace("read_file", "open_file"));

    Console run = Console.run(command);

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).doesNotContain("to accept it", "to record it");
  }

  @Test
  void replay_without_a_miss_has_no_commands() throws Exception {
    GreetingSession.agent(home, "a.txt");

    Console run = Console.run(command);

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.out()).doesNotContain(": replay run");
  }
}
