package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.Position;
import java.util.Objects;

/**
 * A piece of a damaged log: a line that was read, or a gap. Each begins where the one before it
 * ends, and together they are all bytes of the log. Immutable.
 */
public sealed interface Salvaged permits Salvaged.Line, Salvaged.Gap {

  /** Where it begins. */
  Position position();

  /** How many bytes of the log it is. */
  long bytes();

  /**
   * An event.
   *
   * @param line what was read; of several in one line of the log each has its number
   * @param lineFeed whether its line feed belongs to it, and not to what follows it
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
   * Bytes that are no event.
   *
   * @param kind what they look like
   * @param position where they begin
   * @param bytes how many they are; none where two events are not separated, and where bytes are
   *     missing that were not found
   * @param detail what is wrong with them, for people
   */
  record Gap(GapKind kind, Position position, long bytes, String detail) implements Salvaged {
    /** Checks for null. */
    public Gap {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(position, "position");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** What a gap looks like. */
  enum GapKind {
    /** Between two events there is no line feed: none, or white space. */
    SPLICED,
    /**
     * The beginning of an event, which was cut short; another one may follow in its line. At the
     * end of a compressed log, of no bytes: what could not be decompressed.
     */
    TRUNCATED,
    /** NUL bytes, as a file system leaves them where it had not written what it promised. */
    NUL_RUN,
    /** The byte order mark of UTF-8. */
    BYTE_ORDER_MARK,
    /** A line of nothing but white space. */
    BLANK_LINE,
    /** What follows the last line feed, and is no event. */
    TORN_TAIL,
    /** A line that is longer than a line may be. */
    TOO_LONG,
    /**
     * Of no bytes: what is before a segment of the log is not what its first line states, or a
     * segment begins without that line.
     */
    PART_MISMATCH,
    /** Anything else. */
    MALFORMED
  }
}
