package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import java.util.Collection;
import org.assertj.core.annotation.CheckReturnValue;
import org.jspecify.annotations.Nullable;

/** The assertions of {@link ReplayAssertions} in the style of behavior-driven development. */
@CheckReturnValue
public final class BddReplayAssertions {

  private BddReplayAssertions() {}

  /** Returns the same as {@link ReplayAssertions#assertThat(Session)}. */
  public static SessionAssert then(@Nullable Session actual) {
    return ReplayAssertions.assertThat(actual);
  }

  /** Returns the same as {@link ReplayAssertions#assertThat(SessionRecorder)}. */
  public static SessionAssert then(@Nullable SessionRecorder actual) {
    return ReplayAssertions.assertThat(actual);
  }

  /** Returns the same as {@link ReplayAssertions#assertThat(ReplayReport)}. */
  public static ReplayReportAssert then(@Nullable ReplayReport actual) {
    return ReplayAssertions.assertThat(actual);
  }

  /** Returns the same as {@link ReplayAssertions#assertThatAgent}. */
  public static AgentAssert thenAgent(Class<?>... classes) {
    return ReplayAssertions.assertThatAgent(classes);
  }

  /** Returns the same as {@link ReplayAssertions#assertThatRuns(Session...)}. */
  public static RunsAssert thenRuns(Session... runs) {
    return ReplayAssertions.assertThatRuns(runs);
  }

  /** Returns the same as {@link ReplayAssertions#assertThatRuns(Collection)}. */
  public static RunsAssert thenRuns(@Nullable Collection<Session> runs) {
    return ReplayAssertions.assertThatRuns(runs);
  }
}
