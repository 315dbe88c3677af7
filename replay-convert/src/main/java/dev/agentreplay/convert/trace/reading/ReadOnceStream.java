package dev.agentreplay.convert.trace.reading;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream each byte of which passes through {@link #read(byte[], int, int)} once: also one that is
 * read alone or skipped, and none a second time.
 */
abstract class ReadOnceStream extends FilterInputStream {

  private static final int BUFFER_BYTES = 1 << 16;

  ReadOnceStream(InputStream in) {
    super(in);
  }

  @Override
  public abstract int read(byte[] buffer, int from, int length) throws IOException;

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    int read = read(one, 0, 1);
    return read < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final long skip(long count) throws IOException {
    long skipped = 0;
    byte[] buffer = new byte[BUFFER_BYTES];
    while (skipped < count) {
      int read = read(buffer, 0, (int) Math.min(buffer.length, count - skipped));
      if (read < 0) {
        break;
      }
      skipped += read;
    }
    return skipped;
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
