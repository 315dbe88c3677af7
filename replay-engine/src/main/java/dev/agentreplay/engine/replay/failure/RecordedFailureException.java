package dev.agentreplay.engine.replay.failure;

import dev.agentreplay.model.Failure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A recorded failure whose class is not restored, thrown again. It has the recorded message and
 * causes, and the name of the class as text, so that an agent that returns, records or sends its
 * message or description behaves as in the recording.
 */
public final class RecordedFailureException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  RecordedFailureException(@Nullable String message, Failure failure) {
    super(message);
    this.failure = Objects.requireNonNull(failure, "failure");
  }

  /** The failure. */
  public Failure failure() {
    return failure;
  }

  /** The name of the failure, such as the class of the recorded exception; null if it has none. */
  public @Nullable String name() {
    return failure.name();
  }

  /** The description that the recorded exception has: its class and its message. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // the class is that of the recorded exception
  public String toString() {
    String name = failure.name();
    String message = getMessage();
    if (name == null) {
      return super.toString();
    }
    return message == null ? name : name + ": " + message;
  }
}
