package dev.agentreplay.io.log;

import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A log is not what the caller needs: a line cannot be read, the version is not supported, or the
 * log cannot be continued.
 */
public final class ReplayFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The kind of the fault. */
  private final FindingCode code;

  private final long line;
  private final long offset;
  private final long lineOffset;
  private final String detail;

  /** The version that the header of a log states is not supported. */
  public static ReplayFormatException unsupported(Path log, ReplayHeader header) {
    return new ReplayFormatException(
        FindingCode.UNSUPPORTED_VERSION,
        log.toString(),
        new Position(1, 0),
        String.valueOf(header.versionFault()));
  }

  /**
   * A fault of a log.
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

  /** The kind of the fault: of a line MALFORMED_LINE, DUPLICATE_KEY or TORN_TAIL. */
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
