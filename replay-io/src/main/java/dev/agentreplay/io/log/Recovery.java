package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.util.Objects;

/**
 * In what state the process that wrote it has left a log, by its structure alone: whether what its
 * events say is true is for a verifier. An event is a line that is a JSON object, whatever its tag.
 * Immutable.
 */
public sealed interface Recovery
    permits Recovery.Complete, Recovery.Open, Recovery.TornTail, Recovery.Corrupt {

  /** How far the log is good. */
  Extent extent();

  /** How many whole lines it has from its beginning, header included, each of which is an event. */
  default long events() {
    return extent().events();
  }

  /** The length of these lines, in bytes: where a repair cuts the log. */
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

  /** Whether the last line is an event, but has no line feed; a repair adds it. */
  default boolean missingLineFeed() {
    return false;
  }

  /**
   * How far a log is good, from its beginning.
   *
   * @param events how many lines that is, header included
   * @param bytes how long they are, with their line feeds
   * @param segment in which of the log's files the last of them ends, from 1
   * @param segmentBytes how many of the bytes are in that file
   */
  record Extent(long events, long bytes, int segment, long segmentBytes) {

    /** Where what follows it begins. */
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
   * Every line is an event, and after the last line feed there are bytes that are none: what a
   * write that was broken off leaves. A repair cuts them off.
   *
   * @param extent the lines before them
   * @param droppedBytes how many bytes these are
   * @param ended whether the session has ended before them
   */
  record TornTail(Extent extent, long droppedBytes, boolean ended) implements Recovery {
    /** Checks for null. */
    public TornTail {
      Objects.requireNonNull(extent, "extent");
    }

    /** Where the tail begins. */
    public Position position() {
      return extent.end();
    }
  }

  /**
   * A line that ends with a line feed is no event, the files of the log do not fit together, or
   * compressed data is damaged. No process that was killed leaves this, but loss of power may where
   * the log was not forced: pages of NUL bytes, with good lines behind them. No repair mends it;
   * {@link LogRecovery#truncate} cuts the log off there, {@link LogRecovery#salvage} reads the
   * rest.
   *
   * @param extent the lines before the first one that is wrong
   * @param position the byte that is wrong
   * @param code what is wrong with it
   * @param detail the same, for people
   * @param readableAfter how many lines after it are events
   * @param unreadableAfter how many lines after it are none
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
