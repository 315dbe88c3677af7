package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Status.Kind;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTest {

  @ParameterizedTest
  @CsvSource({
    "Success, SUCCESS",
    "success, SUCCESS",
    "SUCCESS, SUCCESS",
    "Failed, FAILURE",
    "failed, FAILURE",
    "failure, FAILURE",
    "Failure, FAILURE",
    "Cancelled, CANCELLED",
    "cancelled, CANCELLED",
    "canceled, CANCELLED",
    "Timeout, TIMEOUT",
    "timeout, TIMEOUT",
    "Skipped, SKIPPED",
    "MaxIterationsReached, MAX_ITERATIONS_REACHED",
    "max_iterations_reached, MAX_ITERATIONS_REACHED",
    "completed, OTHER",
    "' success', OTHER",
    "'', OTHER",
    "fail, OTHER",
  })
  void spelling_is_understood_and_kept(String spelling, Kind kind) {
    assertThat(Status.parse(spelling)).isEqualTo(new Status(kind, spelling));
  }

  @ParameterizedTest
  @CsvSource({"Success,success", "Failed,failure", "canceled,cancelled", "Odd One,Odd One"})
  void word_is_that_of_the_kind_and_else_the_spelling(String spelling, String word) {
    assertThat(Status.parse(spelling).word()).isEqualTo(word);
    assertThat(Status.parse(spelling).isSuccess()).isEqualTo(word.equals("success"));
  }

  @Test
  void spelling_is_understood_in_every_locale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr"));

      assertThat(Status.parse("TIMEOUT").kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(Status.parse("FAILED").kind()).isEqualTo(Kind.FAILURE);
      assertThat(Status.SKIPPED.word()).isEqualTo("skipped");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void constants_are_spelled_as_specification_000_does() {
    assertThat(Status.parse("Success")).isEqualTo(Status.SUCCESS);
    assertThat(Status.parse("Failed")).isEqualTo(Status.FAILED);
    assertThat(Status.parse("Cancelled")).isEqualTo(Status.CANCELLED);
    assertThat(Status.parse("Timeout")).isEqualTo(Status.TIMEOUT);
    assertThat(Status.parse("Skipped")).isEqualTo(Status.SKIPPED);
    assertThat(Status.parse("MaxIterationsReached")).isEqualTo(Status.MAX_ITERATIONS_REACHED);
  }

  @Test
  void null_is_refused() {
    assertThatThrownBy(() -> Status.parse(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new Status(null, "x")).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new Status(Kind.OTHER, null)).isInstanceOf(NullPointerException.class);
  }
}
