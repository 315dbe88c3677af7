package dev.agentreplay.records.store;

import dev.agentreplay.records.RecordHash;
import java.io.IOException;
import java.util.Objects;

/** Thrown when a stored text does not have the hash by which it is found. */
public final class AlteredTextException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param place the place of the text, such as its file
   * @param expected the hash by which it is found
   */
  public AlteredTextException(String place, RecordHash expected) {
    super(Objects.requireNonNull(place, "place") + ": the text was altered: its SHA-256 is not "
        + Objects.requireNonNull(expected, "expected"));
  }
}
