package dev.agentreplay.publish.secret;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a file of secret rules cannot be used. The message states the rule, the member, what
 * was found and what was expected.
 */
public final class SecretRulesException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The causes. */
  public enum Reason {
    /** The file is not TOML; the message has line and column. */
    SYNTAX,
    /** A member has another type or value than expected. */
    MEMBER,
    /** A regular expression is not one of RE2. */
    PATTERN,
    /** The file extends rules that cannot be loaded. */
    EXTEND,
    /** There is no rule that applies to values. */
    NO_RULES
  }

  private final Reason reason;

  private final @Nullable String rule;

  SecretRulesException(
      Reason reason, @Nullable String rule, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.rule = rule;
  }

  /** The cause. */
  public Reason reason() {
    return reason;
  }

  /**
   * The id of the rule, or its place such as {@code rules[3]} if it has none; null for the file.
   */
  public @Nullable String rule() {
    return rule;
  }
}
