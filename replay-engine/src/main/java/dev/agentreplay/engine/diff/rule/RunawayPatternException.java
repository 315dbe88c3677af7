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

  RunawayPatternException(String pattern, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.pattern = pattern;
  }

  /** The same with the place of the text. */
  RunawayPatternException at(String pointer, @Nullable String side) {
    String session = side == null ? "" : " of the " + side + " session";
    return new RunawayPatternException(
        pattern, getMessage() + ", at " + pointer + " in an event" + session, getCause());
  }

  /** The regular expression. */
  public String pattern() {
    return pattern;
  }
}
