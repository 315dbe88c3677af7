package dev.agentreplay.convert.trace.reading;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Decompression of Zstandard (RFC 8878), of several frames one after the other as well. */
public final class Zstandard {

  private Zstandard() {}

  /**
   * Returns a stream of the decompressed bytes, which fails where they are damaged. Closing it
   * closes the given one.
   */
  public static InputStream open(InputStream compressed) throws IOException {
    return new Frames(new ZstdInputStream(compressed));
  }

  /** Reports damage as any other stream does. */
  private static final class Frames extends FilterInputStream {

    Frames(InputStream decompressed) {
      super(decompressed);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      int read = read(one, 0, 1);
      return read < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      try {
        return in.read(buffer, from, length);
      } catch (RuntimeException e) { // the decompressor has several for malformed input
        throw new IOException("damaged Zstandard data: " + e.getMessage(), e);
      }
    }
  }
}
