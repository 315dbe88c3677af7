package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.engine.replay.ReplayListener.Progress;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The keys of a replay, with typed lines in place of a terminal. */
class RunKeysTest {

  private final ReplayControl control = new ReplayControl();
  private final List<String> said = new ArrayList<>();

  private RunKeys keys(InputStream in, boolean isInteractive) {
    PrintStream none = new PrintStream(PrintStream.nullOutputStream());
    Terminal terminal = new Terminal(in, none, none, false, true, true, 80, isInteractive);
    return new RunKeys(terminal, control, said::add);
  }

  private RunKeys typed(String lines) throws Exception {
    RunKeys keys = keys(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), true);
    keys.read();
    return keys;
  }

  private static Progress at(long seconds) {
    return new Progress(1, 1, 2, 0, Duration.ofSeconds(seconds), null, false);
  }

  @Test
  void p_pauses_and_resumes() throws Exception {
    typed("p\n");
    assertThat(control.isPaused()).isTrue();

    typed(" p \r\n");
    assertThat(control.isPaused()).isFalse();
    assertThat(said).containsExactly("paused before the next exchange", "resumed");
  }

  @Test
  void s_pauses_after_one_exchange() throws Exception {
    typed("s\n");

    assertThat(control.isPaused()).isTrue();
    assertThat(said).containsExactly("one exchange");
  }

  @Test
  void q_aborts() throws Exception {
    RunKeys keys = typed("q\n");

    assertThat(keys.isAborted()).isTrue();
    assertThat(said).isEmpty();
  }

  @Test
  void different_words_show_the_keys_and_empty_lines_nothing() throws Exception {
    RunKeys keys = typed("\npq\n" + "x".repeat(10_000) + "\nq");

    assertThat(said).containsExactly(RunKeys.HINT, RunKeys.HINT);
    assertThat(keys.isAborted()).isFalse();
    assertThat(control.isPaused()).isFalse();
  }

  @Test
  void keys_are_announced_once_after_two_seconds() throws Exception {
    try (RunKeys keys = keys(InputStream.nullInputStream(), true)) {
      keys.progress(at(1));
      assertThat(said).isEmpty();

      keys.progress(at(2));
      keys.progress(at(3));
      assertThat(said).containsExactly(RunKeys.HINT);
    }
  }

  @Test
  void input_that_is_not_a_terminal_is_not_read() throws Exception {
    InputStream refusing = new InputStream() {
      @Override
      public int available() {
        throw new AssertionError("read");
      }

      @Override
      public int read() {
        throw new AssertionError("read");
      }
    };
    try (RunKeys keys = keys(refusing, false)) {
      keys.progress(at(5));
    }

    assertThat(said).isEmpty();
  }
}
