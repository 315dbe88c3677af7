package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import org.jspecify.annotations.Nullable;

/**
 * Explains a hash that does not match the canonical form of its value: the producer convention that
 * gives this hash, and the first difference between the two forms. An explained hash is still
 * wrong.
 *
 * @param convention the convention that the producer wrote the value by
 * @param canonicalization the canonicalization that the convention modifies; null if the convention
 *     is a form of its own
 * @param pointer the JSON Pointer (RFC 6901) of the value at which, or in whose name or position,
 *     the two forms first differ
 * @param canonical the text in the canonical form there; null if there is none because the
 *     canonicalization would round an integer
 * @param produced the text in the producer's form there
 */
public record HashExplanation(
    ProducerConvention convention,
    @Nullable Canonicalization canonicalization,
    String pointer,
    @Nullable String canonical,
    String produced) {

  /**
   * Finds the convention that gives a value this hash. Returns null if the hash is that of the
   * expected canonicalization, or if no known convention gives it. Takes 20 to 60 times as long as
   * hashing the value. Safe for use by several threads.
   *
   * <pre>{@code
   * HashExplanation explanation =
   *     HashExplanation.explain(JsonText.parse("[1e16]"), stated, Canonicalization.SERDE);
   * // the hash fits the canonicalization serde-ryu: first difference at "/0",
   * // `1e16` instead of `1e+16`
   * }</pre>
   *
   * @param canonicalization the expected canonicalization
   */
  public static @Nullable HashExplanation explain(
      JsonValue value, ContentHash hash, Canonicalization canonicalization) {
    return HashExplainer.explain(value, hash, canonicalization);
  }

  /** The explanation as one line of text. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("the hash fits ");
    if (convention == ProducerConvention.CANONICALIZATION && canonicalization != null) {
      text.append("the canonicalization ").append(canonicalization.id());
    } else {
      text.append(convention.description());
      if (canonicalization != null) {
        text.append(", canonicalization ").append(canonicalization.id());
      }
    }
    text.append(": first difference at \"").append(Excerpt.of(pointer)).append("\", ");
    text.append(quoted(produced)).append(" instead of ");
    text.append(canonical == null ? "an integer that would be rounded" : quoted(canonical));
    return text.toString();
  }

  private static String quoted(String token) {
    return '`' + Excerpt.of(token) + '`';
  }

  /** Ways in which known producers write the JSON that they hash, other than the expected one. */
  public enum ProducerConvention {
    /** A different canonicalization. */
    CANONICALIZATION(true, "another canonicalization"),

    /** All numbers as doubles where {@link Canonicalization#JCS} refuses an integer. */
    ROUNDED_INTEGERS(true, "integers rounded to doubles"),

    /**
     * Member names without escapes, as in the sketch of specification 000 ("Canonical
     * Serialization").
     */
    UNESCAPED_NAMES(true, "member names written without escapes"),

    /** 32-bit floats hashed without widening to double; the log contains them widened. */
    FLOATS_NOT_WIDENED(true, "32-bit floats that are not widened"),

    /** 32-bit floats widened to double before hashing; the log contains them without widening. */
    FLOATS_WIDENED(true, "numbers widened from 32-bit floats"),

    /** Numbers as parsed by serde_json without its feature {@code float_roundtrip}. */
    SERDE_DEFAULT_PARSER(true, "numbers as serde_json's default parser reads them, 1 ulp off"),

    /** {@code JSON.stringify} of an object whose members were added in sorted order. */
    JAVASCRIPT_OBJECT(false, "JavaScript's order of members, integer-like names first"),

    /** {@code json.dumps(value, sort_keys=True)}. */
    PYTHON(false, "Python's json.dumps(sort_keys=True)"),

    /** {@code json.dumps(value, sort_keys=True, ensure_ascii=False)}. */
    PYTHON_UNICODE(false, "Python's json.dumps(sort_keys=True, ensure_ascii=False)"),

    /** {@code json.dumps(value, sort_keys=True, separators=(",", ":"))}. */
    PYTHON_COMPACT(false, "Python's json.dumps(sort_keys=True, separators=(\",\", \":\"))"),

    /** {@code json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)}. */
    PYTHON_COMPACT_UNICODE(
        false,
        "Python's json.dumps(sort_keys=True, separators=(\",\", \":\"), ensure_ascii=False)");

    private final boolean hasCanonicalization;
    private final String description;

    ProducerConvention(boolean hasCanonicalization, String description) {
      this.hasCanonicalization = hasCanonicalization;
      this.description = description;
    }

    /** A description for people. */
    public String description() {
      return description;
    }

    /**
     * Whether the convention modifies a {@link Canonicalization}; false if it is a form of its own.
     */
    public boolean hasCanonicalization() {
      return hasCanonicalization;
    }
  }
}
