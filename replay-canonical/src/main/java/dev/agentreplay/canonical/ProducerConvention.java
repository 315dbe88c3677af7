package dev.agentreplay.canonical;

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
      false, "Python's json.dumps(sort_keys=True, separators=(\",\", \":\"), ensure_ascii=False)");

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
