package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.subject.SubjectException.Reason;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads lines of limited length from a program. */
final class LineInput {

  private final InputStream stream;
  private final int maxBytes;
  private long lines;

  LineInput(InputStream stream, int maxBytes) {
    this.stream = new BufferedInputStream(stream, 1 << 16);
    this.maxBytes = maxBytes;
  }

  /** The number of lines so far. */
  long lines() {
    return lines;
  }

  /**
   * Reads a line without its line feed; null at the end.
   *
   * @throws SubjectException if it is too long
   */
  byte @Nullable [] read() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    int b = stream.read();
    if (b < 0) {
      return null;
    }
    lines++;
    for (; b >= 0 && b != '\n'; b = stream.read()) {
      if (line.size() == maxBytes) {
        throw new SubjectException(
            Reason.LIMIT, "line %d has more than %,d bytes".formatted(lines, maxBytes));
      }
      line.write(b);
    }
    return line.toByteArray();
  }
}
