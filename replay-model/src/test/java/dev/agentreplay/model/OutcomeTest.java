package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutcomeTest {

  @ParameterizedTest
  @CsvSource({
    " ,     , false, true",
    " ,    0, false, true",
    " ,    1, false, false",
    " ,     , true,  false",
    " ,    0, true,  false",
    "true,  1, true,  true",
    "true,   , false, true",
    "false, 0, false, false",
    "false,  , false, false",
  })
  void success_is_as_stated_else_judged_by_exit_code_and_error(
      Boolean ok, Integer exitCode, boolean error, boolean succeeded) {
    Outcome outcome = Outcome.of(ok, exitCode, error ? Failure.of("x", "m") : null);

    assertThat(outcome.succeeded()).isEqualTo(succeeded);
  }

  @Test
  void effects_are_known_unless_the_outcome_states_otherwise() {
    assertThat(Outcome.NONE.isKnown()).isTrue();
    assertThat(Outcome.failed("E", "m").isKnown()).isTrue();
    assertThat(Outcome.NONE.withKnown(true).isKnown()).isTrue();
    for (Outcome unknown : List.of(Outcome.timedOut("late"), Outcome.cancelled("late"))) {
      assertThat(unknown.isKnown()).isFalse();
      assertThat(unknown.succeeded()).isFalse();
      assertThat(unknown.withKnown(null).isKnown()).isTrue();
    }
    assertThat(Outcome.timedOut("late").error()).isEqualTo(Failure.of("Timeout", "late"));
    assertThat(Outcome.cancelled("late").error()).isEqualTo(Failure.of("Cancelled", "late"));
  }

  @ParameterizedTest
  @CsvSource({"0, true", "1, false", "-1, false", "137, false"})
  void exit_code_zero_is_success(int exitCode, boolean ok) {
    assertThat(Outcome.exit(exitCode)).isEqualTo(Outcome.of(ok, exitCode, null));
  }
}
