package dev.agentreplay.model.finding;

import org.jspecify.annotations.Nullable;

/**
 * A place in a log.
 *
 * @param line the number of the line, from 1
 * @param offset the offset of the byte, from 0 at the beginning of the log
 * @param lineOffset the offset of the first byte of the line
 */
public record Position(long line, long offset, long lineOffset) {

  /** Creates the position of the first byte of a line. */
  public Position(long line, long offset) {
    this(line, offset, offset);
  }

  // not those of the record, which are linked when first used (decision 322)
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Position that
        && line == that.line
        && offset == that.offset
        && lineOffset == that.lineOffset;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(line) * 31 + Long.hashCode(offset);
  }

  @Override
  public String toString() {
    String place = "line " + line + ", byte " + offset;
    return offset == lineOffset ? place : place + " (the line begins at byte " + lineOffset + ")";
  }
}
