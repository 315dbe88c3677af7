package dev.agentreplay.model;

/**
 * A place in a log.
 *
 * @param line the line, counted from 1 by line feeds
 * @param offset the byte, counted from 0 at the beginning of the file
 */
public record Position(long line, long offset) {

  @Override
  public String toString() {
    return "line " + line + ", byte " + offset;
  }
}
