package dev.agentreplay.io.log;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the segments of a log continue each other, while its lines are read: each segment
 * except the first begins with a {@link LogSegment}, which states the number of lines and bytes
 * before it and their hash. Several segments may be joined in one file. Recovery and verification
 * use this check, so that they find the same faults. Not safe for use by several threads.
 */
public final class SegmentChain {

  private final @Nullable LogBytes log;
  private final Supplier<ContentHash> hashBefore;

  /**
   * Whether {@link #hashBefore} covers all bytes before the line, and these are the bytes that were
   * written.
   */
  private boolean isHashKnown = true;

  private int nextFile = 2;
  private long segment = 1;

  /**
   * The number of lines that the last segment states in excess of those in the log;
   * {@link #missingBytes} likewise.
   */
  private long missingLines;

  private long missingBytes;

  /**
   * Creates a check of the lines that a reader reads from now on.
   *
   * @param hashBefore supplies the hash of the bytes before the line that is checked
   */
  public SegmentChain(ReplayReader reader, Supplier<ContentHash> hashBefore) {
    this(reader.log(), hashBefore);
  }

  SegmentChain(@Nullable LogBytes log, Supplier<ContentHash> hashBefore) {
    this.log = log;
    this.hashBefore = hashBefore;
  }

  /**
   * Checks whether a line continues the log before it. Returns the fault, or null if there is none.
   */
  public @Nullable Finding check(ReplayLine line) {
    LogSegment stated = line.event() instanceof LogSegment event ? event : null;
    Position at = line.position();
    String fault = null;
    boolean begins = false;
    while (log != null && isBegunBy(at.offset() + line.length())) {
      String found = beginning(log, line, stated);
      fault = fault == null ? found : fault;
      segment = log.number(nextFile);
      nextFile++;
      begins = true;
    }
    if (!begins && stated != null) {
      fault = misstated(stated, segment + 1, at);
      segment = stated.segment(); // otherwise all later segments would be faults, too
    }
    return fault == null ? null : new Finding(FindingCode.REPLAY_HASH_MISMATCH, at, fault);
  }

  /**
   * Tells the check that bytes before the next line are not in the hash, or are not the bytes that
   * were written.
   */
  public void loseHash() {
    isHashKnown = false;
  }

  /**
   * Tells the check that the bytes up to an offset are not a line: a segment that begins in them
   * has lost its first line.
   */
  public void skipTo(long offset) {
    while (log != null && isBegunBy(offset - 1)) {
      segment = log.number(nextFile);
      nextFile++;
    }
  }

  private boolean isBegunBy(long offset) {
    return log != null && nextFile <= log.segments() && log.startOf(nextFile) <= offset;
  }

  private @Nullable String beginning(LogBytes files, ReplayLine line, @Nullable LogSegment stated) {
    Position at = line.position();
    if (files.startOf(nextFile) > at.offset()) {
      return endsWithinLine(files.number(nextFile - 1));
    }
    int number = files.number(nextFile);
    if (stated != null) {
      return misstated(stated, number, at);
    }
    String found = line.event().kind().id();
    return "segment %d begins with %s, expected LogSegment"
        .formatted(number, found.isEmpty() ? "an unknown event" : found);
  }

  private @Nullable String misstated(LogSegment stated, long number, Position at) {
    long lines = stated.linesBefore() - (at.line() - 1);
    long bytes = stated.bytesBefore() - at.offset();
    boolean isSaid = lines == missingLines && bytes == missingBytes && (lines | bytes) != 0;
    missingLines = lines;
    missingBytes = bytes;
    if (isSaid && stated.segment() == number) {
      return null;
    }
    String differs = stated.fault(number, at, isHashKnown ? hashBefore.get() : null);
    if (differs == null) {
      return null;
    }
    isHashKnown = false;
    String missing = bytes > 0 && lines >= 0
        ? "; %d lines and %d bytes before it are missing".formatted(lines, bytes)
        : "";
    return "LogSegment: " + differs + missing;
  }

  /**
   * Checks a torn last line, once the log was read to its end. Returns the fault if the line
   * extends over several segments, or null.
   *
   * @param line the position of that line
   */
  public @Nullable Finding checkTail(Position line) {
    if (log == null) {
      return null;
    }
    int begun = log.segmentAt(line.offset());
    return begun == log.segments()
        ? null
        : new Finding(FindingCode.REPLAY_HASH_MISMATCH, line, endsWithinLine(log.number(begun)));
  }

  private static String endsWithinLine(int segment) {
    return "segment %d ends within this line".formatted(segment);
  }
}
