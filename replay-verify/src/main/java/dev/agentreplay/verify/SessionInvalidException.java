package dev.agentreplay.verify;

import java.io.IOException;

/** Thrown when an operation requires a session that verifies, and the session does not. */
public final class SessionInvalidException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient VerificationReport report;

  SessionInvalidException(VerificationReport report) {
    super("%s: expected a complete session that verifies, found the verdict %s and the findings %s"
        .formatted(
            report.session().log(),
            report.verdict().id(),
            report.findingCounts().keySet()));
    this.report = report;
  }

  /** The report of the verification. */
  public VerificationReport report() {
    return report;
  }
}
