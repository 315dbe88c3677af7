package dev.agentreplay.engine.diff;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Judges how much a divergence matters. Replaceable: rules of one's own ask those that there are
 * for what they do not judge themselves.
 *
 * <pre>{@code
 * SeverityPolicy lenient = change -> change.step().name().equals("think")
 *     ? new SeverityRating(DivergenceSeverity.NONE, "thinking is free")
 *     : SeverityPolicy.defaults().judge(change);
 * }</pre>
 *
 * <p>It is called once for each divergence, by one thread.
 */
@FunctionalInterface
public interface SeverityPolicy {

  /**
   * What is known of a divergence when it is judged.
   *
   * @param kind how the steps differ
   * @param kinds all the ways in which they differ
   * @param step the step in the left session, or else in the right one
   * @param values the places that differ; none when a step is missing, added or moved
   */
  record Change(
      DivergenceKind kind, Set<DivergenceKind> kinds, Step step, List<ValueChange> values) {

    /** Checks for null and copies. */
    public Change {
      Objects.requireNonNull(kind, "kind");
      kinds = Set.copyOf(kinds);
      Objects.requireNonNull(step, "step");
      values = List.copyOf(values);
    }

    /** Whether every place that differs holds texts that count as close. */
    public boolean isClose() {
      return !values.isEmpty() && values.stream().allMatch(value -> value.closeness() != null);
    }
  }

  /** Judges a divergence. */
  SeverityRating judge(Change change);

  /**
   * The rules of this library, the first that fits:
   *
   * <ul>
   *   <li>{@code step}: a tool call, a turn, a verification or another step is missing or was
   *       added: major
   *   <li>{@code tool}: another tool was called: major
   *   <li>{@code outcome}: a call, a step, a verification or the session succeeded in one and
   *       failed in the other, or failed otherwise: major
   *   <li>{@code close}: all texts that differ are close by a rule for texts: minor
   *   <li>{@code order}: steps are in another order: moderate
   *   <li>{@code assessment}: only an assessment, tokens or members that this version does not know
   *       differ, of a step that it knows: minor
   *   <li>{@code strict}: only ids or times differ, and the comparison is strict: minor
   *   <li>{@code content}: the same tool with other parameters, the same call with another output,
   *       another prompt or answer, and whatever else: moderate
   * </ul>
   *
   * <p>Ids and times that are not looked at are counted, and are no divergence: severity none.
   */
  static SeverityPolicy defaults() {
    return DefaultSeverity.INSTANCE;
  }
}
