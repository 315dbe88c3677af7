package dev.agentreplay.engine.replay;

import dev.agentreplay.model.Failure;
import java.util.Objects;

/**
 * The failure of a tool or model as it was recorded, thrown again. It has the recorded name and
 * message, not the class: a class that a log names is never loaded.
 */
public final class RecordedFailureException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  RecordedFailureException(String call, Failure failure) {
    super("%s failed: %s%s"
        .formatted(
            call,
            failure.name() == null ? "" : failure.name() + ": ",
            failure.message() == null ? "no message" : failure.message()));
    this.failure = Objects.requireNonNull(failure, "failure");
  }

  /** The failure. */
  public Failure failure() {
    return failure;
  }
}
