package dev.agentreplay.canonical;

/** Text is not JSON as {@link JsonText} reads it. */
public final class JsonSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Why it is not. */
  public enum Reason {
    /** It breaks the grammar of RFC 8259. */
    SYNTAX,
    /** It is not UTF-8, or a string holds a lone surrogate. */
    ENCODING,
    /** An object has a name twice (RFC 8259 section 4, RFC 7493 section 2.3). */
    DUPLICATE_KEY,
    /** A number is beyond the range of a double, or an integer that JCS would round. */
    NUMBER_RANGE,
    /** It is larger than {@link JsonLimits} allow. */
    LIMIT
  }

  /** Why it is not JSON. */
  private final Reason reason;

  /** The byte at which that was seen. */
  private final int offset;

  /** What was found and what was expected, without the offset. */
  private final String detail;

  JsonSyntaxException(Reason reason, int offset, String detail) {
    super(detail + " at byte " + offset);
    this.reason = reason;
    this.offset = offset;
    this.detail = detail;
  }

  /** Why it is not JSON. */
  public Reason reason() {
    return reason;
  }

  /** The byte at which that was seen, counted from 0 at the beginning of the text. */
  public int offset() {
    return offset;
  }

  /** What was found and what was expected, without the offset. */
  public String detail() {
    return detail;
  }
}
