package dev.agentreplay.engine.diff.rule;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the regular expression of a {@link Normalizer} needs too many steps or too much stack
 * for a recorded text (catastrophic backtracking). The message names the normalizer and the place
 * of the text in an event.
 */
public final class RunawayPatternException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String pattern;

  /**
   * Creates an exception.
   *
   * @param pattern the regular expression
   * @param message the normalizer, the text, and its place in an event
   * @param cause the stack overflow; null for too many steps
   */
  public RunawayPatternException(String pattern, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.pattern = pattern;
  }

  /** The regular expression. */
  public String pattern() {
    return pattern;
  }
}
