package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The completion of a step of the plan.
 *
 * @param stepId the id of the step
 * @param status the status of the step
 * @param iterations the number of attempts, from 0 to 255
 * @param meta the data common to all events
 */
public record StepComplete(
    String stepId, @Nullable Status status, @Nullable Long iterations, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public StepComplete {
    Objects.requireNonNull(stepId, "stepId");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the completion of a step. */
  public static StepComplete of(String stepId, Status status, long iterations) {
    return new StepComplete(stepId, status, iterations, Meta.NONE);
  }

  @Override
  public EventKind kind() {
    return EventKind.STEP_COMPLETE;
  }

  @Override
  public String name() {
    return stepId;
  }

  @Override
  public @Nullable Boolean succeeded() {
    return status == null ? null : status.isSuccess();
  }

  @Override
  public StepComplete withMeta(Meta newMeta) {
    return new StepComplete(stepId, status, iterations, newMeta);
  }
}
