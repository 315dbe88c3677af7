package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampTest {

  @ParameterizedTest
  @CsvSource({
    "2026-01-13T10:00:00Z, 2026-01-13T10:00:00Z",
    "2026-01-13T10:00:00.5Z, 2026-01-13T10:00:00.500Z",
    "2026-01-13T10:00:00.000Z, 2026-01-13T10:00:00Z",
    "2025-12-23T18:56:49.573498303+00:00, 2025-12-23T18:56:49.573498303Z",
    "2026-01-13T10:00:00-00:00, 2026-01-13T10:00:00Z",
    "2026-01-13T10:00:00+05:30, 2026-01-13T04:30:00Z",
    "2026-01-13T10:00:00.123456-08:00, 2026-01-13T18:00:00.123456Z",
    "2026-01-01T00:00:00+18:00, 2025-12-31T06:00:00Z",
    "2024-02-29T23:59:59Z, 2024-02-29T23:59:59Z",
    "0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z, 9999-12-31T23:59:59.999999999Z",
    "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999999Z",
  })
  void time_is_read_and_its_text_is_kept(String text, Instant instant) {
    Timestamp timestamp = Timestamp.parse(text);

    assertThat(timestamp.text()).isEqualTo(text);
    assertThat(timestamp).hasToString(text);
    assertThat(timestamp.instant()).isEqualTo(instant);
    assertThat(Timestamp.tryParse(text)).isEqualTo(timestamp);
    Timestamp within = inArray(text);
    assertThat(within.text()).isEqualTo(text);
    assertThat(within.instant()).isEqualTo(instant);
  }

  /** Parses the text in the middle of an array. */
  private static Timestamp inArray(String text) {
    byte[] utf8 = ("9" + text + "9").getBytes(StandardCharsets.UTF_8);
    return Timestamp.tryParse(utf8, 1, utf8.length - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-01-13",
        "2026-01-13T10:00:00",
        "2026-01-13T10:00Z",
        "2026-01-13 10:00:00Z",
        "2026-01-13t10:00:00Z",
        "2026-01-13T10:00:00z",
        "2026-01-13T10:00:00.Z",
        "2026-01-13T10:00:00.1234567890Z",
        "2026-01-13T10:00:00,5Z",
        "2026-01-13T10:00:00.5",
        "2026-01-13T10:00:00.5 Z",
        "2026-01-13T10:00:00+0000",
        "2026-01-13T10:00:00+00",
        "2026-01-13T10:00:00+1:00",
        "2026-01-13T10:00:00+01:00:00",
        "2026-01-13T10:00:00+01-00",
        "2026-01-13T10:00:00*01:00",
        "2026-01-13T10:00:00+19:00",
        "2026-01-13T10:00:00+18:01",
        "2026-01-13T10:00:00+01:60",
        "2026-01-13T10:00:00ZZ",
        "2026-01-13T10:00:00Z ",
        " 2026-01-13T10:00:00Z",
        "2026-01-13T10:00:00[UTC]",
        "2026-00-13T10:00:00Z",
        "2026-13-13T10:00:00Z",
        "2026-02-29T10:00:00Z",
        "2026-04-31T10:00:00Z",
        "2026-01-00T10:00:00Z",
        "2026-01-13T24:00:00Z",
        "2026-01-13T10:60:00Z",
        "2026-01-13T10:00:60Z",
        "+2026-01-13T10:00:00Z",
        "-2026-01-13T10:00:00Z",
        "12026-01-13T10:00:00Z",
        "\u0662026-01-13T10:00:00Z",
        "2026-1-13T10:00:00Z",
        "20260113T100000Z",
        "1768298400",
      })
  void other_forms_are_refused(String text) {
    assertThat(Timestamp.tryParse(text)).isNull();
    assertThat(inArray(text)).isNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Timestamp.parse(text))
        .withMessage("not a time of the form YYYY-MM-DDThh:mm:ss[.fraction](Z|+hh:mm): " + text);
  }

  @Test
  void equality_is_that_of_the_text() {
    Timestamp utc = Timestamp.parse("2026-01-13T10:00:00Z");
    Timestamp offset = Timestamp.parse("2026-01-13T10:00:00+00:00");

    assertThat(utc)
        .isEqualTo(Timestamp.parse("2026-01-13T10:00:00Z"))
        .hasSameHashCodeAs(Timestamp.parse("2026-01-13T10:00:00Z"))
        .isNotEqualTo(offset)
        .isNotEqualTo(utc.text());
    assertThat(utc.instant()).isEqualTo(offset.instant());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000-01-01T00:00:00Z",
        "0000-02-29T23:59:59.999999999Z",
        "1970-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999Z",
        "9999-12-31T23:59:59.999999999Z"
      })
  void instant_is_written_as_it_prints_itself(String text) {
    assertThat(Timestamp.of(Instant.parse(text))).hasToString(text);
    assertThat(Timestamp.of(Instant.parse(text))).hasSameHashCodeAs(Timestamp.parse(text));
  }

  @Test
  void instant_outside_four_digit_years_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Timestamp.of(Instant.parse("+10000-01-01T00:00:00Z")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Timestamp.of(Instant.parse("-0001-12-31T23:59:59Z")));
    assertThatIllegalArgumentException().isThrownBy(() -> Timestamp.of(Instant.MAX));
  }
}
