package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes of a line: a view, which means nothing once its {@link RawLineReader} has been asked
 * for the next line. What {@link #bytes} returns stays.
 */
public final class RawLine {

  private final Position position;
  private final byte[] buffer;
  private final int from;
  private final int to;
  private final boolean terminated;

  RawLine(LineSplitter line) {
    this.position = line.position();
    this.buffer = line.buffer();
    this.from = line.from();
    this.to = line.to();
    this.terminated = line.isTerminated();
  }

  /** Where the line begins. */
  public Position position() {
    return position;
  }

  /** The number of bytes of the line, without its line feed. */
  public int length() {
    return to - from;
  }

  /** Whether the line ends with a line feed; only the last one may not. */
  public boolean hasLineFeed() {
    return terminated;
  }

  /** The bytes of the line, without its line feed: not a copy, and not to be written to. */
  public ByteBuffer view() {
    return ByteBuffer.wrap(buffer, from, to - from).slice().asReadOnlyBuffer();
  }

  /** The bytes of the line, without its line feed: a copy. */
  public byte[] bytes() {
    return Arrays.copyOfRange(buffer, from, to);
  }

  /** Writes the bytes of the line, and its line feed if it has one, in one call. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(buffer, from, to - from + (terminated ? 1 : 0)); // its feed stands behind it
  }

  @Override
  public String toString() {
    return position + ": " + length() + " bytes";
  }
}
