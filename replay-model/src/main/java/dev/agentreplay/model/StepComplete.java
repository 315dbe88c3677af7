package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A step of the plan is done.
 *
 * @param stepId the step
 * @param status how it ended
 * @param iterations how often it was tried, 0 to 255
 * @param meta what every event has
 */
public record StepComplete(
    String stepId, @Nullable Status status, @Nullable Long iterations, Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public StepComplete {
    Objects.requireNonNull(stepId, "stepId");
    Objects.requireNonNull(meta, "meta");
  }

  /** A step that is done. */
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
