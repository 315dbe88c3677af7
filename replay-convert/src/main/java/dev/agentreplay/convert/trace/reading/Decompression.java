package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.io.file.GzipInput;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The bytes of a file that may be compressed with gzip or Zstandard. A small file cannot expand to
 * an enormous one: reading fails where the result exceeds a limit. Not safe for use by several
 * threads.
 */
public final class Decompression extends ReadOnceStream {

  /** The maximum length of the result in bytes. */
  private static final long MAX_BYTES = 64L << 30;

  /** The maximum length of the result for each compressed byte. */
  private static final long MAX_RATIO = 1_000;

  /** The length of a result whose ratio does not matter. */
  private static final long SMALL_BYTES = 64L << 20;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final String GZIP = "\u001f\u008b";
  private static final String ZSTD = "(\u00b5/\u00fd";

  private final Counted compressed;
  private final String name;
  private long bytes;

  private Decompression(InputStream decompressed, Counted compressed, String name) {
    super(decompressed);
    this.compressed = compressed;
    this.name = name;
  }

  /**
   * Opens a file, and decompresses it if it is compressed. Closing the result closes the given
   * stream, which is also closed if opening fails.
   *
   * @param name the name of the file in messages
   */
  static InputStream open(InputStream raw, String name) throws IOException {
    try {
      Counted counted = new Counted(raw);
      BufferedInputStream in = new BufferedInputStream(counted, BUFFER_BYTES);
      in.mark(ZSTD.length());
      SourceHead head = new SourceHead(in.readNBytes(ZSTD.length()), null, List.of());
      in.reset();
      if (head.startsWith(GZIP)) {
        return new Decompression(new GzipInput(in, name), counted, name);
      }
      return head.startsWith(ZSTD) ? new Decompression(Zstandard.open(in), counted, name) : in;
    } catch (Throwable e) {
      try (raw) {
        throw e;
      }
    }
  }

  /**
   * Checks a length after decompression: at most 64 GiB, and beyond 64 MiB at most 1,000 times the
   * compressed length.
   *
   * @param name the name of the file in the message
   * @throws IOException if it exceeds a limit
   */
  public static void check(long bytes, long compressed, String name) throws IOException {
    if (bytes > MAX_BYTES) {
      throw new IOException(
          "%s: it expands to more than %,d bytes, the limit".formatted(name, MAX_BYTES));
    } else if (bytes > SMALL_BYTES && bytes / MAX_RATIO > compressed) {
      throw new IOException(
          "%s: it expands to more than %,d times its length, the limit".formatted(name, MAX_RATIO));
    }
  }

  @Override
  public int read(byte[] buffer, int from, int length) throws IOException {
    int read = in.read(buffer, from, length);
    bytes += Math.max(read, 0);
    check(bytes, compressed.bytes, name);
    return read;
  }

  /** Counts the bytes that are read. */
  private static final class Counted extends FilterInputStream {
    private long bytes;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      bytes += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      int read = in.read(buffer, from, length);
      bytes += Math.max(read, 0);
      return read;
    }
  }
}
