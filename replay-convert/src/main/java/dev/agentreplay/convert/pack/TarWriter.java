package dev.agentreplay.convert.pack;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a tar archive of regular files, all with mode 0644, without an owner and with time 0: the
 * same files produce the same bytes. Paths that a plain header cannot hold, and sizes of 8 GiB and
 * more, are written as pax records. Not safe for use by several threads.
 */
final class TarWriter {

  private static final byte[] MAGIC = TarFormat.MAGIC.getBytes(StandardCharsets.US_ASCII);
  private static final String EXTENDED_NAME = "PaxHeader";
  private static final String MODE = "0000644";

  private final OutputStream out;

  /** Creates a writer to a stream, which it does not close. */
  TarWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Writes the header of a file. The caller then writes the content to the stream, and calls
   * {@link #end}.
   */
  void begin(String path, long size) throws IOException {
    boolean plainPath = isAscii(path) && path.length() <= TarFormat.NAME_LENGTH;
    boolean plainSize = size <= TarFormat.MAX_SIZE;
    if (!plainPath || !plainSize) {
      String records = (plainPath ? "" : record("path", path))
          + (plainSize ? "" : record("size", Long.toString(size)));
      byte[] extended = records.getBytes(StandardCharsets.UTF_8);
      header(EXTENDED_NAME, extended.length, TarFormat.EXTENDED);
      out.write(extended);
      end(extended.length);
    }
    header(plainPath ? path : substitute(path), plainSize ? size : 0, TarFormat.FILE);
  }

  /** Fills the last block of a file. */
  void end(long size) throws IOException {
    out.write(new byte[TarFormat.padding(size)]);
  }

  /** Ends the archive. */
  void finish() throws IOException {
    out.write(new byte[2 * TarFormat.BLOCK]);
  }

  /** A pax record, which begins with its own length, including the digits of that number. */
  static String record(String key, String value) {
    String rest = " " + key + "=" + value + "\n";
    int others = rest.getBytes(StandardCharsets.UTF_8).length;
    int length = others;
    while (length != others + Integer.toString(length).length()) {
      length = others + Integer.toString(length).length();
    }
    return length + rest;
  }

  private void header(String name, long size, char type) throws IOException {
    byte[] header = new byte[TarFormat.BLOCK];
    put(header, 0, name);
    put(header, TarFormat.MODE_AT, MODE);
    put(header, TarFormat.UID_AT, octal(0, TarFormat.ID_LENGTH - 1));
    put(header, TarFormat.GID_AT, octal(0, TarFormat.ID_LENGTH - 1));
    put(header, TarFormat.SIZE_AT, octal(size, TarFormat.SIZE_LENGTH - 1));
    put(header, TarFormat.TIME_AT, octal(0, TarFormat.SIZE_LENGTH - 1));
    header[TarFormat.TYPE_AT] = (byte) type;
    System.arraycopy(MAGIC, 0, header, TarFormat.MAGIC_AT, MAGIC.length);
    put(header, TarFormat.SUM_AT, octal(TarFormat.sum(header), TarFormat.SUM_LENGTH - 2) + "\0 ");
    out.write(header);
  }

  private static void put(byte[] header, int at, String ascii) {
    byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private static String octal(long number, int digits) {
    String octal = Long.toOctalString(number);
    return "0".repeat(digits - octal.length()) + octal;
  }

  /** The path for readers that do not support pax. */
  private static String substitute(String path) {
    String ascii = path.replaceAll("[^ -~]", "_");
    return ascii.substring(0, Math.min(ascii.length(), TarFormat.NAME_LENGTH));
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
