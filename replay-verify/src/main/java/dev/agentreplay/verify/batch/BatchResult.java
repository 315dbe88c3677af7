package dev.agentreplay.verify.batch;

import dev.agentreplay.io.session.SessionSkippedException;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of one session among many: a report, or why there is none.
 *
 * @param path where the session was looked for
 * @param report what was found; null if it could not be read from disk at all
 * @param failure why there is no report; null if there is one
 */
public record BatchResult(
    Path path, @Nullable VerificationReport report, @Nullable IOException failure) {

  /** Checks that there is a report or a failure, and not both. */
  public BatchResult {
    Objects.requireNonNull(path, "path");
    if ((report == null) == (failure == null)) {
      throw new IllegalArgumentException("a result is a report or a failure: " + path);
    }
  }

  /** Whether it is no session, but a place that was not looked into for sessions. */
  public boolean isSkipped() {
    return failure instanceof SessionSkippedException;
  }

  /** What it came to: a session without a report is unreadable. */
  public Verdict verdict() {
    return report == null ? Verdict.UNREADABLE : report.verdict();
  }
}
