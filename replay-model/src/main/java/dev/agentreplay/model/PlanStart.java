package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plan was made.
 *
 * @param planHash the hash of the plan, which is not in the log
 * @param stepCount the number of its steps, not negative
 * @param meta what every event has
 */
public record PlanStart(@Nullable ContentHash planHash, @Nullable Long stepCount, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public PlanStart {
    Objects.requireNonNull(meta, "meta");
  }

  /** A plan of so many steps. */
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
