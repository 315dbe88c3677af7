package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The start of a plan.
 *
 * @param planHash the hash of the plan; the plan itself is not in the log
 * @param stepCount the number of steps of the plan, not negative
 * @param meta the data common to all events
 */
public record PlanStart(@Nullable ContentHash planHash, @Nullable Long stepCount, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public PlanStart {
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the start of a plan with a number of steps. */
  public static PlanStart of(ContentHash planHash, long stepCount) {
    return new PlanStart(planHash, stepCount, Meta.NONE);
  }

  @Override
  public EventKind kind() {
    return EventKind.PLAN_START;
  }

  @Override
  public PlanStart withMeta(Meta newMeta) {
    return new PlanStart(planHash, stepCount, newMeta);
  }
}
