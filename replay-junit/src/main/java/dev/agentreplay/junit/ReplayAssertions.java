package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.lint.DeterminismScan;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
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

  /**
   * Returns assertions on several runs of an agent, of which the first is the one that the others
   * are compared with.
   *
   * <pre>{@code
   * assertThatRuns(runs).agreeInAtLeast(0.9, ignoring(timestamps()));
   * }</pre>
   */
  public static RunsAssert assertThatRuns(Session... runs) {
    return new RunsAssert(List.of(runs));
  }

  /**
   * Returns the same as {@link #assertThatRuns(Session...)}.
   *
   * @param runs the runs, in the order of iteration
   */
  public static RunsAssert assertThatRuns(@Nullable Collection<Session> runs) {
    return new RunsAssert(runs == null ? null : List.copyOf(runs));
  }

  /**
   * Returns assertions on the code of agents, without running it. They need the artifact
   * {@code replay-lint}.
   *
   * <pre>
   * assertThatAgent(MyAgent.class).isDeterministic();
   * </pre>
   *
   * @param classes the classes at which agents begin, as {@code DeterminismScan.ofClasses} takes
   *     them
   * @throws IllegalArgumentException if there is no class, or one has no directory or jar
   */
  public static AgentAssert assertThatAgent(Class<?>... classes) {
    return new AgentAssert(DeterminismScan.ofClasses(classes));
  }

  /**
   * Returns options that compare sessions under these rules, exactly otherwise. Texts that
   * {@link FuzzyText} or {@link SemanticTexts} call close are minor divergences, with which a test
   * fails unless {@link DiffOptions#failingFrom} names a higher severity:
   *
   * <pre>{@code
   * assertThat(session).matches(
   *     recording,
   *     comparing(Tolerance.relative("/output/load", 0.02), FuzzyText.atLeast(0.7))
   *         .failingFrom(DivergenceSeverity.MODERATE));
   * }</pre>
   */
  public static DiffOptions comparing(ComparisonRule... rules) {
    return DiffOptions.defaults().plus(rules);
  }

  /**
   * Returns the same as {@link #comparing}; it reads well for rules that leave something out of the
   * comparison, such as {@link Ignore} and {@link Normalizer}.
   */
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
