package dev.agentreplay.model;

import dev.agentreplay.model.finding.Position;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first line of each segment except the first; the writer writes it when it rotates the log. It
 * states the number of lines and bytes in the segments before it and their hash, so that a missing,
 * truncated or exchanged segment is detected.
 *
 * @param segment the number of the segment that begins with this line, at least 2
 * @param linesBefore the number of lines of the log before this one, not negative
 * @param bytesBefore the number of bytes of the log before this line, not negative
 * @param hashBefore the SHA-256 of those bytes
 * @param meta the data common to all events
 */
public record LogSegment(
    long segment, long linesBefore, long bytesBefore, ContentHash hashBefore, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public LogSegment {
    Objects.requireNonNull(hashBefore, "hashBefore");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the first event of a segment. */
  public static LogSegment of(
      long segment, long linesBefore, long bytesBefore, ContentHash hashBefore) {
    return new LogSegment(segment, linesBefore, bytesBefore, hashBefore, Meta.NONE);
  }

  @Override
  public EventKind kind() {
    return EventKind.LOG_SEGMENT;
  }

  @Override
  public LogSegment withMeta(Meta newMeta) {
    return new LogSegment(segment, linesBefore, bytesBefore, hashBefore, newMeta);
  }

  /**
   * Checks the statements of this event against the log before it. Returns the first one that is
   * wrong, with the value found and the value expected, or null if all are right.
   *
   * @param number the number of the segment that begins with this event
   * @param at the position of the event
   * @param hash the hash of all bytes before this event; null if it is not known
   */
  public @Nullable String fault(long number, Position at, @Nullable ContentHash hash) {
    if (segment != number) {
      return differs("segment", segment, number);
    }
    if (linesBefore != at.line() - 1) {
      return differs(Names.LINES_BEFORE, linesBefore, at.line() - 1);
    }
    if (bytesBefore != at.offset()) {
      return differs(Names.BYTES_BEFORE, bytesBefore, at.offset());
    }
    return hash == null || hashBefore.equals(hash)
        ? null
        : differs(Names.HASH_BEFORE, hashBefore, hash);
  }

  private static String differs(String field, Object found, Object expected) {
    return "%s is %s, expected %s".formatted(field, found, expected);
  }
}
