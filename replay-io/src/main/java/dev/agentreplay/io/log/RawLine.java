package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes of a line: a view that is valid until the next line is read from its
 * {@link RawLineReader}. {@link #bytes} returns a copy, which stays valid.
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

  /** The position of the first byte of the line. */
  public Position position() {
    return position;
  }

  /** The number of bytes of the line, without its line feed. */
  public int length() {
    return to - from;
  }

  /** Whether the line ends with a line feed; only the last line may have none. */
  public boolean hasLineFeed() {
    return terminated;
  }

  /**
   * A read-only view of the bytes of the line, without its line feed; valid as long as this line.
   */
  public ByteBuffer view() {
    return ByteBuffer.wrap(buffer, from, to - from).slice().asReadOnlyBuffer();
  }

  /** A copy of the bytes of the line, without its line feed. */
  public byte[] bytes() {
    return Arrays.copyOfRange(buffer, from, to);
  }

  /** Writes the bytes of the line, including its line feed if it has one, with one call. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(buffer, from, to - from + (terminated ? 1 : 0)); // the line feed follows it
  }

  @Override
  public String toString() {
    return position + ": " + length() + " bytes";
  }
}
