package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.accepted.RecordingAcceptance;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The comparison of a session with its recording, as which it is offered if it does not match. */
final class SessionMatch {

  private final Session actual;
  private final boolean hasEnd;
  private final DiffOptions own;
  private final RecordingRules rules;

  /**
   * Creates the comparison.
   *
   * @param hasEnd whether the session has ended
   * @param own the options of the test
   * @param rules the rules of files, over which the options take precedence
   */
  SessionMatch(Session actual, boolean hasEnd, DiffOptions own, RecordingRules rules) {
    this.actual = actual;
    this.hasEnd = hasEnd;
    this.own = own;
    this.rules = rules;
  }

  /**
   * The reason why a session does not match.
   *
   * @param message the problem, and how to accept the session
   * @param diff the comparison; null if there is no valid recording
   */
  record Mismatch(String message, @Nullable SessionDiff diff, Session recording, Session actual) {

    /** The error to throw, with what AssertJ adds to its message. */
    AssertionError error(AssertionError failure) {
      return diff == null ? failure : new SessionMismatchError(failure, diff, recording, actual);
    }
  }

  /**
   * Compares the sessions; returns null if they match, or the session was accepted.
   *
   * @param place the path of the recording
   * @throws IllegalArgumentException if the recording is the session itself
   */
  @Nullable
  Mismatch mismatch(Session recording, Path place) throws IOException {
    DiffOptions options = rules.applyTo(own);
    if (Files.notExists(recording.log())) {
      return offer(recording, options, "no recording at " + Shown.path(place), null);
    }
    if (Files.isSameFile(actual.log(), recording.log())) {
      throw new IllegalArgumentException(
          "a session cannot be compared with itself: " + actual.log());
    }
    // another test may have written the recording since it was looked up
    Session present = Session.open(recording.log());
    String damage = damage(present);
    if (damage != null) {
      return offer(present, options, damage, null);
    }
    RecordingAcceptance accepted =
        RecordingAcceptance.of(present, ReplaySettings.current().accepted());
    SessionDiff diff = SessionDiff.between(present, actual, accepted.applyTo(options));
    if (diff.passes()) {
      String unused = accepted.passed(List.of(diff));
      return unused == null ? null : new Mismatch(unused, null, present, actual);
    }
    String message = "session mismatch: %s\nrecorded: %s\nactual:   %s%s%s%s"
        .formatted(
            TextReport.render(diff.withNames("recorded", "actual")).stripTrailing(),
            Shown.path(present),
            Shown.path(actual),
            rules.text(),
            accepted.text(List.of(diff)),
            rules.command(own, present, actual));
    return offer(present, options, message, diff);
  }

  /** The reason why a recording does not verify; null if no error is found. */
  static @Nullable String damage(Session recording) throws IOException {
    VerificationReport report = SessionVerifier.of(VerifyPolicy.lenient()).verify(recording);
    boolean isDamaged =
        report.verdict() == Verdict.INVALID || report.verdict() == Verdict.UNREADABLE;
    return isDamaged
        ? "the recording does not verify: %s\nrecorded: %s"
            .formatted(VerificationText.renderFailure(report), Shown.path(recording))
        : null;
  }

  /** Offers the session; returns null if it was accepted, else the problem with the next step. */
  private @Nullable Mismatch offer(
      Session present, DiffOptions options, String message, @Nullable SessionDiff diff) {
    String text;
    try {
      String hint = Acceptance.current().offer(actual, present, options);
      if (hint == null) {
        return null;
      }
      String end = hasEnd ? "" : "\nthis session has no end, and no receipt";
      text = (message + "\n" + hint).stripTrailing() + end;
    } catch (IOException e) {
      text = "%s\nthe session in %s could not be saved for acceptance: %s"
          .formatted(message, Shown.path(actual), Shown.cause(e));
    }
    return new Mismatch(text, diff, present, actual);
  }
}
