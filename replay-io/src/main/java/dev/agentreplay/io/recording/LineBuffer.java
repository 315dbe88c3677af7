package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.LineEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The lines of a {@link Journal} that are not in its file yet. The journal clears it by setting
 * both counters to zero, which an Error cannot interrupt.
 */
final class LineBuffer extends ByteArrayOutputStream {

  static final int MAX_BYTES = 1 << 16;

  /** The number of bytes of complete lines; an Error may have left a part of a line after them. */
  int bytes;

  /** The number of these lines that are events of the caller. */
  int events;

  LineBuffer() {
    super(0);
  }

  void add(LineEncoder line, boolean isEvent) throws IOException {
    count = bytes;
    line.writeTo(this);
    bytes = count;
    events += isEvent ? 1 : 0;
  }

  void writeLinesTo(OutputStream out) throws IOException {
    count = bytes;
    writeTo(out);
  }
}
