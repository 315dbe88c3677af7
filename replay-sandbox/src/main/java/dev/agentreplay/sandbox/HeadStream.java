package dev.agentreplay.sandbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A stream whose beginning can be read at any time, without taking it from the reader. */
final class HeadStream extends InputStream {

  private static final int MAX_HEAD = 8192;

  private final InputStream in;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  // The number of bytes of the head that the reader has got.
  private int taken;

  HeadStream(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
    if (taken < head.size() && length > 0) {
      int count = Math.min(length, head.size() - taken);
      System.arraycopy(head.toByteArray(), taken, bytes, offset, count);
      taken += count;
      return count;
    }
    int count = in.read(bytes, offset, length);
    if (count > 0 && head.size() < MAX_HEAD) {
      int kept = Math.min(count, MAX_HEAD - head.size());
      head.write(bytes, offset, kept);
      taken += kept;
    }
    return count;
  }

  @Override
  public int available() throws IOException {
    // Not synchronized, since a reader may be waiting.
    return in.available();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** The first bytes as text. Waits for them, or for the end. */
  synchronized String head() {
    byte[] buffer = new byte[1024];
    try {
      while (head.size() < MAX_HEAD) {
        int count = in.read(buffer, 0, Math.min(buffer.length, MAX_HEAD - head.size()));
        if (count < 0) {
          break;
        }
        head.write(buffer, 0, count);
      }
    } catch (IOException closedByReader) {
      // What was read before is the answer.
    }
    return head.toString(StandardCharsets.UTF_8);
  }
}
