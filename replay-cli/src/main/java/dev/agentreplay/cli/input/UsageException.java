package dev.agentreplay.cli.input;

/**
 * Wrong usage that is found after the arguments were parsed, such as options that exclude each
 * other. The message names the option. It may contain text of the user: it is escaped when printed.
 */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }
}
