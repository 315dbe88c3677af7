package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import org.jspecify.annotations.Nullable;

/**
 * How a hash that is not that of a value came about. It does not make the hash a right one.
 *
 * @param convention how the producer wrote the value
 * @param canonicalization the canonicalization that the convention departs from; null where it is a
 *     form of its own
 * @param pointer the JSON Pointer (RFC 6901) of the value at which, or in whose name or place, the
 *     producer's form first differs from the canonical one
 * @param canonical what the canonical form has there; null where it has none, since the
 *     canonicalization would round an integer
 * @param produced what the producer's form has there
 */
public record HashExplanation(
    ProducerConvention convention,
    @Nullable Canonicalization canonicalization,
    String pointer,
    @Nullable String canonical,
    String produced) {

  /**
   * The explanation of the hash of a value, or null when no known convention makes it, or the
   * canonicalization itself does. Takes 20 to 60 times as long as hashing the value. Safe for use
   * by several threads.
   *
   * <pre>{@code
   * HashExplanation explanation =
   *     HashExplanation.explain(JsonText.parse("[1e16]"), stated, Canonicalization.SERDE);
   * // the hash fits the canonicalization serde-ryu: first difference at "/0", 1e16 instead of 1e+16
   * }</pre>
   *
   * @param canonicalization the one that the hash should have been made with
   */
  public static @Nullable HashExplanation explain(
      JsonValue value, ContentHash hash, Canonicalization canonicalization) {
    return HashExplainer.explain(value, hash, canonicalization);
  }

  /** The explanation, for people. */
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

  /** Ways of known producers to write the JSON that they hash, other than the one agreed on. */
  public enum ProducerConvention {
    /** Another canonicalization. */
    CANONICALIZATION(true, "another canonicalization"),

    /** All numbers as doubles, where {@link Canonicalization#JCS} refuses an integer. */
    ROUNDED_INTEGERS(true, "integers rounded to doubles"),

    /** The sketch in specification 000 ("Canonical Serialization"). */
    UNESCAPED_NAMES(true, "member names written without escapes"),

    /** Floats of 32 bits that were hashed as they are, and are widened in the log. */
    FLOATS_NOT_WIDENED(true, "32-bit floats that are not widened"),

    /** Floats of 32 bits that were widened for the hash, and are not in the log. */
    FLOATS_WIDENED(true, "numbers widened from 32-bit floats"),

    /** serde_json without its feature {@code float_roundtrip}. */
    SERDE_DEFAULT_PARSER(true, "numbers as serde_json's default parser reads them, 1 ulp off"),

    /** {@code JSON.stringify} of an object to which sorted members were added. */
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

    /** What it is, for people. */
    public String description() {
      return description;
    }

    /** Whether it goes with any {@link Canonicalization}; else it is a form of its own. */
    public boolean hasCanonicalization() {
      return hasCanonicalization;
    }
  }
}
