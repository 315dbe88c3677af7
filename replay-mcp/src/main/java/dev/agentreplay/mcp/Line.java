package dev.agentreplay.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The bytes of a line, with its end if it has one. Used again for the next line. */
class Line extends ByteArrayOutputStream {

  /** The size of a buffer that is kept for the next line, in bytes. */
  private static final int MAX_KEPT = 1 << 20;

  /** The text of the line without its end; malformed UTF-8 is U+FFFD. */
  final String text() {
    int end = count;
    if (end > 0 && buf[end - 1] == '\n') {
      end--;
    }
    if (end > 0 && buf[end - 1] == '\r') {
      end--;
    }
    return new String(buf, 0, end, StandardCharsets.UTF_8);
  }

  /** Passes the bytes on as a piece of a line, without a copy, for which memory may be missing. */
  final void passTo(LineFeed.Lines lines) throws IOException {
    lines.piece(buf, 0, count, false);
  }

  /** Removes all bytes. */
  final void clear() {
    count = 0;
    if (buf.length > MAX_KEPT) {
      buf = new byte[0];
    }
  }
}
