package dev.agentreplay.mcp;

import java.io.IOException;

/**
 * Splits a stream of bytes into lines. Keeps at most one line, of a limited length: a longer line,
 * and one for which there is not enough memory, is passed on in pieces.
 */
final class LineFeed {

  /** The maximum length of a line that is kept, in bytes. */
  static final int MAX_BYTES = 64 << 20;

  /** Receives lines. All methods throw the exception of the receiver. */
  interface Lines {

    /** Receives a line, with its end unless it is the last one. */
    void line(Line line) throws IOException;

    /**
     * Receives a piece of a line that is not kept.
     *
     * @param isLast whether the piece ends the line; the last line may end with an empty piece
     */
    void piece(byte[] bytes, int from, int to, boolean isLast) throws IOException;

    /** Is called after the last line. */
    void end() throws IOException;
  }

  /** The memory that the recording of a line may need, in multiples of its length. */
  private static final int COPIES = 20;

  private final Lines lines;
  private final int maxBytes;
  private final Line line;
  private boolean isInPieces;

  /** The maximum length of a line that can be recorded with the memory of this JVM, in bytes. */
  static int maxRecordedBytes() {
    return (int) Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / COPIES);
  }

  LineFeed(Lines lines) {
    this(lines, MAX_BYTES);
  }

  LineFeed(Lines lines, int maxBytes) {
    this(lines, maxBytes, new Line());
  }

  LineFeed(Lines lines, int maxBytes, Line line) {
    this.lines = lines;
    this.maxBytes = maxBytes;
    this.line = line;
  }

  void add(byte[] bytes, int count) throws IOException {
    int start = 0;
    for (int i = 0; i < count; i++) {
      if (bytes[i] == '\n') {
        append(bytes, start, i + 1, true);
        start = i + 1;
      }
    }
    if (start < count) {
      append(bytes, start, count, false);
    }
  }

  private void append(byte[] bytes, int from, int to, boolean isLast) throws IOException {
    if (!isInPieces && !keep(bytes, from, to)) {
      isInPieces = true;
      line.passTo(lines);
      line.clear();
    }
    if (isInPieces) {
      lines.piece(bytes, from, to, isLast);
      isInPieces = !isLast;
    } else if (isLast) {
      flush();
    }
  }

  /** Adds bytes to the line. Returns false if it would be too long. */
  private boolean keep(byte[] bytes, int from, int to) {
    if (line.size() + (to - from) > maxBytes) {
      return false;
    }
    try {
      line.write(bytes, from, to - from);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private void flush() throws IOException {
    try {
      lines.line(line);
    } finally {
      line.clear();
    }
  }

  /** Passes on the line so far, if it has bytes. */
  void end() throws IOException {
    if (isInPieces) {
      isInPieces = false;
      lines.piece(new byte[0], 0, 0, true);
    } else if (line.size() > 0) {
      flush();
    }
    lines.end();
  }
}
