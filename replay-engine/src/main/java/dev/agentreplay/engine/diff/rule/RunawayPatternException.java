package dev.agentreplay.engine.diff.rule;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The regular expression of a {@link Normalizer} takes more steps or more stack for a recorded text
 * than it may. The message names the normalizer, and the place of the text in an event.
 */
public final class RunawayPatternException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String pattern;

  /** A failure of this regular expression. */
  public RunawayPatternException(String pattern, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.pattern = pattern;
  }

  /** The regular expression. */
  public String pattern() {
    return pattern;
  }
}
