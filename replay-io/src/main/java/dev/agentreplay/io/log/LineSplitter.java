package dev.agentreplay.io.log;

import dev.agentreplay.model.finding.Position;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Splits a stream into lines at line feeds, and at nothing else. */
final class LineSplitter implements Closeable {

  private static final int INITIAL_SIZE = 1 << 16;

  /** A buffer that a long line has made larger than this is given up behind the line. */
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

  /** A splitter of what follows in a stream; {@code start} is the first line that is read. */
  LineSplitter(InputStream in, int maxLineBytes, Position start) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
    this.buffer = new byte[INITIAL_SIZE];
    restart(start);
  }

  /**
   * Moves to the next line. Returns whether there is one.
   *
   * @throws LineTooLongException if it is longer than allowed; it is skipped then
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

  /** Forgets all that was read; the stream goes on with this line. */
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

  /** Where the next line begins, if there is one. */
  Position nextPosition() {
    return new Position(line + 1, nextOffset);
  }

  byte[] buffer() {
    return buffer;
  }

  /** Where the line begins in the buffer. */
  int from() {
    return from;
  }

  /** Where the line ends in the buffer, before its line feed. */
  int to() {
    return to;
  }

  /** Where that ends in the buffer which was read so far. */
  int filled() {
    return filled;
  }

  /** Whether the line ends with a line feed. */
  boolean isTerminated() {
    return terminated;
  }

  /** Whether the line was read in pieces, between which the stream may have changed. */
  boolean isPieced() {
    return from < lastFill;
  }

  /** Whether anything stands behind the line, which ends with a line feed. */
  boolean isFollowed() throws IOException {
    if (to + 1 == filled && !atEnd) {
      to -= fill();
    }
    return to + 1 < filled;
  }

  /** Where the line begins in the stream. */
  long offset() {
    return offset;
  }

  /** The number of the line, from 1. */
  long line() {
    return line;
  }

  /** Where the line begins. */
  Position position() {
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

  /** Reads more behind what is there. Returns by how much the line moved to the front. */
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

  /** The same as {@link #fill}, without reading. */
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

  /** A line is longer than allowed. */
  static final class LineTooLongException extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
