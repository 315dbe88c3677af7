package dev.agentreplay.cli.text;

/**
 * Wrong usage that is found after the arguments were parsed, such as options that exclude each
 * other. The message names the option. It may contain text of the user: it is escaped when printed.
 */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an exception. */
  public UsageException(String message) {
    super(message);
  }

  /** Creates an exception with its cause, which is not reported. */
  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }
}
