package dev.agentreplay.canonical;

/** A value has more bytes than the limits of its writer allow. */
public final class TooLargeException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  TooLargeException(long maxBytes) {
    super("larger than " + maxBytes + " bytes");
  }
}
