package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.model.ContentHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a comparison. Immutable; each {@code with} method returns changed options.
 *
 * <pre>{@code
 * DiffOptions.defaults().plus(Ignore.ids(), Ignore.at("/output/etag")).withMaxDivergences(10);
 * }</pre>
 *
 * @param rules the rules under which different values count as equal or close; none by default
 * @param severity the policy that rates divergences
 * @param strict whether ids, times, latencies and recorded values of clocks and random generators
 *     are compared too, which differ between any two runs
 * @param maxDivergences the maximum number of listed divergences, 100 by default; the counts
 *     include all. A text report lists fewer, see
 *     {@link dev.agentreplay.engine.report.TextOptions#maxDivergences}
 * @param limits the limits that bound the memory of the comparison
 * @param partners the partners of calls; null, the default, if they are found by their similarity
 * @param failOn the lowest severity of a divergence with which a comparison fails
 *     ({@link SessionDiff#passes}); null, the default, if it is not stated: then that of a
 *     {@link dev.agentreplay.engine.rules.RulesFile}, or else minor
 * @param accepted the fingerprints of accepted divergences ({@link Divergence#fingerprint}), which
 *     then have the severity {@code NONE}; none by default
 */
public record DiffOptions(
    List<ComparisonRule> rules,
    SeverityPolicy severity,
    boolean strict,
    int maxDivergences,
    DiffLimits limits,
    @Nullable KnownPartners partners,
    @Nullable DivergenceSeverity failOn,
    Set<ContentHash> accepted) {

  private static final DiffOptions DEFAULTS = new DiffOptions(
      List.of(),
      SeverityPolicy.defaults(),
      false,
      100,
      DiffLimits.defaults(),
      null,
      null,
      Set.of());

  /**
   * Checks for null and negative numbers, and copies the list.
   *
   * @throws IllegalArgumentException if {@code maxDivergences} is negative, or {@code failOn} is
   *     {@code NONE}
   */
  public DiffOptions {
    rules = List.copyOf(rules);
    accepted = Set.copyOf(accepted);
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(limits, "limits");
    if (maxDivergences < 0) {
      throw new IllegalArgumentException(
          "maximum of divergences must not be negative: " + maxDivergences);
    }
    if (failOn == DivergenceSeverity.NONE) {
      throw new IllegalArgumentException("a divergence of the severity none never fails");
    }
  }

  /**
   * The default options: no rules, so that values must have the same canonical JSON; not strict.
   */
  public static DiffOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with more rules, appended to the present ones. */
  public DiffOptions plus(ComparisonRule... more) {
    List<ComparisonRule> all = new ArrayList<>(rules);
    all.addAll(List.of(more));
    return new DiffOptions(
        all, severity, strict, maxDivergences, limits, partners, failOn, accepted);
  }

  /** Returns these options with a different severity policy. */
  public DiffOptions withSeverity(SeverityPolicy newSeverity) {
    return new DiffOptions(
        rules, newSeverity, strict, maxDivergences, limits, partners, failOn, accepted);
  }

  /** Returns these options with a strict comparison enabled or disabled. */
  public DiffOptions withStrict(boolean newStrict) {
    return new DiffOptions(
        rules, severity, newStrict, maxDivergences, limits, partners, failOn, accepted);
  }

  /**
   * Returns these options with a different maximum of listed divergences.
   *
   * @throws IllegalArgumentException if {@code newMaxDivergences} is negative
   */
  public DiffOptions withMaxDivergences(int newMaxDivergences) {
    return new DiffOptions(
        rules, severity, strict, newMaxDivergences, limits, partners, failOn, accepted);
  }

  /** The lowest severity with which a comparison fails: {@link #failOn}, or else minor. */
  public DivergenceSeverity failOnOrMinor() {
    return failOn == null ? DivergenceSeverity.MINOR : failOn;
  }

  /** Returns these options with different limits. */
  public DiffOptions withLimits(DiffLimits newLimits) {
    return new DiffOptions(
        rules, severity, strict, maxDivergences, newLimits, partners, failOn, accepted);
  }

  /** Returns these options with known partners of calls, or null for none. */
  public DiffOptions withPartners(@Nullable KnownPartners newPartners) {
    return new DiffOptions(
        rules, severity, strict, maxDivergences, limits, newPartners, failOn, accepted);
  }

  /**
   * Returns these options with the lowest severity with which a comparison fails. Less severe
   * divergences are listed, and do not fail a test or a command.
   *
   * <pre>{@code
   * DiffOptions.defaults().plus(FuzzyText.atLeast(0.7)).failingFrom(DivergenceSeverity.MODERATE);
   * }</pre>
   *
   * @param newFailOn minor, moderate or major
   * @throws IllegalArgumentException if it is {@code NONE}
   */
  public DiffOptions failingFrom(DivergenceSeverity newFailOn) {
    return new DiffOptions(
        rules,
        severity,
        strict,
        maxDivergences,
        limits,
        partners,
        Objects.requireNonNull(newFailOn, "severity"),
        accepted);
  }

  /**
   * Returns these options with more accepted divergences. Each has the severity {@code NONE}, and
   * nothing follows from it: a divergence downstream of it must be accepted, too.
   *
   * @param fingerprints their {@link Divergence#fingerprint}
   */
  public DiffOptions accepting(Set<ContentHash> fingerprints) {
    Set<ContentHash> all = new HashSet<>(accepted);
    all.addAll(fingerprints);
    return new DiffOptions(rules, severity, strict, maxDivergences, limits, partners, failOn, all);
  }
}
