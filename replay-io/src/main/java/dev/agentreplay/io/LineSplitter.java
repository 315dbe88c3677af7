package dev.agentreplay.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splits a stream into lines at line feeds, and at nothing else. */
final class LineSplitter implements Closeable {

  private static final int INITIAL_SIZE = 1 << 16;

  private final InputStream in;
  private final int maxLineBytes;

  private byte[] buffer = new byte[INITIAL_SIZE];
  private int filled;
  private boolean atEnd;
  private @Nullable IOException failure;

  private int from;
  private int to;
  private boolean terminated;
  private long offset;
  private long nextOffset;
  private long line;

  LineSplitter(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
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
      int feed = indexOfFeed(searched);
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

  /** Where the line begins in the stream. */
  long offset() {
    return offset;
  }

  /** The number of the line, from 1. */
  long line() {
    return line;
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

  private int indexOfFeed(int start) {
    for (int i = start; i < filled; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Reads more behind what is there. Returns by how much the line moved to the front. */
  private int fill() throws IOException {
    int moved = 0;
    if (filled == buffer.length) {
      if (from > buffer.length / 2) {
        System.arraycopy(buffer, from, buffer, 0, filled - from);
        moved = from;
        filled -= moved;
        from = 0;
      } else {
        buffer = Arrays.copyOf(buffer, buffer.length * 2);
      }
    }
    int read;
    try {
      read = in.read(buffer, filled, buffer.length - filled);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    if (read < 0) {
      atEnd = true;
    } else {
      filled += read;
    }
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
      feed = indexOfFeed(0);
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
