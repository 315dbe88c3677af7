package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.model.text.PlainText;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the report of a replay, created by
 * {@link ReplayAssertions#assertThat(ReplayReport)}, for tests that run a
 * {@link dev.agentreplay.engine.replay.Replay} themselves. The first line of a failure message
 * states the problem; the report follows: its headline, the first divergence with both values, and
 * the numbers of the others.
 *
 * <p>Not final, because AssertJ creates subclasses for soft assertions; not intended for other
 * subclasses.
 */
public class ReplayReportAssert extends AbstractAssert<ReplayReportAssert, ReplayReport> {

  /** Creates assertions; called by AssertJ. */
  public ReplayReportAssert(@Nullable ReplayReport actual) {
    super(actual, ReplayReportAssert.class);
  }

  /** Verifies that everything was exchanged as in the recording. */
  public ReplayReportAssert isIdentical() {
    return hasVerdict(ReplayVerdict.IDENTICAL);
  }

  /**
   * Verifies that the replay passes ({@link ReplayReport#passes}): it is identical, or all that
   * differs is less severe than {@link dev.agentreplay.engine.diff.DiffOptions#failOn} of its
   * comparison.
   */
  public ReplayReportAssert passes() {
    isNotNull();
    if (!actual.passes()) {
      throw error("expected a replay that passes, found the verdict " + actual.verdict());
    }
    return this;
  }

  /** Verifies the verdict. */
  public ReplayReportAssert hasVerdict(ReplayVerdict verdict) {
    isNotNull();
    if (actual.verdict() != verdict) {
      throw error("expected the verdict %s, found %s".formatted(verdict, actual.verdict()));
    }
    return this;
  }

  /** Verifies the absence of divergences, whatever the verdict is. */
  public ReplayReportAssert hasNoDivergences() {
    return hasDivergenceCount(0);
  }

  /** Verifies the number of divergences, of all kinds. */
  public ReplayReportAssert hasDivergenceCount(long count) {
    isNotNull();
    return requireCount("divergences", count, actual.divergenceCount());
  }

  /**
   * Verifies the number of divergences of a kind.
   *
   * @param kind the kind, as in {@link ReplayReport#divergencesByKind}, such as {@code MISS}
   */
  public ReplayReportAssert hasDivergenceCount(String kind, long count) {
    isNotNull();
    Long found = actual.divergencesByKind().get(kind);
    return requireCount("divergences of the kind " + kind, count, found == null ? 0 : found);
  }

  /** Verifies the number of recorded exchanges that were answered from the recording. */
  public ReplayReportAssert hasServed(long count) {
    isNotNull();
    return requireCount("served exchanges", count, actual.exchanges().served());
  }

  /** Verifies the number of recorded exchanges that were executed. */
  public ReplayReportAssert hasExecuted(long count) {
    isNotNull();
    return requireCount("executed exchanges", count, actual.exchanges().executed());
  }

  private ReplayReportAssert requireCount(String subject, long expected, long found) {
    if (expected != found) {
      throw error("expected %d %s, found %d".formatted(expected, subject, found));
    }
    return this;
  }

  private AssertionError error(String message) {
    return failure(
        "%s\n%s\nrecorded: %s",
        message, ReplayMismatch.text(actual), PlainText.of(actual.recording().toString()));
  }
}
