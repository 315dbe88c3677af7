package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * The outcome of reading a text: its canonical form, or the refusal. Every method is called, with
 * the text itself and with its value; their outcomes must be equal.
 *
 * @param form null if the text is refused
 * @param refusal null if it is not
 */
record Outcome(CanonicalForm form, JsonSyntaxException refusal) {

  /** Every canonicalization, JCS also with rounded integers. */
  static final List<CanonicalJson> PROFILES = List.of(
      CanonicalJson.SERDE,
      CanonicalJson.SERDE_RYU,
      CanonicalJson.JCS,
      CanonicalJson.JCS.withRoundedIntegers());

  /** Those of {@link #PROFILES} that refuse no integer. */
  static final List<CanonicalJson> ROUNDING =
      List.of(PROFILES.get(0), PROFILES.get(1), PROFILES.get(3));

  private static final String WOULD_ROUND = "jcs would change the digits of the integer ";

  /** The outcome in one canonicalization, within the default limits. */
  static Outcome of(CanonicalJson json, byte[] text) {
    try {
      return accepted(json, text, json.form(text));
    } catch (JsonSyntaxException refusal) {
      return refused(json, text, refusal);
    }
  }

  static Outcome of(CanonicalJson json, String text) {
    return of(json, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The refusal that is the same in all canonicalizations; null if all accept. */
  static JsonSyntaxException refusal(byte[] text) {
    JsonSyntaxException first = of(CanonicalJson.SERDE, text).refusal;
    for (CanonicalJson json : PROFILES) {
      JsonSyntaxException refusal = of(json, text).refusal;
      if (refusal == null || !refusal.detail().startsWith(WOULD_ROUND)) {
        assertSame(json, first, refusal);
      }
    }
    return first;
  }

  boolean isRefused() {
    return refusal != null;
  }

  /** The canonical form. */
  String text() {
    if (refusal != null) {
      throw refusal;
    }
    return form.text();
  }

  /** The outcome as in a table: the canonical form, or the reason and the place of the refusal. */
  String summary() {
    return refusal == null ? form.text() : refusal.reason() + " at " + refusal.offset();
  }

  private static Outcome accepted(CanonicalJson json, byte[] text, CanonicalForm form) {
    byte[] bytes = form.bytes();
    ContentHash hash = ContentHash.sha256(bytes);
    JsonValue value = JsonText.parse(text);
    CanonicalForm ofValue = json.form(value);
    boolean same = Arrays.equals(json.bytes(text), bytes)
        && Arrays.equals(json.bytes(value), bytes)
        && Arrays.equals(ofValue.bytes(), bytes)
        && json.text(value).equals(form.text())
        && form.hash().equals(hash)
        && json.hash(text).equals(hash)
        && json.hash(text, 0, text.length).equals(hash)
        && json.hash(value).equals(hash)
        && ofValue.hash().equals(hash)
        && ofValue.isPortable() == form.isPortable()
        && json.isCanonical(text) == Arrays.equals(text, bytes)
        && form.size() == bytes.length;
    if (!same) {
      throw new AssertionError(
          "%s: of the text %s, portable %s, canonical %s; of the value %s, portable %s"
              .formatted(
                  json.canonicalization(),
                  form.text(),
                  form.isPortable(),
                  json.isCanonical(text),
                  ofValue.text(),
                  ofValue.isPortable()));
    }
    return new Outcome(form, null);
  }

  private static Outcome refused(CanonicalJson json, byte[] text, JsonSyntaxException refusal) {
    if (refusal.offset() < 0
        || refusal.offset() > text.length
        || !refusal.getMessage().equals(refusal.detail() + " at byte " + refusal.offset())) {
      throw new AssertionError("of " + text.length + " bytes", refusal);
    }
    assertSame(json, refusal, syntaxException(() -> json.bytes(text)));
    assertSame(json, refusal, syntaxException(() -> json.isCanonical(text)));
    if (!refusal.detail().startsWith(WOULD_ROUND)) {
      assertSame(json, refusal, syntaxException(() -> JsonText.parse(text)));
      return new Outcome(null, refusal);
    }
    assertThat(refusal.reason()).isEqualTo(Reason.NUMBER_RANGE);
    Throwable ofValue = catchThrowable(() -> json.bytes(JsonText.parse(text)));
    assertThat(ofValue).isInstanceOf(IllegalArgumentException.class);
    if (!(ofValue instanceof JsonSyntaxException)) {
      assertThat(ofValue.getMessage()).startsWith(WOULD_ROUND);
    }
    return new Outcome(null, refusal);
  }

  private static JsonSyntaxException syntaxException(ThrowingCallable call) {
    return catchThrowableOfType(JsonSyntaxException.class, call);
  }

  private static void assertSame(
      CanonicalJson json, JsonSyntaxException expected, JsonSyntaxException actual) {
    boolean same = expected == null
        ? actual == null
        : actual != null
            && actual.reason() == expected.reason()
            && actual.offset() == expected.offset()
            && actual.detail().equals(expected.detail());
    if (!same) {
      throw new AssertionError(json.canonicalization() + ": " + expected + ", but " + actual);
    }
  }
}
