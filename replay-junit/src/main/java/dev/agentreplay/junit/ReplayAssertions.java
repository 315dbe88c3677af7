package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import org.assertj.core.annotation.CheckReturnValue;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * The entry points of assertions on recorded sessions and replays, for static import next to those
 * of AssertJ.
 *
 * <pre>{@code
 * assertThat(session)
 *     .isVerified()
 *     .hasToolCalls("read", "write")
 *     .matches(recording, ignoring(timestamps()));
 * }</pre>
 */
@CheckReturnValue
public final class ReplayAssertions {

  private ReplayAssertions() {}

  /** Returns assertions on a session. */
  public static SessionAssert assertThat(@Nullable Session actual) {
    return new SessionAssert(actual);
  }

  /**
   * Returns assertions on the events that were recorded so far.
   *
   * @throws AssertionError if the session no longer exists
   */
  public static SessionAssert assertThat(@Nullable SessionRecorder actual) {
    return new SessionAssert(session(actual));
  }

  /** Returns assertions on the report of a replay. */
  public static ReplayReportAssert assertThat(@Nullable ReplayReport actual) {
    return new ReplayReportAssert(actual);
  }

  /** Returns options that compare sessions exactly except for these rules. */
  public static DiffOptions ignoring(ComparisonRule... rules) {
    return DiffOptions.defaults().plus(rules);
  }

  static @Nullable Session session(@Nullable SessionRecorder recorder) {
    try {
      return recorder == null ? null : recorder.session();
    } catch (IOException e) {
      throw new AssertionFailedError(Shown.unreadable(e), e);
    }
  }
}
