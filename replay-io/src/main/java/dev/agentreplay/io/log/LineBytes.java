package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.Position;

/** A line of a log in a buffer, to be decoded. */
interface LineBytes {

  /** The buffer, which must not be modified. */
  byte[] buffer();

  /** The index of the first byte of the line in the buffer. */
  int from();

  /** The index after the last byte of the line in the buffer, without its line feed. */
  int to();

  /** The index after the last byte in the buffer that was read so far. */
  int filled();

  /** Whether the line ends with a line feed. */
  boolean isTerminated();

  /** The position of the first byte of the line. */
  Position position();
}
