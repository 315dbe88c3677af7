package dev.agentreplay.mcp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Splits a stream of bytes into lines. Keeps at most one line. */
final class LineFeed {

  /** The maximum length of a line, in bytes. */
  static final int MAX_BYTES = 64 << 20;

  /** Receives lines. */
  interface Lines {

    /** Receives a line without its end. */
    void line(String text, int bytes);

    /** Receives the length of a line that is longer than {@value #MAX_BYTES} bytes. */
    void tooLong(long bytes);
  }

  private final Lines lines;
  private @Nullable ByteArrayOutputStream line;
  private long length;

  LineFeed(Lines lines) {
    this.lines = lines;
  }

  void add(byte[] bytes, int count) {
    int start = 0;
    for (int i = 0; i < count; i++) {
      if (bytes[i] == '\n') {
        append(bytes, start, i);
        flush();
        start = i + 1;
      }
    }
    append(bytes, start, count);
  }

  private void append(byte[] bytes, int from, int to) {
    length += to - from;
    if (length > MAX_BYTES) {
      line = null;
    } else if (to > from) {
      line = line == null ? new ByteArrayOutputStream(to - from) : line;
      line.write(bytes, from, to - from);
    }
  }

  /** Passes on the line so far, if it has bytes. */
  void end() {
    if (length > 0) {
      flush();
    }
  }

  private void flush() {
    if (length > MAX_BYTES) {
      lines.tooLong(length);
    } else if (line != null) {
      String text = line.toString(StandardCharsets.UTF_8);
      boolean hasReturn = text.endsWith("\r");
      lines.line(hasReturn ? text.substring(0, text.length() - 1) : text, (int) length);
    }
    line = null;
    length = 0;
  }
}
