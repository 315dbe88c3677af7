package dev.agentreplay.engine.diff;

import org.jspecify.annotations.Nullable;

/** A user's regular expression takes more than it may for a text. */
final class RunawayPatternException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RunawayPatternException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
