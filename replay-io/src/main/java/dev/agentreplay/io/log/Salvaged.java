package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.Position;
import java.util.Objects;

/**
 * A piece of a damaged log: a line that was read, or a gap. Each piece begins where the previous
 * one ends, and all pieces together are all bytes of the log. Immutable.
 */
public sealed interface Salvaged permits Salvaged.Line, Salvaged.Gap {

  /** The position of its first byte. */
  Position position();

  /** Its length in the log, in bytes. */
  long bytes();

  /**
   * An event.
   *
   * @param line the event that was read; several events in one line of the log have the same line
   *     number
   * @param lineFeed whether the line feed after it belongs to it, and not to the next piece
   */
  record Line(ReplayLine line, boolean lineFeed) implements Salvaged {
    /** Checks for null. */
    public Line {
      Objects.requireNonNull(line, "line");
    }

    @Override
    public Position position() {
      return line.position();
    }

    @Override
    public long bytes() {
      return line.length() + (lineFeed ? 1L : 0L);
    }
  }

  /**
   * Bytes that are not an event.
   *
   * @param kind the likely kind of the gap
   * @param position the position of its first byte
   * @param bytes its length, in bytes; zero if two events are not separated, and if bytes are
   *     missing
   * @param detail the fault, for people
   */
  record Gap(GapKind kind, Position position, long bytes, String detail) implements Salvaged {
    /** Checks for null. */
    public Gap {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(position, "position");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** The likely kinds of gaps. */
  enum GapKind {
    /** Two events are separated by white space or nothing, instead of a line feed. */
    SPLICED,
    /**
     * The beginning of an event that was truncated; another event may follow in the same line. At
     * the end of a compressed log, a gap of zero bytes: the data that could not be decompressed.
     */
    TRUNCATED,
    /**
     * A run of NUL bytes, as a file system leaves them after power loss in place of data that was
     * not written.
     */
    NUL_RUN,
    /** The byte order mark of UTF-8. */
    BYTE_ORDER_MARK,
    /** A line that is empty or has only white space. */
    BLANK_LINE,
    /** A torn write: bytes after the last line feed that are not an event. */
    TORN_TAIL,
    /** A line that is longer than {@link ReaderOptions#maxLineBytes}. */
    TOO_LONG,
    /**
     * A gap of zero bytes: the log before a segment differs from what the first line of the segment
     * states, or the segment begins without that line.
     */
    PART_MISMATCH,
    /** Any other bytes. */
    MALFORMED
  }
}
