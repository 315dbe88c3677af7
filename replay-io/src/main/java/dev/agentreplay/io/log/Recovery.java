package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.util.Objects;

/**
 * The state in which a writer has left a log, by its structure alone: a verifier checks whether the
 * content is true. An event is a line that is a JSON object, whatever its tag. Immutable.
 * {@link LogRecovery#inspect()} returns it.
 */
public sealed interface Recovery
    permits Recovery.Complete, Recovery.Open, Recovery.TornTail, Recovery.Corrupt {

  /** The good beginning of the log. */
  Extent extent();

  /**
   * The number of complete lines at the beginning of the log, header included, all of which are
   * events.
   */
  default long events() {
    return extent().events();
  }

  /** The length of these lines, in bytes: the offset at which a repair truncates the log. */
  default long bytes() {
    return extent().bytes();
  }

  /** The name of the state in reports. */
  default String state() {
    if (this instanceof Corrupt) {
      return "CORRUPT";
    }
    if (this instanceof TornTail) {
      return "TORN_TAIL";
    }
    return this instanceof Complete ? "COMPLETE" : "OPEN";
  }

  /** Whether the last line is an event without a line feed; a repair adds it. */
  default boolean missingLineFeed() {
    return false;
  }

  /**
   * The good beginning of a log.
   *
   * @param events the number of its lines, header included
   * @param bytes their length, including line feeds
   * @param segment the segment in which the last of them ends, from 1
   * @param segmentBytes the number of these bytes in that segment
   */
  record Extent(long events, long bytes, int segment, long segmentBytes) {

    /** The position after the last of these lines. */
    public Position end() {
      return new Position(events + 1, bytes);
    }
  }

  /**
   * Every line is an event, and the session has ended.
   *
   * @param extent the whole log
   * @param missingLineFeed whether the last line has no line feed; a repair adds it
   */
  record Complete(Extent extent, boolean missingLineFeed) implements Recovery {
    /** Checks for null. */
    public Complete {
      Objects.requireNonNull(extent, "extent");
    }
  }

  /**
   * Every line is an event, and the session has not ended. An empty log is open.
   *
   * @param extent the whole log
   * @param missingLineFeed whether the last line has no line feed; a repair adds it
   */
  record Open(Extent extent, boolean missingLineFeed) implements Recovery {
    /** Checks for null. */
    public Open {
      Objects.requireNonNull(extent, "extent");
    }
  }

  /**
   * A torn write: every complete line is an event, and the bytes after the last line feed are not
   * an event. A process that crashes during a write may leave this. A repair truncates these bytes.
   * A file without an event of a known kind is {@link Corrupt} instead, and not truncated, unless
   * it is the beginning of a first event: it may not be a log.
   *
   * @param extent the lines before the torn tail
   * @param droppedBytes the length of the torn tail, in bytes
   * @param ended whether the session has ended before it
   */
  record TornTail(Extent extent, long droppedBytes, boolean ended) implements Recovery {
    /** Checks for null. */
    public TornTail {
      Objects.requireNonNull(extent, "extent");
    }

    /** The position of the torn tail. */
    public Position position() {
      return extent.end();
    }
  }

  /**
   * A line that ends with a line feed is not an event, no event is of a known kind, the segments of
   * the log do not continue each other, or compressed data is damaged. A process that is killed
   * does not leave this; power loss may, if the log was not forced to disk: pages of NUL bytes,
   * with good lines after them. {@link LogRecovery#repair} does not fix it;
   * {@link LogRecovery#truncate} truncates the log before the fault, and
   * {@link LogRecovery#salvage} reads the rest.
   *
   * @param extent the lines before the first fault
   * @param position the position of the first fault
   * @param code the kind of the fault
   * @param detail the fault, for people
   * @param readableAfter the number of lines after it that are events
   * @param unreadableAfter the number of lines after it that are not
   */
  record Corrupt(
      Extent extent,
      Position position,
      FindingCode code,
      String detail,
      long readableAfter,
      long unreadableAfter)
      implements Recovery {

    /** Checks for null. */
    public Corrupt {
      Objects.requireNonNull(extent, "extent");
      Objects.requireNonNull(position, "position");
      Objects.requireNonNull(code, "code");
      Objects.requireNonNull(detail, "detail");
    }
  }
}
