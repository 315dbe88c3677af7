package dev.agentreplay.junit;

import dev.agentreplay.lint.DeterminismReport;
import dev.agentreplay.lint.DeterminismScan;
import dev.agentreplay.lint.LintText;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.Suppression;
import java.io.IOException;
import java.util.List;
import org.assertj.core.annotation.CheckReturnValue;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the code of agents, created by {@link ReplayAssertions#assertThatAgent}. A failure
 * message has each nondeterministic call with the way to it from the entry point, and what to use
 * instead.
 */
public final class AgentAssert extends AbstractAssert<AgentAssert, DeterminismScan> {

  /** Creates assertions; called by AssertJ. */
  public AgentAssert(@Nullable DeterminismScan actual) {
    super(actual, AgentAssert.class);
  }

  /** Returns assertions on the same classes with other patterns, as a scan takes them. */
  @CheckReturnValue
  public AgentAssert withPatterns(LintPatterns patterns) {
    return changed(scan().withPatterns(patterns));
  }

  /** Returns assertions on the same classes with suppressions, in addition to annotations. */
  @CheckReturnValue
  public AgentAssert withSuppressions(List<Suppression> suppressions) {
    return changed(scan().withSuppressions(suppressions));
  }

  /**
   * Verifies that no method of the classes reaches a nondeterministic call that bypasses the
   * context, and that no suppression of such a call is without use. Fails, too, if a class cannot
   * be read, or has no method.
   */
  public AgentAssert isDeterministic() {
    DeterminismReport report;
    try {
      report = scan().check();
    } catch (IOException e) {
      throw Failed.because(e, failure("%s", "the classes cannot be read: " + Shown.cause(e)));
    }
    if (!report.isDeterministic()) {
      String next = report.findings().isEmpty()
          ? ""
          : "\nIf a call does not influence the agent, annotate its method with"
              + " @AllowedNondeterminism(reason = \"…\").";
      throw failure("%s%s", LintText.render(report).stripTrailing(), next);
    }
    if (!report.unusedSuppressions().isEmpty()) {
      throw failure(
          "suppressions cover no finding, and can be removed:\n  %s",
          String.join(
              "\n  ",
              report.unusedSuppressions().stream().map(Suppression::toString).toList()));
    }
    return this;
  }

  private AgentAssert changed(DeterminismScan scan) {
    AgentAssert asserts = new AgentAssert(scan);
    asserts.info.description(info.description());
    asserts.info.overridingErrorMessage(info.overridingErrorMessage());
    asserts.info.useRepresentation(info.representation());
    return asserts;
  }

  private DeterminismScan scan() {
    isNotNull();
    return actual;
  }
}
