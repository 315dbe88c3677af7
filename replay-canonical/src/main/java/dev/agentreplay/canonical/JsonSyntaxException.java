package dev.agentreplay.canonical;

/**
 * Thrown when a text is not JSON that {@link JsonText} accepts. It has a reason, the offset of the
 * offending byte and a message for people; programs should depend on the reason, not on the text.
 */
public final class JsonSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** The kind of a syntax error. */
  public enum Reason {
    /** The text violates the grammar of RFC 8259. */
    SYNTAX,
    /** The text is not UTF-8, or a string contains a lone surrogate. */
    ENCODING,
    /** An object contains a name twice (RFC 8259, section 4; RFC 7493, section 2.3). */
    DUPLICATE_KEY,
    /** A number is beyond the range of a double, or is an integer that JCS would round. */
    NUMBER_RANGE,
    /** The text exceeds the {@link JsonLimits}. */
    LIMIT
  }

  /** The reason. */
  private final Reason reason;

  /** The offset of the offending byte. */
  private final int offset;

  /** The message without the offset. */
  private final String detail;

  JsonSyntaxException(Reason reason, int offset, String detail) {
    super(detail + " at byte " + offset);
    this.reason = reason;
    this.offset = offset;
    this.detail = detail;
  }

  /** The kind of the error. */
  public Reason reason() {
    return reason;
  }

  /** The offset of the offending byte, counted from 0 at the start of the text. */
  public int offset() {
    return offset;
  }

  /** The problem without the offset, in most cases what was expected and what was found. */
  public String detail() {
    return detail;
  }
}
