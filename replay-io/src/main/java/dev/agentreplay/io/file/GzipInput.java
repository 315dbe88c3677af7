package dev.agentreplay.io.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses gzip (RFC 1952), strictly: {@link java.util.zip.GZIPInputStream} treats bytes after
 * a member that are not another member as the end of the stream; this class throws a
 * {@link DamagedException}, as it does for a truncated member, a wrong checksum or length, and a
 * reserved flag. Several members are read as one stream. Memory is bounded. Not safe for use by
 * several threads.
 */
public final class GzipInput extends InputStream {

  /** The number of bytes by which a gzip stream is recognized. */
  public static final int MAGIC_BYTES = 2;

  private static final int MAGIC_1 = 0x1f;
  private static final int MAGIC_2 = 0x8b;
  private static final int DEFLATE = 8;

  private static final int HAS_HEADER_SUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final InputStream in;
  private final String source;
  private final Inflater inflater = new Inflater(true);
  private final byte[] buffer = new byte[1 << 14];
  private int from;
  private int to;

  /** The offset of the buffer in the stream. */
  private long bufferOffset;

  private boolean inMember;
  private boolean atEnd;
  private long members;
  private final CRC32 headerSum = new CRC32();
  private final CRC32 sum = new CRC32();
  private long size;

  /**
   * Decompresses a stream, which is closed with this one.
   *
   * @param source the name of the stream in messages
   */
  public GzipInput(InputStream in, String source) {
    this.in = in;
    this.source = source;
  }

  /** Whether a file is compressed with gzip, by its first bytes. */
  public static boolean isCompressed(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return isMagic(in.readNBytes(MAGIC_BYTES));
    }
  }

  /** Whether a stream with these first bytes is compressed with gzip. */
  public static boolean isMagic(byte[] beginning) {
    return beginning.length >= MAGIC_BYTES
        && (beginning[0] & 0xff) == MAGIC_1
        && (beginning[1] & 0xff) == MAGIC_2;
  }

  /** The number of compressed bytes that were consumed. */
  public long offset() {
    return bufferOffset + from;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int start, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (inMember || beginMember()) {
      int inflated = inflate(bytes, start, length);
      if (inflated > 0) {
        sum.update(bytes, start, inflated);
        size += inflated;
        return inflated;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsInput()) {
        require(fill());
        inflater.setInput(buffer, from, to - from);
        from = to;
      } else {
        throw damaged("the data needs a preset dictionary");
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }

  private int inflate(byte[] bytes, int start, int length) throws DamagedException {
    try {
      return inflater.inflate(bytes, start, length);
    } catch (DataFormatException e) {
      from = to - inflater.getRemaining();
      throw damaged("the data is not valid deflate data: " + e.getMessage());
    }
  }

  /** Reads the header of the next member. Returns whether there is a member. */
  private boolean beginMember() throws IOException {
    if (atEnd || (from == to && !fill())) {
      if (members == 0) {
        throw damaged("the file is empty; expected gzip data");
      }
      return false;
    }
    headerSum.reset();
    if (header() != MAGIC_1 || header() != MAGIC_2) {
      from--;
      throw damaged(
          members == 0
              ? "not a gzip file"
              : "expected the end or another gzip member, found the byte 0x%02x"
                  .formatted(buffer[from] & 0xff));
    }
    int method = header();
    if (method != DEFLATE) {
      throw damaged("compression method " + method + " is not deflate");
    }
    int flags = header();
    if ((flags & RESERVED) != 0) {
      throw damaged("reserved flags are set: 0x%02x".formatted(flags));
    }
    skipHeader(6); // modification time, extra flags and operating system
    if ((flags & HAS_EXTRA) != 0) {
      skipHeader(header() | (header() << 8));
    }
    if ((flags & HAS_NAME) != 0) {
      skipHeaderText();
    }
    if ((flags & HAS_COMMENT) != 0) {
      skipHeaderText();
    }
    if ((flags & HAS_HEADER_SUM) != 0) {
      expect("the check sum of the header", headerSum.getValue() & 0xffff, 2);
    }
    inflater.reset();
    inflater.setInput(buffer, from, to - from);
    from = to;
    sum.reset();
    size = 0;
    members++;
    inMember = true;
    return true;
  }

  private void endMember() throws IOException {
    from = to - inflater.getRemaining();
    expect("the check sum of the data", sum.getValue(), 4);
    expect("the length of the data", size & 0xffffffffL, 4);
    inMember = false;
  }

  private void expect(String what, long computed, int bytes) throws IOException {
    long stated = 0;
    for (int i = 0; i < bytes; i++) {
      stated |= (long) next() << (8 * i);
    }
    if (stated != computed) {
      throw damaged("%s is 0x%x, but 0x%x is stated".formatted(what, computed, stated));
    }
  }

  private void skipHeader(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      header();
    }
  }

  private void skipHeaderText() throws IOException {
    while (header() != 0) {
      // the text ends with a zero byte
    }
  }

  private int header() throws IOException {
    int next = next();
    headerSum.update(next);
    return next;
  }

  private int next() throws IOException {
    require(from < to || fill());
    return buffer[from++] & 0xff;
  }

  private void require(boolean available) throws DamagedException {
    if (!available) {
      throw damaged("the compressed data is cut short");
    }
  }

  private boolean fill() throws IOException {
    if (atEnd) {
      return false;
    }
    bufferOffset += to;
    from = 0;
    to = 0;
    int read = in.read(buffer, 0, buffer.length);
    atEnd = read < 0;
    to = Math.max(read, 0);
    return read > 0;
  }

  private DamagedException damaged(String detail) {
    return new DamagedException(source, offset(), detail);
  }

  /** Thrown when the bytes are not a complete gzip stream. */
  public static final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long offset;
    private final String detail;

    DamagedException(String source, long offset, String detail) {
      super(source + ": byte " + offset + ": " + detail);
      this.offset = offset;
      this.detail = detail;
    }

    /** The offset in the compressed stream at which the fault was found. */
    public long offset() {
      return offset;
    }

    /** The fault, without source and offset. */
    public String detail() {
      return detail;
    }
  }
}
