package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;

/** A line of a log cannot be read. */
public final class ReplayFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  private final FindingCode code;

  private final long line;
  private final long offset;
  private final long lineOffset;
  private final String detail;

  /**
   * A line that cannot be read.
   *
   * @param source the log
   * @param position the byte that is wrong
   * @param detail what was found, and what was expected
   */
  public ReplayFormatException(FindingCode code, String source, Position position, String detail) {
    super(source + ": " + position + ": " + detail);
    this.code = code;
    this.line = position.line();
    this.offset = position.offset();
    this.lineOffset = position.lineOffset();
    this.detail = detail;
  }

  /** What is wrong: MALFORMED_LINE, DUPLICATE_KEY or TORN_TAIL. */
  public FindingCode code() {
    return code;
  }

  /** The byte that is wrong. */
  public Position position() {
    return new Position(line, offset, lineOffset);
  }

  /** The same as a finding. */
  public Finding toFinding() {
    return new Finding(code, position(), detail);
  }
}
