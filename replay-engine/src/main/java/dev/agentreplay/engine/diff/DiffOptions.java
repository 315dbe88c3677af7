package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.rule.ComparisonRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How sessions are compared.
 *
 * @param rules what makes values equal, or close, that are not the same; none by default
 * @param severity judges how much a divergence matters
 * @param strict whether ids, times and latencies are compared too, which differ between any two
 *     runs
 * @param maxDivergences how many divergences are listed, 100 by default; all are counted
 * @param limits what bounds the memory of a comparison
 */
public record DiffOptions(
    List<ComparisonRule> rules,
    SeverityPolicy severity,
    boolean strict,
    int maxDivergences,
    DiffLimits limits) {

  private static final DiffOptions DEFAULTS =
      new DiffOptions(List.of(), SeverityPolicy.defaults(), false, 100, DiffLimits.defaults());

  /** Checks for null and copies. */
  public DiffOptions {
    rules = List.copyOf(rules);
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(limits, "limits");
    if (maxDivergences < 0) {
      throw new IllegalArgumentException(
          "maximum of divergences must not be negative: " + maxDivergences);
    }
  }

  /** The conduct of sessions is compared exactly: canonical JSON of its values. */
  public static DiffOptions defaults() {
    return DEFAULTS;
  }

  /** With these rules after those that there are. */
  public DiffOptions plus(ComparisonRule... more) {
    List<ComparisonRule> all = new ArrayList<>(rules);
    all.addAll(List.of(more));
    return new DiffOptions(all, severity, strict, maxDivergences, limits);
  }

  /** With other rules of severity. */
  public DiffOptions withSeverity(SeverityPolicy newSeverity) {
    return new DiffOptions(rules, newSeverity, strict, maxDivergences, limits);
  }

  /** With ids, times and latencies compared, or not. */
  public DiffOptions withStrict(boolean newStrict) {
    return new DiffOptions(rules, severity, newStrict, maxDivergences, limits);
  }

  /** With so many divergences listed. */
  public DiffOptions withMaxDivergences(int newMaxDivergences) {
    return new DiffOptions(rules, severity, strict, newMaxDivergences, limits);
  }

  /** With other limits. */
  public DiffOptions withLimits(DiffLimits newLimits) {
    return new DiffOptions(rules, severity, strict, maxDivergences, newLimits);
  }
}
