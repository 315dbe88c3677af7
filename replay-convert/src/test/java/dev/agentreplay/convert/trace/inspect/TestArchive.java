package dev.agentreplay.convert.trace.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes ZIP archives as Inspect does, and damaged and hostile ones. */
public final class TestArchive {

  public static final int STORED = 0;
  public static final int DEFLATED = 8;
  public static final int ZSTANDARD = 93;

  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
  private int members;
  private boolean isWide;

  /** Lets the directory state its numbers in 64 bits. */
  public TestArchive wide() {
    isWide = true;
    return this;
  }

  public TestArchive add(String name, int method, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    byte[] compressed = compress(method, bytes);
    return add(name, method, compressed, bytes.length, crc(bytes), 0);
  }

  /** Adds a member with what the directory is to state of it. */
  public TestArchive add(
      String name, int method, byte[] compressed, long length, long crc, int flags) {
    long offset = data.size();
    byte[] nameBytes = name.getBytes(UTF_8);
    data.writeBytes(little(30 + nameBytes.length)
        .putInt(0x04034b50)
        .putShort((short) 45)
        .putShort((short) flags)
        .putShort((short) method)
        .putInt(0)
        .putInt((int) crc)
        .putInt(compressed.length)
        .putInt((int) length)
        .putShort((short) nameBytes.length)
        .putShort((short) 0)
        .put(nameBytes)
        .array());
    data.writeBytes(compressed);
    return entry(name, method, flags, crc, compressed.length, length, offset);
  }

  /** Adds an entry of the directory only. */
  public TestArchive entry(
      String name, int method, int flags, long crc, long compressed, long length, long offset) {
    byte[] nameBytes = name.getBytes(UTF_8);
    int extra = isWide ? 28 : 0;
    ByteBuffer entry = little(46 + nameBytes.length + extra)
        .putInt(0x02014b50)
        .putShort((short) 45)
        .putShort((short) 45)
        .putShort((short) flags)
        .putShort((short) method)
        .putInt(0)
        .putInt((int) crc)
        .putInt(isWide ? -1 : (int) compressed)
        .putInt(isWide ? -1 : (int) length)
        .putShort((short) nameBytes.length)
        .putShort((short) extra)
        .putShort((short) 0)
        .putShort((short) 0)
        .putShort((short) 0)
        .putInt(0)
        .putInt(isWide ? -1 : (int) offset)
        .put(nameBytes);
    if (isWide) {
      entry
          .putShort((short) 1)
          .putShort((short) 24)
          .putLong(length)
          .putLong(compressed)
          .putLong(offset);
    }
    directory.writeBytes(entry.array());
    members++;
    return this;
  }

  public byte[] bytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(data.toByteArray());
    all.writeBytes(directory.toByteArray());
    if (isWide) {
      long end = all.size();
      all.writeBytes(little(76)
          .putInt(0x06064b50)
          .putLong(44)
          .putShort((short) 45)
          .putShort((short) 45)
          .putInt(0)
          .putInt(0)
          .putLong(members)
          .putLong(members)
          .putLong(directory.size())
          .putLong(data.size())
          .putInt(0x07064b50)
          .putInt(0)
          .putLong(end)
          .putInt(1)
          .array());
    }
    short count = isWide ? (short) -1 : (short) members;
    all.writeBytes(little(22)
        .putInt(0x06054b50)
        .putInt(0)
        .putShort(count)
        .putShort(count)
        .putInt(isWide ? -1 : directory.size())
        .putInt(isWide ? -1 : data.size())
        .putShort((short) 0)
        .array());
    return all.toByteArray();
  }

  public Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }

  static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }

  /** Compresses bytes; with Zstandard in two frames, as Inspect writes long members. */
  static byte[] compress(int method, byte[] bytes) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    if (method == ZSTANDARD) {
      int half = bytes.length / 2;
      for (byte[] part :
          new byte[][] {Arrays.copyOf(bytes, half), Arrays.copyOfRange(bytes, half, bytes.length)
          }) {
        try (OutputStream out = new ZstdOutputStream(compressed)) {
          out.write(part);
        }
      }
    } else if (method == DEFLATED) {
      try (OutputStream out =
          new DeflaterOutputStream(compressed, new Deflater(Deflater.DEFAULT_COMPRESSION, true))) {
        out.write(bytes);
      }
    } else {
      compressed.writeBytes(bytes);
    }
    return compressed.toByteArray();
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
