package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts made to cost memory, stack or time. */
@Tag("slow")
class HostileTextTest {

  private static final int DEEP = 200_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final JsonLimits WIDE = JsonLimits.defaults().withMaxDepth(DEEP);

  @ParameterizedTest
  @CsvSource({"[, 1000", "'{\"a\":', 5000", "'[{\"a\":', 3000", "'{\"b\":1,\"a\":', 11000"})
  void depth_beyond_the_limit_is_refused_where_it_is_reached(String opening, int offset) {
    JsonSyntaxException refusal = Outcome.refusal(utf8(opening.repeat(100_000)));

    assertThat(refusal.reason()).isEqualTo(Reason.LIMIT);
    assertThat(refusal.offset()).isEqualTo(offset);
  }

  @ParameterizedTest
  @CsvSource({
    "[, ], [, ]",
    "'{\"a\":', '}', '{\"a\":', '}'",
    "'{\"b\":1,\"a\":', '}', '{\"a\":', ',\"b\":1}'",
    "'{\"b\":', ',\"a\":1}', '{\"a\":1,\"b\":', '}'",
    "'{\"c\":1,\"b\":', ',\"a\":[]}', '{\"a\":[],\"b\":', ',\"c\":1}'",
    "'{ \"\\u0062\" : 1 , \"\\u000a\" : ', '}', '{\"\\n\":', ',\"b\":1}'",
  })
  void depth_is_unlimited_if_no_limit_is_set(
      String opening, String closing, String expectedOpening, String expectedClosing) {
    byte[] text = utf8(opening.repeat(DEEP - 1) + "{}" + closing.repeat(DEEP - 1));
    byte[] expected =
        utf8(expectedOpening.repeat(DEEP - 1) + "{}" + expectedClosing.repeat(DEEP - 1));
    for (CanonicalJson json : List.of(CanonicalJson.SERDE, CanonicalJson.JCS)) {
      CanonicalJson wide = json.withLimits(WIDE);
      byte[] bytes = assertTimeoutPreemptively(PATIENCE, () -> wide.bytes(text));

      assertThat(bytes).isEqualTo(expected);
      assertThat(wide.isCanonical(expected)).isTrue();
      assertThat(wide.isCanonical(text))
          .isEqualTo(opening.equals(expectedOpening) && closing.equals(expectedClosing));
    }
  }

  @Test
  void deep_text_that_is_never_closed_is_refused_at_its_end() {
    CanonicalJson wide = CanonicalJson.SERDE.withLimits(WIDE);
    for (String opening : List.of("[", "{\"b\":1,\"a\":")) {
      byte[] text = utf8(opening.repeat(DEEP));
      JsonSyntaxException refusal =
          catchThrowableOfType(JsonSyntaxException.class, () -> wide.hash(text));

      assertThat(refusal.reason()).isEqualTo(Reason.SYNTAX);
      assertThat(refusal.offset()).isEqualTo(text.length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"n", "\\u006e", "\\n", "\ud83d\ude02"})
  void hundred_thousand_names_are_sorted_by_both_entries(String prefix) {
    checkMembers(prefix, 100_000);
  }

  @Test
  void names_with_a_long_common_beginning_are_sorted() {
    checkMembers("x".repeat(1_000), 4_000);
    checkMembers("\\n" + "x".repeat(400), 1_000);
  }

  @Test
  void million_names_are_sorted() {
    for (boolean reversed : new boolean[] {false, true}) {
      byte[] text = numbered(1_000_000, reversed);
      byte[] bytes = CanonicalJson.SERDE.bytes(text);

      assertThat(bytes).isEqualTo(numbered(1_000_000, false));
    }
  }

  @Test
  void number_of_a_million_digits_is_refused_unless_allowed() {
    String digits = "1".repeat(1_000_000);
    JsonLimits longer = JsonLimits.defaults().withMaxNumberLength(1_000_020);
    for (String number : List.of(digits, "0." + digits, "-" + digits, "1e" + digits)) {
      JsonSyntaxException refusal = Outcome.refusal(utf8("[" + number + "]"));

      assertThat(refusal.reason()).isEqualTo(Reason.LIMIT);
      assertThat(refusal.offset()).isEqualTo(1);
    }
    String zeros = "0".repeat(1_000_000);
    checkNumber(longer, "0." + digits, "0.1111111111111111");
    checkNumber(longer, "-0." + digits, "-0.1111111111111111");
    checkNumber(longer, digits + "e-1000000", "0.1111111111111111");
    checkNumber(longer, "1" + zeros + "e-1000000", "1.0");
    checkNumber(longer, "0." + zeros + "1e1000001", "1.0");
    checkNumber(longer, "0." + zeros, "0.0");
    checkNumber(longer, "0." + zeros + "1", "0.0");
    checkNumber(longer, "1e-" + digits, "0.0");
    checkNumber(longer, "1e-" + zeros + "5", "0.00001");
    checkNumber(longer, "0e" + digits, "0.0");
    for (String number : List.of(digits, "-" + digits, "1e" + digits)) {
      JsonSyntaxException refusal = catchThrowableOfType(
          JsonSyntaxException.class,
          () -> CanonicalJson.SERDE.withLimits(longer).hash(utf8("[" + number + "]")));

      assertThat(refusal.reason()).isEqualTo(Reason.NUMBER_RANGE);
      assertThat(refusal.offset()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1e-315, 1e-315",
    "1e-320, 1e-320",
    "4.9e-324, 5e-324",
    "2.4703282292062328e-324, 5e-324",
    "2.4703282292062327e-324, 0.0",
    "1e-400, 0.0",
    "-1e-400, -0.0",
    "1e-99999999999999999999, 0.0",
    "0e99999999999999999999, 0.0",
    "1.7976931348623158e308, 1.7976931348623157e+308",
    "1.7976931348623159e308, NUMBER_RANGE at 0",
    "179769313486231580793e288, 1.7976931348623157e+308",
    "179769313486231580794e288, NUMBER_RANGE at 0",
    "1e400, NUMBER_RANGE at 0",
    "-1e309, NUMBER_RANGE at 0",
    "1e99999999999999999999, NUMBER_RANGE at 0",
    "0.00000000000000000000000000000000000000001e350, NUMBER_RANGE at 0",
    "0.00000000000000000000000000000000000000001e349, 1e+308",
  })
  void numbers_at_the_edges_of_the_doubles(String number, String expected) {
    String outcome = Outcome.of(CanonicalJson.SERDE, number).summary();

    assertThat(outcome).isEqualTo(expected);
    assertThat(Outcome.of(CanonicalJson.SERDE_RYU, number).summary())
        .isEqualTo(outcome.replace("e+", "e"));
    Outcome.of(CanonicalJson.JCS, number);
  }

  @ParameterizedTest
  @CsvSource({
    "\\u0001, \\u0001",
    "\\u0041, A",
    "\\\\, \\\\",
    "\\n, \\n",
    "\\ud83d\\ude02, \ud83d\ude02",
    "\\/, /",
  })
  void long_runs_of_escapes_are_read(String escape, String expected) {
    for (int count : new int[] {100_000, 100_001, 100_007}) {
      String text = "{\"" + escape.repeat(count) + "\":\"" + escape.repeat(count) + "\"}";

      assertThat(Outcome.of(CanonicalJson.SERDE, text).text())
          .isEqualTo(text.replace(escape, expected));
    }
  }

  @Test
  void numbers_that_become_longer_have_room() {
    for (String number : List.of("1e20", "1e15", "-1e0", "1e-6", "0e0")) {
      for (int count : new int[] {1, 10, 100, 1_000, 10_000}) {
        String text = "[" + (number + ",").repeat(count) + "\"end\"]";
        for (CanonicalJson json : Outcome.PROFILES) {
          String one = Outcome.of(json, number).text();

          assertThat(Outcome.of(json, text).text())
              .isEqualTo("[" + (one + ",").repeat(count) + "\"end\"]");
        }
      }
    }
  }

  private static void checkNumber(JsonLimits limits, String number, String expected) {
    assertThat(new String(
            CanonicalJson.SERDE.withLimits(limits).bytes(utf8(number)), StandardCharsets.UTF_8))
        .isEqualTo(expected);
    assertThat(CanonicalJson.SERDE.text(JsonText.parse(utf8(number), 0, number.length(), limits)))
        .isEqualTo(expected);
  }

  private static void checkMembers(String prefix, int count) {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add("\"" + prefix + (count + i) + "\":" + i);
    }
    String sorted = "{" + String.join(",", members) + "}";
    byte[] expected = utf8(sorted.replace("\\u006e", "n"));
    assertThat(CanonicalJson.SERDE.bytes(utf8(sorted))).isEqualTo(expected);
    Collections.reverse(members);
    byte[] reversed = utf8("{" + String.join(",", members) + "}");
    assertThat(CanonicalJson.SERDE.bytes(reversed)).isEqualTo(expected);
    Collections.shuffle(members, new Random(count));
    byte[] shuffled = utf8("{" + String.join(",", members) + "}");
    assertThat(CanonicalJson.SERDE.bytes(shuffled)).isEqualTo(expected);
    assertThat(CanonicalJson.SERDE.bytes(JsonText.parse(shuffled))).isEqualTo(expected);
  }

  private static byte[] numbered(int count, boolean reversed) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < count; i++) {
      int number = count + (reversed ? count - 1 - i : i);
      text.append(i == 0 ? "\"" : ",\"").append(number).append("\":0");
    }
    return utf8(text.append('}').toString());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
