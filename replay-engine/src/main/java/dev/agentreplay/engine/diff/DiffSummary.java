package dev.agentreplay.engine.diff;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A comparison in numbers; all of them are complete, whatever is listed.
 *
 * @param calls counts of the tool calls
 * @param steps counts of all steps, the calls among them
 * @param byKind counts of the steps of each kind that there are
 * @param byTool counts of the calls of each tool, by name
 * @param divergencesByKind how many divergences there are of each kind
 * @param divergencesBySeverity how many divergences there are of each severity
 * @param divergencesByRole how many divergences there are of each role
 * @param identities pairs whose ids differ; they differ between any two runs, and are not compared
 *     unless a comparison is strict
 * @param timings pairs whose times or latencies differ; not compared unless a comparison is strict
 * @param ignoredCalls calls of both sessions that are not compared, since their tools are ignored
 */
public record DiffSummary(
    StepCounts calls,
    StepCounts steps,
    Map<StepKind, StepCounts> byKind,
    Map<String, ToolCounts> byTool,
    Map<DivergenceKind, Integer> divergencesByKind,
    Map<DivergenceSeverity, Integer> divergencesBySeverity,
    Map<Divergence.Role, Integer> divergencesByRole,
    int identities,
    int timings,
    int ignoredCalls) {

  /** Checks for null and copies. */
  public DiffSummary {
    Objects.requireNonNull(calls, "calls");
    Objects.requireNonNull(steps, "steps");
    byKind = ordered(StepKind.class, byKind);
    byTool = Collections.unmodifiableMap(new TreeMap<>(byTool));
    divergencesByKind = ordered(DivergenceKind.class, divergencesByKind);
    divergencesBySeverity = ordered(DivergenceSeverity.class, divergencesBySeverity);
    divergencesByRole = ordered(Divergence.Role.class, divergencesByRole);
  }

  /** The counts of the steps that are not calls. */
  public StepCounts others() {
    return new StepCounts(
        steps.left() - calls.left(),
        steps.right() - calls.right(),
        steps.matched() - calls.matched(),
        steps.changed() - calls.changed(),
        steps.moved() - calls.moved(),
        steps.missing() - calls.missing(),
        steps.added() - calls.added());
  }

  /** How many divergences there are. */
  public int divergences() {
    return divergencesByKind.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static <K extends Enum<K>, V> Map<K, V> ordered(Class<K> type, Map<K, V> map) {
    Map<K, V> copy = new EnumMap<>(type);
    copy.putAll(map);
    return Collections.unmodifiableMap(copy);
  }
}
