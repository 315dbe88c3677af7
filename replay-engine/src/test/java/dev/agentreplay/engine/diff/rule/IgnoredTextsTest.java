package dev.agentreplay.engine.diff.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.TestValues;
import dev.agentreplay.engine.diff.value.CompiledRule;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts that the named rules of {@link Ignore} cover, and those that they must not cover. */
class IgnoredTextsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-11-21T08:17:05Z",
        "2024-11-21T08:17:05.123456789Z",
        "2024-11-21t08:17:05+01:00",
        "2024-11-21T08:17",
        "2024-11-21 08:17:05",
        "2024-11-21 08:17:05,123",
        "2024-11-21 08:17:05.000000000 +0000",
        "2024-11-21 08:17:05 UTC",
        "2024-11-21T08:17:05.123+00",
        "2024/11/21 08:17:05",
        "2024-11-21_08-17-05",
        "2024-11-21T08-17-05-123Z",
        "20241121T081705Z",
        "20241121_081705",
        "Thu, 21 Nov 2024 08:17:05 GMT",
        "Thu, 21 Nov 2024 08:17:05 +0100",
        "Thursday, 21-Nov-24 08:17:05 GMT",
        "21/Nov/2024:08:17:05 +0000",
        "21 Nov 2024 08:17",
        "11/21/2024, 8:17:05 AM",
        "11/21/24 8:17 pm",
        "Thu Nov 21 08:17:05 2024",
        "Thu Nov 21 08:17:05 2024 +0100",
        "Thu Nov 21 08:17:05 CET 2024",
        "Thu Nov 21 2024 08:17:05 GMT+0100 (Central European Standard Time)",
        "Nov 21 08:17:05",
        "November 21, 2024 at 8:17 AM",
        "Nov 21 08:17",
        "Nov  1 08:17",
        "Nov 21  2024",
        "21 Nov 08:17",
      })
  void timestamp_is_ignored_as_a_whole(String text) {
    assertThat(rewritten(Ignore.timestamps(), text)).isEqualTo("<timestamp>");
    assertThat(rewritten(Ignore.timestamps(), "[" + text + "] x")).isEqualTo("[<timestamp>] x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-05-20",
        "May 20 2024",
        "20 May 2024",
        "08:17:05",
        "from 10:00 to 12:00",
        "version 2024.05.20",
        "2024-13-41T08:17:05",
        "ratio 4/5/6 7",
        "12345678901234",
        "May 2024",
        "Maybe 12 08",
        "Decimals 21 08:17",
        "IMay 21 x",
        "port 8080:80",
        "sha256:2024112108170500000000000000000000000000000000000000000000000000",
      })
  void text_other_than_a_timestamp_stays(String text) {
    assertThat(rewritten(Ignore.timestamps(), text)).isEqualTo(text);
  }

  @Test
  void listings_of_files_differ_in_names_and_sizes_only() {
    assertThat(rewritten(
            Ignore.timestamps(),
            "-rw-r--r-- 1 root root 45 Nov 21 08:17 2024 report\n"
                + "drwxr-xr-x 2 root root 4096 May  3  2021 src"))
        .isEqualTo("-rw-r--r-- 1 root root 45 <timestamp> 2024 report\n"
            + "drwxr-xr-x 2 root root 4096 <timestamp> src");
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp, 1732177025",
    "ts, 1732177025.123",
    "createdAt, 1732177025123",
    "created, 1732177025",
    "start_time_ms, 1732177025123",
    "end-time-ns, 1732177025123456789",
    "mtime, 1732177025",
    "Last-Modified, 1732177025",
    "exp, 1732177025",
    "at, 1000000000",
    "at, 3999999999",
    "at, 1000000000000",
    "at, 3999999999999999",
  })
  void number_of_a_member_that_is_a_time_is_ignored(String member, String number) {
    assertThat(rewritten(Ignore.timestamps(), member, JsonNumber.of(number)))
        .isEqualTo("<timestamp>");
    assertThat(rewritten(Ignore.timestamps(), member, JsonString.of(number)))
        .isEqualTo("<timestamp>");
  }

  @ParameterizedTest
  @CsvSource({
    "amount, 1732177025",
    "id, 1732177025",
    "format, 1732177025",
    "time, 12",
    "date, 20240520",
    "date, 202405201030",
    "date, 20240520103000",
    "timestamp, 999999999",
    "timestamp, 4000000000",
    "timestamp, 40000000000",
    "timestamp, -1732177025",
    "timestamps_count, 1732177025",
    "'', 1732177025",
  })
  void other_numbers_are_not_times(String member, String number) {
    JsonValue value = JsonNumber.of(number);
    assertThat(Objects.requireNonNull(CompiledRule.of(Ignore.timestamps()).scalars())
            .apply(member, value))
        .isSameAs(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.23s",
        "12 ms",
        "1,234 µs",
        "3m 4s",
        "3m4s",
        "0m1.234s",
        "1h 2m",
        "1h2m3s",
        "1d 2h 3m 4s",
        "5 minutes",
        "2 hours",
        "10 min",
        "15.2 seconds",
        "PT1.5S",
        "PT2H3M",
        "P1DT2H",
        "0:00:12",
        "0:00:12.345",
        "800ns",
        "90secs",
      })
  void duration_is_ignored_as_a_whole(String text) {
    assertThat(rewritten(Ignore.durations(), text)).isEqualTo("<duration>");
    assertThat(rewritten(Ignore.durations(), "done in " + text + ", ok"))
        .isEqualTo("done in <duration>, ok");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "12",
        "30m",
        "2h",
        "5 miles",
        "3 sheets",
        "4 items",
        "08:17:05",
        "8:17:05 AM",
        "1980s",
        "version 1.2.3s",
        "a12s",
        "12s4",
        "PT",
        "P1D",
        "mp3s",
        "10 hits",
        "http://x:8:12:13",
      })
  void text_other_than_a_duration_stays(String text) {
    assertThat(rewritten(Ignore.durations(), text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "latency_ms",
        "durationMs",
        "elapsed",
        "elapsed_time",
        "took",
        "time_taken",
        "total_time",
        "responseTime",
        "execution-time-ms",
        "call_duration_seconds",
      })
  void number_of_a_member_that_is_a_duration_is_ignored(String member) {
    assertThat(rewritten(Ignore.durations(), member, JsonNumber.of("0.25")))
        .isEqualTo("<duration>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "timeout_ms",
        "max_duration",
        "latencyLimit",
        "time",
        "size",
        "ms",
        "time_zone",
        "timeTaken2",
      })
  void number_of_a_different_member_is_not_a_duration(String member) {
    JsonValue value = JsonNumber.of("0.25");
    assertThat(Objects.requireNonNull(CompiledRule.of(Ignore.durations()).scalars())
            .apply(member, value))
        .isSameAs(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "123e4567-e89b-12d3-a456-426614174000",
        "123E4567-E89B-12D3-A456-426614174000",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "call_sumFTucxMOyQNcNiudNdAHdy",
        "call_62a36155bcdf1",
        "toolu_01A09q90qw90lq917835lq9",
        "chatcmpl-9aBcDeFgHiJkLm",
        "req_011CSHoEeqs5C35K2UUqR7Fy",
        "msg_013Zva2CMHLNnjNjJJKqJ2EF",
        "run_abc123Def456",
        "span_00f067aa0ba902b7",
        "resp_67ccd2bed1ec8190b14f964abc054267",
        "call_8s2k1m3px0q4",
      })
  void id_is_ignored_as_a_whole(String text) {
    assertThat(rewritten(Ignore.ids(), text)).isEqualTo("<id>");
    assertThat(rewritten(Ignore.ids(), "id=" + text + ".")).isEqualTo("id=<id>.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9c56cc51b374c3ba189210d5b6d4bf57790d351c",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        "d41d8cd98f00b204e9800998ecf8427e",
        "12345678901234567890123456",
        "01ARZ3NDEKTSV4RRFFQ69G5FAVX",
        "call_function",
        "call_12345678",
        "run_tests_now1",
        "run_backtest1",
        "run_backtest2",
        "run_test12345",
        "run_prod98765",
        "run_integration1",
        "run_integrationTestsForAll",
        "run_AllTestsOfModule2",
        "run_BACKTESTOFALLOFTHEM",
        "run_HTTPSERVERTEST2",
        "call_updateCustomerAddress2",
        "call_python3to2convert",
        "batch_feed20240520",
        "call_a1b2c3d4",
        "run_202405201030405060",
        "order_ab12cd34ef",
        "W9876543",
        "recall_a1b2c3d4e5",
      })
  void what_says_something_stays(String text) {
    assertThat(rewritten(Ignore.ids(), text)).isEqualTo(text);
  }

  @Test
  void text_without_anything_to_ignore_stays_the_same_instance() {
    JsonValue text = JsonString.of("nothing here 12");
    for (Ignore rule : new Ignore[] {Ignore.timestamps(), Ignore.durations(), Ignore.ids()}) {
      assertThat(Objects.requireNonNull(CompiledRule.of(rule).scalars()).apply("a", text))
          .isSameAs(text);
    }
  }

  private static String rewritten(Ignore rule, String text) {
    return rewritten(rule, "member", JsonString.of(text));
  }

  private static String rewritten(Ignore rule, String member, JsonValue value) {
    return TestValues.readable(Objects.requireNonNull(CompiledRule.of(rule).scalars())
        .apply(member, value)
        .asString());
  }
}
