package dev.agentreplay.engine.diff;

import java.util.List;
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

  /** The facts of a divergence that it is judged by. */
  sealed interface Change permits Results.ChangeData {

    /** The kind of the difference between the steps. */
    DivergenceKind kind();

    /** All the kinds in which they differ. */
    Set<DivergenceKind> kinds();

    /** The step in the left session, or else in the right one. */
    Step step();

    /** The places that differ; none when a step is missing, added or moved. */
    List<ValueChange> values();

    /** Whether every place that differs holds texts that count as close. */
    default boolean isClose() {
      return !values().isEmpty() && values().stream().allMatch(value -> value.closeness() != null);
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
