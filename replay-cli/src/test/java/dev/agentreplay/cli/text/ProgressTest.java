package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Progress is shown now and then, and erased afterwards. */
class ProgressTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private long now;

  @Test
  void progress_is_shown_five_times_a_second_and_erased() {
    Progress progress = new Progress(err, true, () -> now);
    for (int i = 0; i < 10; i++) {
      now += TimeUnit.MILLISECONDS.toNanos(50);
      progress.count();
    }
    progress.erase();
    progress.erase();
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("4 sessions, 20/s\r                \r8 sessions, 20/s\r                \r");
  }

  @Test
  void one_session_and_slow_ones_are_shown_exactly() {
    Progress progress = new Progress(err, true, () -> now);
    now += TimeUnit.MILLISECONDS.toNanos(2_500);
    progress.count();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("1 session, 0.4/s");
  }

  @Test
  void progress_is_not_shown_without_a_terminal() {
    Progress progress = new Progress(err, false, () -> now);
    now += TimeUnit.SECONDS.toNanos(9);
    progress.count();
    progress.erase();
    assertThat(bytes.size()).isZero();
  }
}
