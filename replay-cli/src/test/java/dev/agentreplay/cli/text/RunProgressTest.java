package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.ReplayListener.Progress;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunProgressTest {

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private RunProgress progress(boolean isTerminal) {
    return progress(isTerminal, false);
  }

  private RunProgress progress(boolean isTerminal, boolean isQuiet) {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    Terminal terminal = new Terminal(
        InputStream.nullInputStream(), stream, stream, false, isTerminal, isTerminal, 80);
    return new RunProgress(terminal, isQuiet);
  }

  private String printed() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static Progress at(long seconds, long requests, long divergences, String running) {
    return new Progress(
        requests, 12, 1_800, divergences, Duration.ofSeconds(seconds), running, running == null);
  }

  @Test
  void short_replay_prints_nothing() {
    RunProgress progress = progress(false);
    progress.progress(at(1, 12, 0, "read_file"));
    progress.end();

    assertThat(printed()).isEmpty();
  }

  @Test
  void without_a_terminal_each_report_is_a_line() {
    RunProgress progress = progress(false);
    progress.progress(at(2, 12, 0, "read_file"));
    progress.progress(at(3, 14, 2, null));
    progress.progress(at(3, 1, 1, null));
    progress.progress(at(4, 12, 0, "\u001b[2J" + "x".repeat(60)));
    progress.end();
    progress.progress(at(5, 12, 0, "late"));

    assertThat(printed().lines())
        .containsExactly(
            "12 of 1,800 exchanges, 2 s, running read_file",
            "12 of 1,800 exchanges, 14 requests, 2 divergences, 3 s, paused",
            "12 of 1,800 exchanges, 1 request, 1 divergence, 3 s, paused",
            "12 of 1,800 exchanges, 4 s, running ␛[2J" + "x".repeat(35) + "…");
  }

  @Test
  void quiet_replay_prints_only_messages() {
    RunProgress progress = progress(true, true);
    progress.progress(at(2, 12, 0, "a"));
    progress.say("paused");
    progress.end();

    assertThat(printed()).isEqualTo("replay: paused\n");
  }

  @Test
  void message_is_a_line_of_its_own() {
    RunProgress progress = progress(true);
    progress.progress(at(2, 12, 0, "a"));
    progress.say("paused");

    String first = "12 of 1,800 exchanges, 2 s, running a";
    assertThat(printed())
        .isEqualTo(first + "\r" + " ".repeat(first.length()) + "\rreplay: paused\n");
  }

  @Test
  void on_a_terminal_the_line_is_replaced_and_erased_at_the_end() {
    RunProgress progress = progress(true);
    progress.progress(at(2, 12, 0, "a"));
    progress.progress(at(3, 12, 0, "b"));
    progress.end();

    String first = "12 of 1,800 exchanges, 2 s, running a";
    String erased = "\r" + " ".repeat(first.length()) + "\r";
    assertThat(printed())
        .isEqualTo(first + erased + first.replace("2 s, running a", "3 s, running b") + erased);
  }
}
