package dev.agentreplay.model.finding;

/**
 * A place in a log.
 *
 * @param line the line, counted from 1 by line feeds
 * @param offset the byte, counted from 0 at the beginning of the file
 * @param lineOffset the first byte of the line, counted likewise
 */
public record Position(long line, long offset, long lineOffset) {

  /** The beginning of a line. */
  public Position(long line, long offset) {
    this(line, offset, offset);
  }

  @Override
  public String toString() {
    String place = "line " + line + ", byte " + offset;
    return offset == lineOffset ? place : place + " (the line begins at byte " + lineOffset + ")";
  }
}
