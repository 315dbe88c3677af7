package dev.agentreplay.engine.diff;

import java.util.List;
import java.util.Set;

/**
 * Rates the severity of divergences. A custom policy can delegate to the default one:
 *
 * <pre>{@code
 * SeverityPolicy lenient = change -> change.step().name().equals("think")
 *     ? new SeverityRating(DivergenceSeverity.NONE, "thinking is free")
 *     : SeverityPolicy.defaults().judge(change);
 * }</pre>
 *
 * <p>A comparison calls it, on the thread that calls {@link SessionDiff#between}, for each
 * divergence and for each step of a moved block, possibly more than once. It should return the same
 * rating for the same change, so that comparisons are repeatable.
 */
@FunctionalInterface
public interface SeverityPolicy {

  /** The facts by which a divergence is rated. */
  sealed interface Change permits Results.ChangeData {

    /** The kind of the difference between the steps. */
    DivergenceKind kind();

    /** All kinds of differences between the steps. */
    Set<DivergenceKind> kinds();

    /** The step in the left session or, if it was added, in the right one. */
    Step step();

    /**
     * The places that differ; empty when a step is missing, added or moved. Values that a published
     * copy withholds are among them only if nothing else differs.
     */
    List<ValueChange> values();

    /** Whether there are places that differ, and all of them have texts that count as close. */
    default boolean isClose() {
      return !values().isEmpty() && values().stream().allMatch(value -> value.closeness() != null);
    }
  }

  /** Returns the severity of a divergence and the name of the rule that determined it. */
  SeverityRating judge(Change change);

  /**
   * The default policy. The first rule that applies determines the severity:
   *
   * <ul>
   *   <li>{@code step}: a tool call, a turn, a verification or another step is missing or was
   *       added: major
   *   <li>{@code tool}: a different tool was called: major
   *   <li>{@code order}: steps were moved: moderate
   *   <li>{@code withheld}: a published copy withholds values, and what both sessions show is
   *       equal: none
   *   <li>{@code outcome}: a call, a step, a verification or the session succeeded in one session
   *       and failed in the other, or failed differently: major
   *   <li>{@code close}: all texts that differ are close under a rule for texts: minor
   *   <li>{@code strict}: only ids or times differ, and the comparison is strict: minor
   *   <li>{@code assessment}: only assessments, token counts or members that this version does not
   *       know differ, in a step of a known kind: minor
   *   <li>{@code content}: any other difference, such as the same tool with different parameters,
   *       the same call with a different output, a different prompt or answer: moderate
   * </ul>
   *
   * <p>Ids and times that are not compared are only counted; they are not divergences.
   */
  static SeverityPolicy defaults() {
    return DefaultSeverity.INSTANCE;
  }
}
