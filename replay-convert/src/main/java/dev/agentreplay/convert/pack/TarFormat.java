package dev.agentreplay.convert.pack;

/**
 * The layout of tar archives that the reader and the writer share (POSIX.1-2001, ustar and pax).
 */
final class TarFormat {

  static final int BLOCK = 512;

  static final char FILE = '0';
  static final char EXTENDED = 'x';

  /** The maximum length in bytes of a path in a plain header. */
  static final int NAME_LENGTH = 100;

  /** The maximum size in a plain header: eleven octal digits. */
  static final long MAX_SIZE = (1L << 33) - 1;

  static final int MODE_AT = 100;
  static final int UID_AT = 108;
  static final int GID_AT = 116;
  static final int SIZE_AT = 124;
  static final int TIME_AT = 136;
  static final int SUM_AT = 148;
  static final int TYPE_AT = 156;
  static final int LINK_AT = 157;
  static final int MAGIC_AT = 257;
  static final int PREFIX_AT = 345;

  static final int ID_LENGTH = 8;
  static final int SIZE_LENGTH = 12;
  static final int SUM_LENGTH = 8;
  static final int LINK_LENGTH = 100;
  static final int PREFIX_LENGTH = 155;

  /** The magic and its version. */
  static final String MAGIC = "ustar\00000";

  private TarFormat() {}

  /** The checksum of a header, with the checksum field taken as spaces. */
  static int sum(byte[] header) {
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      boolean own = i >= SUM_AT && i < SUM_AT + SUM_LENGTH;
      sum += own ? ' ' : header[i] & 0xff;
    }
    return sum;
  }

  /** The number of bytes that fill the last block of a file. */
  static int padding(long size) {
    return (int) (-size & (BLOCK - 1));
  }
}
