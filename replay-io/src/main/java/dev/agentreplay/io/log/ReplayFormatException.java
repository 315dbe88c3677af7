package dev.agentreplay.io.log;

import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Thrown when a log is not as required: a line cannot be read, the version is not supported, or the
 * log cannot be appended to.
 */
public final class ReplayFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The kind of the fault. */
  private final FindingCode code;

  private final long line;
  private final long offset;
  private final long lineOffset;
  private final String detail;

  /** Creates the exception for a log whose header states a version that is not supported. */
  public static ReplayFormatException unsupported(Path log, ReplayHeader header) {
    return new ReplayFormatException(
        FindingCode.UNSUPPORTED_VERSION,
        log.toString(),
        new Position(1, 0),
        String.valueOf(header.versionFault()));
  }

  /**
   * Creates an exception.
   *
   * @param code the kind of the fault
   * @param source the log
   * @param position the position of the fault
   * @param detail the fault: found and expected
   */
  public ReplayFormatException(FindingCode code, String source, Position position, String detail) {
    super(source + ": " + position + ": " + detail);
    this.code = code;
    this.line = position.line();
    this.offset = position.offset();
    this.lineOffset = position.lineOffset();
    this.detail = detail;
  }

  /**
   * The kind of the fault; for a line that cannot be read MALFORMED_LINE, DUPLICATE_KEY or
   * TORN_TAIL.
   */
  public FindingCode code() {
    return code;
  }

  /** The position of the fault. */
  public Position position() {
    return new Position(line, offset, lineOffset);
  }

  /** The fault as a finding. */
  public Finding toFinding() {
    return new Finding(code, position(), detail);
  }
}
