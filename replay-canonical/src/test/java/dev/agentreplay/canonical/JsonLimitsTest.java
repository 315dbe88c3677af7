package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each method accepts a text at a limit, and refuses one beyond it. */
class JsonLimitsTest {

  private static final JsonLimits DEFAULTS = JsonLimits.defaults();

  @Test
  void defaults_are_those_of_the_documentation() {
    assertThat(DEFAULTS).isEqualTo(new JsonLimits(64 * 1024 * 1024, 1_000, 1_000_000, 1_000));
    assertThat(DEFAULTS.withMaxBytes(1)).isEqualTo(new JsonLimits(1, 1_000, 1_000_000, 1_000));
    assertThat(DEFAULTS.withMaxDepth(1))
        .isEqualTo(new JsonLimits(64 * 1024 * 1024, 1, 1_000_000, 1_000));
    assertThat(DEFAULTS.withMaxMembers(1))
        .isEqualTo(new JsonLimits(64 * 1024 * 1024, 1_000, 1, 1_000));
    assertThat(DEFAULTS.withMaxNumberLength(1))
        .isEqualTo(new JsonLimits(64 * 1024 * 1024, 1_000, 1_000_000, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void limit_that_is_not_positive_is_refused(int limit) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withMaxBytes(limit))
        .withMessage("maxBytes must be positive: " + limit);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withMaxDepth(limit))
        .withMessage("maxDepth must be positive: " + limit);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withMaxMembers(limit))
        .withMessage("maxMembers must be positive: " + limit);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withMaxNumberLength(limit))
        .withMessage("maxNumberLength must be positive: " + limit);
    assertThatNullPointerException().isThrownBy(() -> CanonicalJson.SERDE.withLimits(null));
  }

  @Test
  void bytes_are_limited() {
    for (String text : List.of("1", "true", "\"\u20ac\"", " [ 1 ] ", "{\"b\":1,\"a\":2}")) {
      int length = utf8(text).length;

      accepted(DEFAULTS.withMaxBytes(length), text);
      if (length > 1) {
        refused(DEFAULTS.withMaxBytes(length - 1), text, 0);
      }
    }
  }

  @Test
  void bytes_of_a_part_are_those_of_the_part() {
    byte[] larger = utf8("xxxxx[1]xxxxx");
    CanonicalJson json = CanonicalJson.SERDE.withLimits(DEFAULTS.withMaxBytes(3));

    assertThat(json.hash(larger, 5, 8)).isEqualTo(CanonicalJson.SERDE.hash(utf8("[1]")));
    assertThat(catchThrowableOfType(
                JsonSyntaxException.class,
                () -> CanonicalJson.SERDE.withLimits(DEFAULTS.withMaxBytes(2)).hash(larger, 5, 8))
            .offset())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 16, 17, 32, 33, 1_000})
  void depth_is_limited(int depth) {
    JsonLimits limits = DEFAULTS.withMaxDepth(depth);
    for (String opening : List.of("[", "{\"a\":", "{\"b\":0,\"a\":")) {
      String closing = opening.equals("[") ? "]" : "}";
      String inside = opening.equals("[") ? "" : "1";

      accepted(limits, opening.repeat(depth) + inside + closing.repeat(depth));
      refused(
          limits,
          opening.repeat(depth + 1) + inside + closing.repeat(depth + 1),
          opening.length() * depth);
      refused(
          limits, opening.repeat(depth) + "{}" + closing.repeat(depth), opening.length() * depth);
      refused(
          limits, opening.repeat(depth) + "[]" + closing.repeat(depth), opening.length() * depth);
    }
  }

  @Test
  void depth_counts_what_is_open_not_what_was() {
    accepted(DEFAULTS.withMaxDepth(2), "[[],[1],{},{\"a\":1},[]]");
    accepted(DEFAULTS.withMaxDepth(2), "[" + "[],".repeat(100) + "{\"b\":1,\"a\":2}]");
    refused(DEFAULTS.withMaxDepth(2), "[[],[[]]]", 5);
  }

  @Test
  void values_have_a_limit_of_depth_of_their_own() {
    String text = "[".repeat(1_001) + "]".repeat(1_001);
    JsonLimits limits = DEFAULTS.withMaxDepth(1_001);
    byte[] bytes = utf8(text);

    assertThat(CanonicalJson.SERDE.withLimits(limits).bytes(bytes)).isEqualTo(bytes);
    JsonSyntaxException refusal = catchThrowableOfType(
        JsonSyntaxException.class, () -> JsonText.parse(bytes, 0, bytes.length, limits));
    assertThat(refusal.reason()).isEqualTo(Reason.LIMIT);
    assertThat(refusal.offset()).isEqualTo(1_000);
    assertThat(refusal.detail()).isEqualTo("nested deeper than 1000");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 24, 25, 31, 32, 33, 100})
  void members_of_an_object_are_limited(int count) {
    JsonLimits limits = DEFAULTS.withMaxMembers(count);
    String members = members(count);

    accepted(limits, "{" + members + "}");
    accepted(limits, "[{" + members + "},{" + members + "}]");
    accepted(limits, "{" + members.replaceFirst("0$", "{" + members + "}") + "}");
    refused(limits, "{" + members + ",\"x\":1}", members.length() + 2);
    refused(limits, "{" + members + ",\"x", members.length() + 2);
    refused(limits, "[{" + members + "},{" + members + ",\"n1\":1}]", 2 * members.length() + 6);
  }

  @Test
  void member_beyond_the_limit_is_reported_before_being_a_duplicate() {
    refused(DEFAULTS.withMaxMembers(1), "{\"a\":1,\"a\":1}", 7);
  }

  @Test
  void elements_are_not_limited() {
    accepted(DEFAULTS.withMaxMembers(1), "[1,2,3,{\"a\":[1,2,3]}]");
  }

  @Test
  void length_of_numbers_is_limited() {
    for (String number :
        List.of("12", "-1", "1.5", "1e5", "-0", "1E-10", "123456789012345678", "-0.0e+00")) {
      accepted(DEFAULTS.withMaxNumberLength(number.length()), "[0," + number + "]");
      refused(DEFAULTS.withMaxNumberLength(number.length() - 1), "[0," + number + "]", 3);
    }
    accepted(DEFAULTS, "0." + "1".repeat(998));
    refused(DEFAULTS, "0." + "1".repeat(999), 0);
    refused(DEFAULTS, "0." + "1".repeat(999) + "x", 0);
  }

  /** Names with escapes are decoded to be compared, which must not be bound by the defaults. */
  @Test
  void name_with_escapes_may_be_as_long_as_the_limits_say() {
    byte[] text = new byte[DEFAULTS.maxBytes() + 20];
    Arrays.fill(text, (byte) 'x');
    byte[] begin = utf8("{\"\\n");
    byte[] end = utf8("\":1,\"a\":2}");
    System.arraycopy(begin, 0, text, 0, begin.length);
    System.arraycopy(end, 0, text, text.length - end.length, end.length);
    CanonicalJson wide = CanonicalJson.SERDE.withLimits(DEFAULTS.withMaxBytes(Integer.MAX_VALUE));

    assertThat(wide.isCanonical(text)).isTrue();
  }

  @Test
  void limits_of_text_do_not_bind_values() {
    JsonValue value = JsonText.parse("{\"a\":[[123]],\"b\":2}");
    CanonicalJson narrow = CanonicalJson.SERDE.withLimits(new JsonLimits(1, 1, 1, 1));

    assertThat(narrow.text(value)).isEqualTo("{\"a\":[[123]],\"b\":2}");
    assertThat(narrow.hash(value)).isEqualTo(CanonicalJson.SERDE.hash(value));
  }

  @Test
  void limits_and_rounding_are_kept_by_each_other() {
    JsonLimits limits = DEFAULTS.withMaxBytes(16);
    byte[] text = utf8("9007199254740993");
    byte[] longer = utf8(" 9007199254740993");
    for (CanonicalJson json : List.of(
        CanonicalJson.JCS.withLimits(limits).withRoundedIntegers(),
        CanonicalJson.JCS.withRoundedIntegers().withLimits(limits))) {
      assertThat(json.canonicalization()).isEqualTo(Canonicalization.JCS);
      assertThat(json.bytes(text)).isEqualTo(utf8("9007199254740992"));
      assertThat(catchThrowableOfType(JsonSyntaxException.class, () -> json.bytes(longer))
              .reason())
          .isEqualTo(Reason.LIMIT);
    }
    assertThat(catchThrowableOfType(JsonSyntaxException.class, () -> CanonicalJson.JCS.bytes(text))
            .reason())
        .isEqualTo(Reason.NUMBER_RANGE);
  }

  private static void accepted(JsonLimits limits, String text) {
    byte[] bytes = utf8(text);
    JsonValue value = JsonText.parse(bytes, 0, bytes.length, limits);
    for (CanonicalJson json : Outcome.PROFILES) {
      CanonicalJson limited = json.withRoundedIntegers().withLimits(limits);

      assertThat(limited.bytes(bytes)).isEqualTo(limited.bytes(value));
    }
  }

  private static void refused(JsonLimits limits, String text, int offset) {
    byte[] bytes = utf8(text);
    JsonSyntaxException refusal = catchThrowableOfType(
        JsonSyntaxException.class, () -> JsonText.parse(bytes, 0, bytes.length, limits));

    assertThat(refusal.reason()).isEqualTo(Reason.LIMIT);
    assertThat(refusal.offset()).isEqualTo(offset);
    for (CanonicalJson json : Outcome.PROFILES) {
      assertThat(catchThrowableOfType(
              JsonSyntaxException.class, () -> json.withLimits(limits).hash(bytes)))
          .hasMessage(refusal.getMessage());
    }
  }

  private static String members(int count) {
    StringBuilder members = new StringBuilder();
    for (int i = count; i > 0; i--) {
      members.append("\"n").append(i).append("\":0").append(i == 1 ? "" : ",");
    }
    return members.toString();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
