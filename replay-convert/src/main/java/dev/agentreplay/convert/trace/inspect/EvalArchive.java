package dev.agentreplay.convert.trace.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.convert.trace.reading.Decompression;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.reading.Zstandard;
import dev.agentreplay.model.text.PlainText;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The members of a ZIP archive (PKWARE APPNOTE 6.3), stored, deflated or compressed with Zstandard
 * (method 93), which {@link java.util.zip.ZipFile} refuses. The central directory is checked before
 * a member is read: the numbers and lengths of the members have limits, and their data may not
 * overlap, so that a small archive cannot expand to an enormous one. Not safe for use by several
 * threads.
 */
final class EvalArchive implements Closeable {

  /** The maximum number of members. */
  static final int MAX_MEMBERS = 200_000;

  /** The maximum length of all members together, in bytes, after decompression. */
  static final long MAX_TOTAL_BYTES = 16L << 30;

  private static final int MAX_DIRECTORY_BYTES = 64 << 20;

  private static final int LOCAL_HEADER = 0x04034b50;
  private static final int LOCAL_HEADER_BYTES = 30;
  private static final int ENTRY = 0x02014b50;
  private static final int ENTRY_BYTES = 46;
  private static final int END = 0x06054b50;
  private static final int END_BYTES = 22;
  private static final int END64 = 0x06064b50;
  private static final int END64_BYTES = 56;
  private static final int LOCATOR64 = 0x07064b50;
  private static final int LOCATOR64_BYTES = 20;
  private static final int EXTRA64 = 0x0001;
  private static final int MAX_COMMENT_BYTES = 0xffff;
  private static final long IN_EXTRA = 0xffffffffL;

  private static final int STORED = 0;
  private static final int DEFLATED = 8;
  private static final int ZSTANDARD = 93;
  private static final int ENCRYPTED = 1;

  /** A member: its place and lengths as the central directory states them. */
  private record Member(
      String name, int method, int flags, long crc, long compressed, long length, long offset) {}

  /** The place of the central directory. */
  private record Directory(long offset, long bytes, long members) {}

  private final FileChannel channel;
  private final String file;
  private final long size;
  private final Map<String, Member> members = new LinkedHashMap<>();
  private final Set<String> repeated = new TreeSet<>();

  private EvalArchive(FileChannel channel, String file) throws IOException {
    this.channel = channel;
    this.file = file;
    this.size = channel.size();
  }

  /**
   * Opens an archive, and reads its central directory.
   *
   * @throws IOException if it has none, which may be because the file is truncated, if it
   *     contradicts itself, or exceeds a limit
   */
  static EvalArchive open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      EvalArchive archive = new EvalArchive(channel, String.valueOf(path.getFileName()));
      archive.readDirectory();
      return archive;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The names of the members, in the order of the central directory. */
  Set<String> names() {
    return members.keySet();
  }

  /** The names that several members have. The last of them counts, as for the writers of logs. */
  Set<String> repeated() {
    return repeated;
  }

  private void readDirectory() throws IOException {
    Directory directory = findDirectory();
    if (directory.members() > MAX_MEMBERS || directory.bytes() > MAX_DIRECTORY_BYTES) {
      throw fault("its directory has %,d members and %,d bytes, more than the limits of %,d and %,d"
          .formatted(directory.members(), directory.bytes(), MAX_MEMBERS, MAX_DIRECTORY_BYTES));
    }
    ByteBuffer entries = read(directory.offset(), directory.bytes());
    long compressed = 0;
    long total = 0;
    for (long i = 0; i < directory.members(); i++) {
      Member member = readEntry(entries);
      if (member.length() > TraceSource.MAX_DOCUMENT_BYTES) {
        throw fault("the member %d has %,d bytes, more than the limit of a document, %,d"
            .formatted(i + 1, member.length(), TraceSource.MAX_DOCUMENT_BYTES));
      }
      compressed += member.compressed();
      total += member.length();
      if (compressed > size) {
        throw fault("its members overlap: they have more bytes than the file");
      }
      if (total > MAX_TOTAL_BYTES) {
        throw fault("its members have more than %,d bytes, the limit".formatted(MAX_TOTAL_BYTES));
      }
      if (members.put(member.name(), member) != null) {
        repeated.add(member.name());
      }
    }
    Decompression.check(total, size, PlainText.of(file));
  }

  private Member readEntry(ByteBuffer entries) throws IOException {
    if (entries.remaining() < ENTRY_BYTES || entries.getInt(entries.position()) != ENTRY) {
      throw fault("its directory ends too early, or an entry does not begin with its signature");
    }
    int at = entries.position();
    int nameBytes = unsignedShort(entries, at + 28);
    int extraBytes = unsignedShort(entries, at + 30);
    int commentBytes = unsignedShort(entries, at + 32);
    if (entries.remaining() < ENTRY_BYTES + nameBytes + extraBytes + commentBytes) {
      throw fault("an entry of its directory is longer than the directory");
    }
    byte[] name = new byte[nameBytes];
    entries.get(at + ENTRY_BYTES, name);
    ByteBuffer extra = extra64(entries, at + ENTRY_BYTES + nameBytes, extraBytes);
    long length = wide(unsignedInt(entries, at + 24), extra);
    long compressed = wide(unsignedInt(entries, at + 20), extra);
    long offset = wide(unsignedInt(entries, at + 42), extra);
    if (length < 0 || compressed < 0 || offset < 0 || offset > size - compressed) {
      throw fault("an entry of its directory states a place outside of the file");
    }
    entries.position(at + ENTRY_BYTES + nameBytes + extraBytes + commentBytes);
    return new Member(
        new String(name, UTF_8),
        unsignedShort(entries, at + 10),
        unsignedShort(entries, at + 8),
        unsignedInt(entries, at + 16),
        compressed,
        length,
        offset);
  }

  /** The values of the field with the 64-bit numbers of an entry; empty if it has none. */
  private static ByteBuffer extra64(ByteBuffer entries, int from, int bytes) {
    int at = from;
    while (at + 4 <= from + bytes) {
      int length = unsignedShort(entries, at + 2);
      if (unsignedShort(entries, at) == EXTRA64 && at + 4 + length <= from + bytes) {
        return entries.slice(at + 4, length).order(ByteOrder.LITTLE_ENDIAN);
      }
      at += 4 + length;
    }
    return ByteBuffer.allocate(0);
  }

  private long wide(long stated, ByteBuffer extra) throws IOException {
    if (stated != IN_EXTRA) {
      return stated;
    }
    if (extra.remaining() < Long.BYTES) {
      throw fault("an entry of its directory lacks a 64-bit number");
    }
    return extra.getLong();
  }

  private Directory findDirectory() throws IOException {
    int tailBytes = (int) Math.min(size, END_BYTES + MAX_COMMENT_BYTES);
    long tailOffset = size - tailBytes;
    ByteBuffer tail = read(tailOffset, tailBytes);
    for (int at = tailBytes - END_BYTES; at >= 0; at--) {
      if (tail.getInt(at) == END && at + END_BYTES + unsignedShort(tail, at + 20) == tailBytes) {
        return directory(tail, at, tailOffset + at);
      }
    }
    throw fault("not a whole archive: its directory, which is at the end, is missing; the file may"
        + " be truncated");
  }

  private Directory directory(ByteBuffer tail, int at, long endOffset) throws IOException {
    long members = unsignedShort(tail, at + 10);
    long bytes = unsignedInt(tail, at + 12);
    long offset = unsignedInt(tail, at + 16);
    long limit = endOffset;
    if (members == 0xffff || bytes == IN_EXTRA || offset == IN_EXTRA) {
      Directory wide = directory64(endOffset);
      if (wide != null) {
        members = wide.members();
        bytes = wide.bytes();
        offset = wide.offset();
        limit = endOffset - LOCATOR64_BYTES;
      }
    }
    if (offset < 0 || bytes < 0 || members < 0 || bytes > limit || offset > limit - bytes) {
      throw fault("its end states a place of the directory outside of the file");
    }
    return new Directory(offset, bytes, members);
  }

  private @Nullable Directory directory64(long endOffset) throws IOException {
    if (endOffset < LOCATOR64_BYTES) {
      return null;
    }
    ByteBuffer locator = read(endOffset - LOCATOR64_BYTES, LOCATOR64_BYTES);
    long at = locator.getLong(8);
    if (locator.getInt(0) != LOCATOR64 || at < 0 || at > endOffset - END64_BYTES) {
      return null;
    }
    ByteBuffer end = read(at, END64_BYTES);
    if (end.getInt(0) != END64) {
      throw fault("the 64-bit end of its directory does not begin with its signature");
    }
    return new Directory(end.getLong(48), end.getLong(40), end.getLong(32));
  }

  /**
   * Reads a member.
   *
   * @throws IOException if it is not compressed as expected, or its length or checksum is not that
   *     of the directory
   */
  byte[] read(String name) throws IOException {
    Member member = members.get(name);
    if (member == null) {
      throw new IllegalArgumentException("no member: " + name);
    }
    if ((member.flags() & ENCRYPTED) != 0) {
      throw fault(name + ": it is encrypted");
    }
    ByteBuffer header = read(member.offset(), LOCAL_HEADER_BYTES);
    if (header.getInt(0) != LOCAL_HEADER) {
      throw fault(name + ": it does not begin with its signature");
    }
    long data = member.offset()
        + LOCAL_HEADER_BYTES
        + unsignedShort(header, 26)
        + unsignedShort(header, 28);
    byte[] bytes = decompress(name, member, read(data, member.compressed()).array());
    CRC32 crc = new CRC32();
    crc.update(bytes);
    if (bytes.length != member.length() || crc.getValue() != member.crc()) {
      throw fault(name + ": its length or checksum is not that of the directory");
    }
    return bytes;
  }

  private byte[] decompress(String name, Member member, byte[] data) throws IOException {
    int most = (int) member.length() + 1;
    InputStream raw = new ByteArrayInputStream(data);
    switch (member.method()) {
      case STORED -> {
        return data;
      }
      case DEFLATED -> {
        Inflater inflater = new Inflater(true);
        try (InputStream in = new InflaterInputStream(raw, inflater)) {
          return in.readNBytes(most);
        } finally {
          inflater.end();
        }
      }
      case ZSTANDARD -> {
        try (InputStream in = Zstandard.open(raw)) {
          return in.readNBytes(most);
        } catch (IOException malformed) {
          throw new IOException(PlainText.of(file + ": " + name + ": not Zstandard"), malformed);
        }
      }
      default ->
        throw fault("%s: compression method %d is not supported".formatted(name, member.method()));
    }
  }

  private ByteBuffer read(long offset, long length) throws IOException {
    if (length > size - offset || length > Integer.MAX_VALUE - Long.BYTES) {
      throw fault("it ends within a member");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, offset + bytes.position()) < 0) {
        throw fault("it became shorter while it was read");
      }
    }
    return bytes.flip();
  }

  private IOException fault(String message) {
    return new IOException(PlainText.of(file + ": " + message));
  }

  private static int unsignedShort(ByteBuffer bytes, int at) {
    return bytes.getShort(at) & 0xffff;
  }

  private static long unsignedInt(ByteBuffer bytes, int at) {
    return bytes.getInt(at) & 0xffffffffL;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
