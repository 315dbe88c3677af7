package dev.agentreplay.engine.subject;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Passes the lines of a standard error up to a limit, so that a program cannot flood a terminal or
 * a log, and keeps the last of all for a message.
 */
final class ErrorLines {

  private static final int MAX_LINE = 10_000;
  private static final int KEPT = 2_000;

  /** The number of characters after which no more lines are passed. */
  static final int MAX_PASSED = 1 << 20;

  private final Consumer<String> receiver;

  /** The end of the text; guarded by itself. */
  private final StringBuilder kept = new StringBuilder();

  /** Whether the receiver has failed, and gets no more lines; used by the reader only. */
  private boolean hasFailed;

  /** The number of characters that were passed; used by the reader only. */
  private int passed;

  ErrorLines(Consumer<String> receiver) {
    this.receiver = receiver;
  }

  /** Reads to the end, also if the receiver fails, so that the program never waits for it. */
  void read(InputStream stream) {
    try (Reader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      StringBuilder line = new StringBuilder();
      for (int c = reader.read(); c >= 0; c = reader.read()) {
        if (c == '\n') {
          pass(line);
        } else if (line.length() < MAX_LINE) {
          line.append((char) c);
        } else if (line.length() == MAX_LINE) {
          line.append('…');
        }
      }
      if (!line.isEmpty()) {
        pass(line);
      }
    } catch (IOException closed) {
      // the program was killed: there are no more lines
    }
  }

  private void pass(StringBuilder line) {
    String text = line.toString().stripTrailing();
    line.setLength(0);
    synchronized (kept) {
      kept.append(text).append('\n');
      if (kept.length() > KEPT) {
        kept.delete(0, kept.length() - KEPT);
      }
    }
    if (hasFailed || passed > MAX_PASSED) {
      return;
    }
    passed += text.length() + 1;
    try {
      receiver.accept(
          passed > MAX_PASSED
              ? "… (standard error: more than %,d characters, the rest is left out)"
                  .formatted(MAX_PASSED)
              : text);
    } catch (RuntimeException e) {
      hasFailed = true; // the program is read all the same
    }
  }

  /** The last 2,000 characters, after a colon and a line feed; empty if there are none. */
  String tail() {
    synchronized (kept) {
      String text = kept.toString().strip();
      return text.isEmpty() ? "" : ":\n" + text;
    }
  }
}
