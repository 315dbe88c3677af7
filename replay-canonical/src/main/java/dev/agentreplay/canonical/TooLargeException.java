package dev.agentreplay.canonical;

/**
 * Thrown when the output would have more bytes than the limits of a {@link CanonicalWriter} allow.
 */
public final class TooLargeException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  TooLargeException(long maxBytes) {
    super("larger than " + maxBytes + " bytes");
  }
}
