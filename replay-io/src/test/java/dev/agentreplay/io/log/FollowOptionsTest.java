package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FollowOptionsTest {

  @Test
  void defaults_look_20_times_a_second_at_a_log_that_is_there() {
    FollowOptions options = FollowOptions.defaults();
    assertThat(options.reader()).isEqualTo(ReaderOptions.defaults());
    assertThat(options.pollInterval()).isEqualTo(Duration.ofMillis(50));
    assertThat(options.awaitsFile()).isFalse();
  }

  @Test
  void each_option_is_changed_by_itself() {
    FollowOptions options = FollowOptions.defaults()
        .withReader(new ReaderOptions(7))
        .withPollInterval(Duration.ofMillis(3))
        .withAwaitsFile(true);
    assertThat(options)
        .isEqualTo(new FollowOptions(new ReaderOptions(7), Duration.ofMillis(3), true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000999999S", "PT1H0.000000001S"})
  void interval_out_of_range_is_refused(Duration interval) {
    assertThatThrownBy(() -> FollowOptions.defaults().withPollInterval(interval))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pollInterval must be from 1 ms to 1 h: " + interval);
  }
}
