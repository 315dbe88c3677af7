package dev.agentreplay.convert.pack;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tar archive of regular files, strictly: ustar headers, and pax records only for path and
 * size. Everything else is an error, because two readers could interpret it differently. Not safe
 * for use by several threads.
 */
final class TarReader {

  /** The number of bytes of pax records in addition to the path. */
  private static final int EXTENDED_ROOM = 64;

  /**
   * The maximum number of zero bytes at the end of an archive; tar writes blocks of up to 10 KiB.
   */
  private static final int MAX_TRAILER = 1 << 20;

  private final InputStream in;
  private final String source;
  private final int maxExtended;
  private final byte[] block = new byte[TarFormat.BLOCK];

  private long offset;
  private long left;
  private int padding;
  private @Nullable String current;

  /** The header of a file. */
  record Entry(String path, long size) {}

  /**
   * Creates a reader of a stream, which it does not close.
   *
   * @param source the name of the stream in messages
   * @param maxPathBytes the maximum length of a path in bytes
   */
  TarReader(InputStream in, String source, int maxPathBytes) {
    this.in = in;
    this.source = source;
    this.maxExtended = maxPathBytes + EXTENDED_ROOM;
  }

  /**
   * Returns the header of the next file, or null at the end, which must be the end of the stream.
   * The content of the previous file must have been read.
   */
  @Nullable
  Entry next() throws IOException {
    skipPadding();
    readBlock();
    if (isZero(block)) {
      readTrailer();
      return null;
    }
    PaxRecords extended = PaxRecords.NONE;
    char type = checkedType();
    if (type == TarFormat.EXTENDED) {
      extended = readExtended();
      readBlock();
      type = checkedType();
    }
    String name = name();
    String path = extended.path() == null ? name : extended.path();
    current = path;
    if (type != TarFormat.FILE) {
      throw failure(Reason.ENTRY_TYPE, describe(type));
    }
    if (!field(TarFormat.LINK_AT, TarFormat.LINK_LENGTH).isEmpty()) {
      throw failure(Reason.ENTRY_TYPE, "a regular file that names the target of a link");
    }
    left = size(extended.size());
    padding = TarFormat.padding(left);
    return new Entry(path, left);
  }

  /** Reads content of the current file: as many bytes as its header states, and then -1. */
  int read(byte[] bytes) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = in.read(bytes, 0, (int) Math.min(bytes.length, left));
    if (read < 0) {
      throw cut();
    }
    offset += read;
    left -= read;
    return read;
  }

  /** The current offset in the archive, in bytes. */
  long offset() {
    return offset;
  }

  /** The path of the current file, or null before the first and after the last one. */
  @Nullable
  String current() {
    return current;
  }

  /** Returns an exception at the current offset. */
  PackFormatException failure(Reason reason, String detail) {
    return new PackFormatException(reason, source, current, offset, detail);
  }

  private PaxRecords readExtended() throws IOException {
    long size = size(null);
    if (size > maxExtended) {
      throw failure(
          Reason.LIMIT,
          "an extended header of %d bytes, at most %d are read".formatted(size, maxExtended));
    }
    byte[] records = in.readNBytes((int) size);
    offset += records.length;
    if (records.length < size) {
      throw cut();
    }
    padding = TarFormat.padding(size);
    skipPadding();
    try {
      return PaxRecords.decode(records);
    } catch (PaxRecords.MalformedException e) {
      throw failure(Reason.ARCHIVE, "extended header: " + e.getMessage());
    }
  }

  /** Checks a header, and returns its type. */
  private char checkedType() throws PackFormatException {
    long stated = octal(TarFormat.SUM_AT, TarFormat.SUM_LENGTH, "checksum");
    if (stated != TarFormat.sum(block)) {
      throw failure(
          Reason.ARCHIVE,
          "the checksum of the header is %d, but %d is stated"
              .formatted(TarFormat.sum(block), stated));
    }
    String magic = new String(
        block, TarFormat.MAGIC_AT, TarFormat.MAGIC.length(), StandardCharsets.ISO_8859_1);
    if (!magic.equals(TarFormat.MAGIC)) {
      throw failure(Reason.ARCHIVE, "the header is not one of ustar");
    }
    return (char) (block[TarFormat.TYPE_AT] & 0xff);
  }

  private String name() throws PackFormatException {
    String prefix = field(TarFormat.PREFIX_AT, TarFormat.PREFIX_LENGTH);
    String name = field(0, TarFormat.NAME_LENGTH);
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private long size(@Nullable Long extended) throws PackFormatException {
    long size = octal(TarFormat.SIZE_AT, TarFormat.SIZE_LENGTH, "size");
    if (extended == null) {
      return size;
    }
    if (size != 0 && size != extended) {
      throw failure(Reason.ARCHIVE, "two sizes are stated: %d and %d".formatted(size, extended));
    }
    return extended;
  }

  private long octal(int at, int length, String what) throws PackFormatException {
    int end = at;
    long number = 0;
    while (end < at + length && block[end] >= '0' && block[end] <= '7') {
      number = number * 8 + block[end++] - '0';
    }
    boolean ended = true;
    for (int i = end; i < at + length; i++) {
      ended &= block[i] == 0 || block[i] == ' ';
    }
    if (end == at || !ended) {
      throw failure(Reason.ARCHIVE, "the " + what + " is not an octal number");
    }
    return number;
  }

  private String field(int at, int length) throws PackFormatException {
    int end = at;
    while (end < at + length && block[end] != 0) {
      end++;
    }
    for (int i = end; i < at + length; i++) {
      if (block[i] != 0) {
        throw failure(Reason.ARCHIVE, "a name has a NUL within it");
      }
    }
    String text = PaxRecords.strictUtf8(Arrays.copyOfRange(block, at, end));
    if (text == null) {
      throw failure(Reason.ARCHIVE, "a name is not UTF-8");
    }
    return text;
  }

  private void readTrailer() throws IOException {
    current = null;
    readBlock();
    if (!isZero(block)) {
      throw failure(Reason.ARCHIVE, "expected a second empty block at the end");
    }
    long end = offset;
    for (int read = in.read(block); read >= 0; read = in.read(block)) {
      if (!isZero(Arrays.copyOf(block, read))) {
        throw failure(Reason.ARCHIVE, "bytes that are not zero follow the end of the archive");
      }
      offset += read;
      if (offset - end > MAX_TRAILER) {
        throw failure(Reason.LIMIT, "more than " + MAX_TRAILER + " zero bytes follow the end");
      }
    }
  }

  private void skipPadding() throws IOException {
    if (left > 0) {
      throw new IllegalStateException(left + " bytes of the last file have not been read");
    }
    byte[] filler = in.readNBytes(padding);
    if (filler.length < padding) {
      throw cut();
    }
    if (!isZero(filler)) {
      throw failure(Reason.ARCHIVE, "the last block of a file is not filled with zeros");
    }
    offset += padding;
    padding = 0;
  }

  private void readBlock() throws IOException {
    int read = in.readNBytes(block, 0, TarFormat.BLOCK);
    if (read < TarFormat.BLOCK) {
      throw cut();
    }
    offset += read;
  }

  private PackFormatException cut() {
    return failure(Reason.ARCHIVE, "the archive is cut short");
  }

  private static boolean isZero(byte[] bytes) {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  private static String describe(char type) {
    String what =
        switch (type) {
          case '1' -> "a hard link";
          case '2' -> "a symbolic link";
          case '3', '4' -> "a device";
          case '5' -> "a directory";
          case '6' -> "a named pipe";
          case 'g' -> "a global extended header";
          case 'x' -> "an extended header of an extended header";
          case 'L', 'K' -> "a long name of GNU tar";
          default -> "of the type 0x%02x".formatted((int) type);
        };
    return what + ", and only regular files are read";
  }
}
