package dev.agentreplay.cli;

import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;

/** The exit codes of the command. */
final class ExitCode {

  /** Valid, identical, done. */
  static final int OK = 0;

  /** Findings or divergences. */
  static final int FINDINGS = 1;

  /** Wrong usage. */
  static final int USAGE = 2;

  /** Input that cannot be read: malformed, torn, not found. */
  static final int UNREADABLE = 3;

  /** A replay that did not reach the end, or that verified nothing. */
  static final int INCOMPLETE = 4;

  /** A defect of the command itself. */
  static final int INTERNAL = 70;

  /** The command was interrupted: the status a shell reports after SIGINT. */
  static final int INTERRUPTED = 130;

  /** The reader of the output went away: the status a shell reports after SIGPIPE. */
  static final int CLOSED_PIPE = 141;

  private ExitCode() {}

  static int of(SessionReplayResult result) {
    return switch (result.verdict()) {
      case MATCHED -> OK;
      case DIVERGED -> FINDINGS;
      case UNDECIDED, INCOMPLETE -> INCOMPLETE;
    };
  }

  static int of(VerificationReport report) {
    if (report.verdict() == Verdict.UNREADABLE) {
      return UNREADABLE;
    }
    boolean failed = report.verdict() == Verdict.INVALID || !report.unmet().isEmpty();
    return failed ? FINDINGS : OK;
  }
}
