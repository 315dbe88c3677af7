package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
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
    Outcome outcome = new Outcome(ok, exitCode, error ? JsonObject.of("name", "x") : null);

    assertThat(outcome.succeeded()).isEqualTo(succeeded);
  }

  @ParameterizedTest
  @CsvSource({"0, true", "1, false", "-1, false", "137, false"})
  void exit_code_zero_is_success(int exitCode, boolean ok) {
    assertThat(Outcome.exit(exitCode)).isEqualTo(new Outcome(ok, exitCode, null));
  }
}
