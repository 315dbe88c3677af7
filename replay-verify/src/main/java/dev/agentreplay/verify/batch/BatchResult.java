package dev.agentreplay.verify.batch;

import dev.agentreplay.io.session.SessionSkippedException;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import java.io.IOException;
import java.nio.file.Path;

/** The result for one session of a batch: a report, or the reason why there is none. Immutable. */
public sealed interface BatchResult permits BatchResult.Verified, BatchResult.Failed {

  /** The path of the session, or of a place that was skipped. */
  Path path();

  /** The verdict; {@link Verdict#UNREADABLE} for a session without a report. */
  Verdict verdict();

  /** A session that was verified. */
  final class Verified implements BatchResult {

    private final Path path;
    private final VerificationReport report;

    Verified(Path path, VerificationReport report) {
      this.path = path;
      this.report = report;
    }

    @Override
    public Path path() {
      return path;
    }

    @Override
    public Verdict verdict() {
      return report.verdict();
    }

    /** The report. */
    public VerificationReport report() {
      return report;
    }

    @Override
    public String toString() {
      return "%s: %s".formatted(path, report);
    }
  }

  /** A session that could not be read from disk, or a place that was skipped. */
  final class Failed implements BatchResult {

    private final Path path;
    private final IOException failure;

    Failed(Path path, IOException failure) {
      this.path = path;
      this.failure = failure;
    }

    @Override
    public Path path() {
      return path;
    }

    @Override
    public Verdict verdict() {
      return Verdict.UNREADABLE;
    }

    /** The reason why there is no report. */
    public IOException failure() {
      return failure;
    }

    /** Whether this is not a session but a place that was not searched for sessions. */
    public boolean isSkipped() {
      return failure instanceof SessionSkippedException;
    }

    @Override
    public String toString() {
      return "%s: %s".formatted(path, failure);
    }
  }
}
