package dev.agentreplay.engine.diff;

import java.util.Map;

/**
 * The counts of a comparison. They include all divergences, also those that are not listed. Maps
 * are sorted by key and unmodifiable.
 */
public sealed interface DiffSummary permits Results.DiffSummaryData {

  /** The counts of the tool calls. */
  StepCounts calls();

  /** The counts of all steps, the calls among them. */
  StepCounts steps();

  /** The counts of the steps by kind; kinds without steps are missing. */
  Map<StepKind, StepCounts> byKind();

  /** The counts of the calls of each tool, by name. */
  Map<String, ToolCounts> byTool();

  /** The number of divergences of each kind. */
  Map<DivergenceKind, Integer> divergencesByKind();

  /** The number of divergences of each severity. */
  Map<DivergenceSeverity, Integer> divergencesBySeverity();

  /** The number of divergences of each role. */
  Map<Divergence.Role, Integer> divergencesByRole();

  /**
   * The number of pairs whose ids differ. Ids differ between any two runs; only a strict comparison
   * compares them.
   */
  int identities();

  /**
   * The number of pairs whose times or latencies differ. Only a strict comparison compares them.
   */
  int timings();

  /**
   * The number of values that were not compared because a published copy withholds them. Equality
   * is stated of the values that both sessions show.
   */
  int withheld();

  /**
   * The number of values that were not compared because a published copy shows only a replacement
   * of them.
   */
  int replaced();

  /**
   * The number of calls in both sessions together that are not compared because their tools are
   * ignored.
   */
  int ignoredCalls();

  /** The counts of the steps that are not calls. */
  default StepCounts others() {
    StepCounts all = steps();
    StepCounts calls = calls();
    return new Results.StepCountsData(
        all.left() - calls.left(),
        all.right() - calls.right(),
        all.matched() - calls.matched(),
        all.changed() - calls.changed(),
        all.moved() - calls.moved(),
        all.missing() - calls.missing(),
        all.added() - calls.added());
  }

  /** The number of divergences. */
  default int divergences() {
    return divergencesByKind().values().stream().mapToInt(Integer::intValue).sum();
  }
}
