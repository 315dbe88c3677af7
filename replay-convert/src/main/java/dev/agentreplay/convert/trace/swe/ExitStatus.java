package dev.agentreplay.convert.trace.swe;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The end of a session, from the {@code exit_status} of a trajectory. */
final class ExitStatus {

  private ExitStatus() {}

  /** Returns the end that a document states; null if it states none. */
  static @Nullable SessionEnd of(SourceRecord document) {
    String stated = document.text("info", "exit_status");
    if (stated == null || stated.isBlank()) {
      return null;
    }
    document.derive("SessionEnd/status", "info", "exit_status");
    Status status = status(stated.toLowerCase(Locale.ROOT));
    SessionEnd end = SessionEnd.of(status);
    return status.isSuccess() ? end : end.withErrorMessage("exit status: " + stated);
  }

  /**
   * The meaning of a status. What was submitted after something else ended the agent, as in
   * {@code submitted (exit_cost)}, is not a success.
   */
  private static Status status(String stated) {
    if (stated.equals("submitted")) {
      return Status.SUCCESS;
    }
    if (stated.contains("time")) {
      return Status.TIMEOUT;
    }
    boolean isCancelled =
        stated.contains("interrupt") || stated.equals("early_exit") || stated.equals("skipped");
    return isCancelled ? Status.CANCELLED : Status.FAILED;
  }
}
