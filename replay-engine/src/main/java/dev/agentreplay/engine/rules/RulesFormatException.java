package dev.agentreplay.engine.rules;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Thrown when a text is not a {@link RulesFile}, with the position of the first problem. */
public final class RulesFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int line;
  private final String reason;

  private RulesFormatException(
      @Nullable Path file, int line, String reason, @Nullable Throwable cause) {
    super((file == null ? "" : file + ": ") + (line == 0 ? "" : "line " + line + ": ") + reason);
    this.line = line;
    this.reason = reason;
    if (cause != null) {
      initCause(cause);
    }
  }

  static RulesFormatException at(int line, String reason, @Nullable Throwable cause) {
    return new RulesFormatException(null, line, reason, cause);
  }

  static RulesFormatException of(Path file, String reason) {
    return new RulesFormatException(file, 0, reason, null);
  }

  RulesFormatException in(Path file) {
    return new RulesFormatException(file, line, reason, this);
  }

  /** The line of the problem, from 1; 0 if it is that of the whole file. */
  public int line() {
    return line;
  }
}
