package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Any bytes: the text and the value read from it have one canonical form, or one refusal.
 *
 * <p>As a test it reads the inputs in the folder {@code CanonicalJsonFuzzTestInputs}. To look for
 * more:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl replay-canonical -am test -Dtest=CanonicalJsonFuzzTest
 *     -Dsurefire.failIfNoSpecifiedTests=false -Djacoco.skip
 * </pre>
 *
 * <p>That takes ten minutes, or {@code JAZZER_MAX_DURATION=1h}. An input that fails is left in that
 * folder, and stays there with its fix; all that were of interest are left in
 * {@code .cifuzz-corpus}, for the next time.
 */
class CanonicalJsonFuzzTest {

  /** Few enough for a fuzzer to get beyond them. */
  private static final JsonLimits TIGHT = new JsonLimits(256, 4, 3, 9);

  /** Bytes around a text that must not be read: they would continue a number, or close a string. */
  private static final byte[] AROUND = ascii("0\"");

  private static final Pattern INTEGER = Pattern.compile("-?\\d++(?![.eE])");
  private static final BigInteger MAX_SAFE = BigInteger.valueOf((1L << 53) - 1);

  /** A value or its refusal, without the words. */
  private sealed interface Outcome permits Form, Refusal {}

  private record Form(String text, ContentHash hash, boolean portable) implements Outcome {}

  private record Refusal(Reason reason, int offset) implements Outcome {}

  @FuzzTest(maxDuration = "10m")
  void text_and_value_have_one_canonical_form(byte[] input) {
    check(input, JsonLimits.defaults());
    check(input, TIGHT);
  }

  private static void check(byte[] input, JsonLimits limits) {
    Outcome first = null;
    for (Canonicalization canonicalization : Canonicalization.values()) {
      CanonicalJson json = CanonicalJson.of(canonicalization).withLimits(limits);
      Outcome rounded = checkRounded(input, json.withRoundedIntegers(), limits);
      checkUnrounded(input, json, limits, rounded);
      first = first == null ? rounded : first;
      checkPortable(first, rounded);
    }
  }

  private static Outcome checkRounded(byte[] input, CanonicalJson json, JsonLimits limits) {
    Outcome outcome = outcome(input, () -> json.form(input));

    assertThat(outcome)
        .isEqualTo(outcome(input, () -> json.form(JsonText.parse(input, 0, input.length, limits))));
    checkPartOfAnArray(input, json, outcome);
    if (outcome instanceof Form form) {
      byte[] canonical = json.bytes(input);
      assertThat(form.text.getBytes(StandardCharsets.UTF_8)).isEqualTo(canonical);
      assertThat(json.isCanonical(input)).isEqualTo(Arrays.equals(canonical, input));
      // 1e20 becomes 100000000000000000000, and nothing becomes longer than that
      assertThat(canonical.length * 4L).isLessThanOrEqualTo(input.length * 21L);
      checkCanonical(canonical, json.withLimits(JsonLimits.defaults()));
      JsonValue value = JsonText.parse(input);
      assertThat(plain(JsonText.parse(canonical))).isEqualTo(plain(value));
      assertThat(outcome(input, () -> json.form(respelled(value)))).isEqualTo(form);
    }
    return outcome;
  }

  private static void checkPartOfAnArray(byte[] input, CanonicalJson json, Outcome outcome) {
    byte[] array = Arrays.copyOf(AROUND, input.length + 2 * AROUND.length);
    int to = AROUND.length + input.length;
    System.arraycopy(input, 0, array, AROUND.length, input.length);
    System.arraycopy(AROUND, 0, array, to, AROUND.length);
    try {
      ContentHash hash = json.hash(array, AROUND.length, to);
      assertThat(outcome).isInstanceOf(Form.class).extracting("hash").isEqualTo(hash);
    } catch (JsonSyntaxException e) {
      assertThat(outcome).isEqualTo(new Refusal(e.reason(), e.offset()));
    }
  }

  private static void checkCanonical(byte[] canonical, CanonicalJson json) {
    assertThat(json.bytes(canonical)).isEqualTo(canonical);
    assertThat(json.isCanonical(canonical)).isTrue();
  }

  /** JCS refuses an integer that it would round: its position in a text, or in a value. */
  private static void checkUnrounded(
      byte[] input, CanonicalJson json, JsonLimits limits, Outcome rounded) {
    Outcome outcome = outcome(input, () -> json.form(input));
    if (outcome.equals(rounded)) {
      if (outcome instanceof Form) {
        JsonValue value = JsonText.parse(input, 0, input.length, limits);
        assertThat(outcome(input, () -> json.form(value))).isEqualTo(outcome);
        checkCanonical(json.bytes(input), json.withLimits(JsonLimits.defaults()));
      }
      return;
    }
    assertThat(json.canonicalization()).isEqualTo(Canonicalization.JCS);
    assertThat(outcome).extracting("reason").isEqualTo(Reason.NUMBER_RANGE);
    int offset = ((Refusal) outcome).offset;
    Matcher integer = INTEGER.matcher(
        new String(input, offset, input.length - offset, StandardCharsets.ISO_8859_1));
    assertThat(integer.lookingAt()).isTrue();
    assertThat(new BigInteger(integer.group()).abs()).isGreaterThan(MAX_SAFE);
    assertThat(json.withRoundedIntegers().bytes(ascii(integer.group())))
        .isNotEqualTo(ascii(integer.group()));
    // nothing is wrong before it
    assertThat(outcome(input, () -> json.form(Arrays.copyOf(input, offset))))
        .isEqualTo(new Refusal(Reason.SYNTAX, offset));
    if (rounded instanceof Form) {
      JsonValue value = JsonText.parse(input, 0, input.length, limits);
      assertThatThrownBy(() -> json.form(value))
          .isExactlyInstanceOf(IllegalArgumentException.class);
    }
  }

  private static void checkPortable(Outcome one, Outcome other) {
    if (one instanceof Form form && other instanceof Form otherForm && !form.portable) {
      assertThat(otherForm.portable).isFalse();
    } else {
      assertThat(other).isEqualTo(one);
    }
  }

  private static Outcome outcome(byte[] input, Supplier<CanonicalForm> entry) {
    try {
      CanonicalForm form = entry.get();
      return new Form(form.text(), form.hash(), form.isPortable());
    } catch (JsonSyntaxException e) {
      assertThat(e.offset()).isBetween(0, input.length);
      return new Refusal(e.reason(), e.offset());
    }
  }

  /** The content of a value: without the order of members, numbers as doubles. */
  private static Object plain(JsonValue value) {
    if (value instanceof JsonNumber number) {
      return number.asDouble() + 0.0; // no -0.0, which JCS does not write
    }
    if (value instanceof JsonArray array) {
      List<Object> elements = new ArrayList<>();
      for (int i = 0; i < array.size(); i++) { // a stream needs more stack than a deep value has
        elements.add(plain(array.get(i)));
      }
      return elements;
    }
    if (value instanceof JsonObject object) {
      Map<String, Object> members = new HashMap<>();
      for (int i = 0; i < object.size(); i++) {
        members.put(object.name(i), plain(object.value(i)));
      }
      return members;
    }
    return value;
  }

  /** A value with other digits for the same doubles; integers have a form of their own. */
  private static JsonValue respelled(JsonValue value) {
    if (value instanceof JsonNumber number && !number.isIntegerLiteral()) {
      return JsonNumber.of(Double.toString(number.asDouble()));
    }
    if (value instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>();
      for (int i = 0; i < array.size(); i++) {
        elements.add(respelled(array.get(i)));
      }
      return JsonArray.copyOf(elements);
    }
    if (value instanceof JsonObject object) {
      JsonObject.Builder members = JsonObject.builder();
      for (int i = 0; i < object.size(); i++) {
        members.add(object.name(i), respelled(object.value(i)));
      }
      return members.build();
    }
    return value;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
