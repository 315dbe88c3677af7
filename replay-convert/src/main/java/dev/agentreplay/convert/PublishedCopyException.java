package dev.agentreplay.convert;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when a published copy is to be converted: its openings would not fit the result. */
public final class PublishedCopyException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception for the log of a published copy. */
  public PublishedCopyException(Path log) {
    super("%s: a published copy cannot be converted, because its openings are those of its lines;"
            .formatted(log)
        + " convert the original, and publish the result");
  }
}
