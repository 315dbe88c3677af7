package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import org.assertj.core.annotation.CheckReturnValue;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * Assertions on recorded sessions, to be imported statically, beside those of AssertJ.
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

  /** Assertions on a session. */
  public static SessionAssert assertThat(@Nullable Session actual) {
    return new SessionAssert(actual);
  }

  /**
   * Assertions on what was recorded so far.
   *
   * @throws AssertionError if the session is not there any more
   */
  public static SessionAssert assertThat(@Nullable SessionRecorder actual) {
    return new SessionAssert(session(actual));
  }

  /** Sessions are compared exactly, but for what these rules say. */
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
