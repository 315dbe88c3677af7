package dev.agentreplay.convert.pack;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import dev.agentreplay.io.file.GzipInput;
import java.io.IOException;
import java.io.InputStream;

/** Aborts decompression when the compression ratio exceeds a limit (a decompression bomb). */
final class RatioLimit extends InputStream {

  /** The number of bytes that are always allowed: small repetitive sessions compress well. */
  static final long FREE_BYTES = 64L << 20;

  private final GzipInput gzip;
  private final String source;
  private final int maxRatio;
  private long bytes;
  private long needed = 1;

  RatioLimit(GzipInput gzip, String source, int maxRatio) {
    this.gzip = gzip;
    this.source = source;
    this.maxRatio = maxRatio;
  }

  /** The least limit that accepts the bytes read so far. */
  int needed() {
    return (int) Math.min(needed, Integer.MAX_VALUE);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    int read = gzip.read(into, from, length);
    bytes += Math.max(read, 0);
    if (bytes > FREE_BYTES) {
      needed = Math.max(needed, bytes / (gzip.offset() + 1) + 1);
    }
    if (needed > maxRatio) {
      throw new PackFormatException(
          Reason.RATIO,
          source,
          null,
          bytes,
          "%d compressed bytes became %d, more than %d times as many"
              .formatted(gzip.offset(), bytes, maxRatio));
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    gzip.close();
  }
}
