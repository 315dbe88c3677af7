package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import java.util.Collection;
import java.util.List;
import org.assertj.core.annotation.CheckReturnValue;
import org.assertj.core.api.SoftAssertionsProvider;
import org.jspecify.annotations.Nullable;

/**
 * Soft assertions on recorded sessions, to be combined with other soft assertions in a custom
 * class. {@link ReplaySoftAssertions} combines them with those of AssertJ.
 */
@CheckReturnValue
public interface ReplaySoftAssertionsProvider extends SoftAssertionsProvider {

  /** Returns the same as {@link ReplayAssertions#assertThat(Session)}, but collects failures. */
  default SessionAssert assertThat(@Nullable Session actual) {
    SessionAssert proxy = proxy(SessionAssert.class, Session.class, actual);
    proxy.soft = this;
    return proxy;
  }

  /**
   * Returns the same as {@link ReplayAssertions#assertThat(SessionRecorder)}, but collects
   * failures.
   */
  default SessionAssert assertThat(@Nullable SessionRecorder actual) {
    Session session;
    try {
      session = ReplayAssertions.session(actual);
    } catch (AssertionError unreadable) {
      collectAssertionError(unreadable);
      return new ReplaySoftAssertions()
          .assertThat((Session) null); // further failures are discarded
    }
    return assertThat(session);
  }

  /**
   * Returns the same as {@link ReplayAssertions#assertThat(ReplayReport)}, but collects failures.
   */
  default ReplayReportAssert assertThat(@Nullable ReplayReport actual) {
    return proxy(ReplayReportAssert.class, ReplayReport.class, actual);
  }

  /** Returns the same as {@link #assertThat(Session)}. */
  default SessionAssert then(@Nullable Session actual) {
    return assertThat(actual);
  }

  /** Returns the same as {@link #assertThat(SessionRecorder)}. */
  default SessionAssert then(@Nullable SessionRecorder actual) {
    return assertThat(actual);
  }

  /** Returns the same as {@link #assertThat(ReplayReport)}. */
  default ReplayReportAssert then(@Nullable ReplayReport actual) {
    return assertThat(actual);
  }

  /**
   * Returns the same as {@link ReplayAssertions#assertThatRuns(Session...)}, but collects failures.
   */
  default RunsAssert assertThatRuns(Session... runs) {
    return assertThatRuns(List.of(runs));
  }

  /**
   * Returns the same as {@link ReplayAssertions#assertThatRuns(Collection)}, but collects failures.
   */
  default RunsAssert assertThatRuns(@Nullable Collection<Session> runs) {
    return proxy(RunsAssert.class, List.class, runs == null ? null : List.copyOf(runs));
  }

  /** Returns the same as {@link #assertThatRuns(Session...)}. */
  default RunsAssert thenRuns(Session... runs) {
    return assertThatRuns(runs);
  }

  /** Returns the same as {@link #assertThatRuns(Collection)}. */
  default RunsAssert thenRuns(@Nullable Collection<Session> runs) {
    return assertThatRuns(runs);
  }
}
