package dev.agentreplay.io.recording;

import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Calls the redactor of a recording, if there is one, and checks what it returns. */
final class Redaction {

  private final @Nullable Redactor redactor;

  Redaction(@Nullable Redactor redactor) {
    this.redactor = redactor;
  }

  /**
   * The event to write.
   *
   * @throws IOException if the redactor fails; its exception is suppressed in that one, because its
   *     message may have the secret, and causes are reported in the log
   */
  ReplayEvent apply(ReplayEvent event) throws IOException {
    return redactor == null ? event : apply(redactor, event);
  }

  /** The gap to write; without its reason if the redactor fails. */
  ReplayEvent apply(RecordingGap gap) {
    try {
      return apply((ReplayEvent) gap);
    } catch (IOException e) {
      return gap.withReason(null);
    }
  }

  private static ReplayEvent apply(Redactor redactor, ReplayEvent event) throws IOException {
    ReplayEvent redacted;
    try {
      redacted = redactor.redact(event);
    } catch (RuntimeException e) {
      throw failure(event, "threw a " + e.getClass().getName(), e);
    }
    if (redacted == null) {
      throw failure(event, "returned null", null);
    } else if (redacted.getClass() != event.getClass()) {
      throw failure(event, "returned a " + redacted.getClass().getSimpleName(), null);
    }
    return redacted;
  }

  private static IOException failure(
      ReplayEvent event, String found, @Nullable RuntimeException suppressed) {
    IOException failure =
        new IOException("the redactor must return a %s for one, but %s: the event is not written"
            .formatted(event.getClass().getSimpleName(), found));
    if (suppressed != null) {
      failure.addSuppressed(suppressed);
    }
    return failure;
  }
}
