package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.Position;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream into lines at line feeds, and at nothing else. Not safe for use by several
 * threads.
 */
final class LineSplitter implements LineBytes, Closeable {

  private static final int INITIAL_SIZE = 1 << 16;

  /** The size above which a buffer that a long line has enlarged is replaced after that line. */
  private static final int RETAINED_SIZE = 1 << 20;

  private static final int MAX_ARRAY_SIZE = Integer.MAX_VALUE - 8;

  private final InputStream in;
  private final int maxLineBytes;

  private byte[] buffer;
  private int filled;
  private int lastFill;
  private boolean atEnd;
  private @Nullable IOException failure;

  private int from;
  private int to;
  private boolean terminated;
  private long offset;
  private long nextOffset;
  private long line;

  LineSplitter(InputStream in, int maxLineBytes) {
    this(in, maxLineBytes, new Position(1, 0));
  }

  /**
   * Creates a splitter for the rest of a stream; {@code start} is the position of the first line
   * that is read.
   */
  LineSplitter(InputStream in, int maxLineBytes, Position start) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
    this.buffer = new byte[INITIAL_SIZE];
    restart(start);
  }

  /**
   * Moves to the next line. Returns whether there is one.
   *
   * @throws LineTooLongException if the line is longer than allowed; the next call moves to the
   *     line after it
   */
  boolean next() throws IOException, LineTooLongException {
    if (failure != null) {
      throw new IOException("reading ended with an earlier failure", failure);
    }
    from = terminated ? to + 1 : to;
    offset = nextOffset;
    int searched = from;
    while (true) {
      int feed = LineFeed.indexOf(buffer, searched, filled);
      if (feed >= 0) {
        return found(feed, true);
      }
      searched = filled;
      if (atEnd) {
        return filled > from && found(filled, false);
      }
      if (filled - from > maxLineBytes) {
        skipRestOfLine();
        throw new LineTooLongException();
      }
      searched -= fill();
    }
  }

  /** Discards everything that was read; the stream continues at the given line. */
  void restart(Position start) {
    from = 0;
    to = 0;
    filled = 0;
    lastFill = 0;
    terminated = false;
    atEnd = false;
    failure = null;
    line = start.line() - 1;
    nextOffset = start.offset();
  }

  /** The position of the next line, if there is one. */
  Position nextPosition() {
    return new Position(line + 1, nextOffset);
  }

  @Override
  public byte[] buffer() {
    return buffer;
  }

  @Override
  public int from() {
    return from;
  }

  @Override
  public int to() {
    return to;
  }

  @Override
  public int filled() {
    return filled;
  }

  @Override
  public boolean isTerminated() {
    return terminated;
  }

  /** Whether the line was read with several reads, between which the file may have changed. */
  boolean isPieced() {
    return from < lastFill;
  }

  /** Whether anything follows the line, which ends with a line feed. */
  boolean isFollowed() throws IOException {
    if (to + 1 == filled && !atEnd) {
      to -= fill();
    }
    return to + 1 < filled;
  }

  /** The offset of the line in the stream. */
  long offset() {
    return offset;
  }

  /** The number of the line, from 1. */
  long line() {
    return line;
  }

  @Override
  public Position position() {
    return new Position(line, offset);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private boolean found(int end, boolean feed) throws LineTooLongException {
    to = end;
    terminated = feed;
    nextOffset = offset + to - from + (feed ? 1 : 0);
    line++;
    if (end - from > maxLineBytes) {
      throw new LineTooLongException();
    }
    return true;
  }

  /**
   * Reads more bytes after those in the buffer. Returns the number of bytes by which the line was
   * moved to the front.
   */
  private int fill() throws IOException {
    int moved = makeRoom();
    int read;
    try {
      read = in.read(buffer, filled, buffer.length - filled);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    lastFill = filled;
    if (read < 0) {
      atEnd = true;
    } else {
      filled += read;
    }
    return moved;
  }

  /**
   * Makes room for {@link #fill}. Returns the number of bytes by which the line was moved to the
   * front.
   */
  private int makeRoom() {
    int kept = filled - from;
    int size = buffer.length;
    if (size > RETAINED_SIZE && kept <= INITIAL_SIZE / 2) {
      size = INITIAL_SIZE;
    } else if (filled < size) {
      return 0;
    } else if (from <= size / 2) {
      long needed = Math.max(INITIAL_SIZE, maxLineBytes + 1L);
      size = (int) Math.min(Math.min(2L * size, MAX_ARRAY_SIZE), needed);
    }
    byte[] target = size == buffer.length ? buffer : new byte[size];
    System.arraycopy(buffer, from, target, 0, kept);
    int moved = from;
    buffer = target;
    from = 0;
    filled = kept;
    return moved;
  }

  private void skipRestOfLine() throws IOException {
    long skipped = (long) filled - from;
    from = 0;
    filled = 0;
    int feed = -1;
    while (feed < 0 && !atEnd) {
      skipped += filled;
      filled = 0;
      fill();
      feed = LineFeed.indexOf(buffer, 0, filled);
    }
    terminated = feed >= 0;
    to = terminated ? feed : filled;
    nextOffset = offset + skipped + to + (terminated ? 1 : 0);
    line++;
  }

  /** Thrown when a line is longer than allowed. */
  static final class LineTooLongException extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
