package dev.agentreplay.io.context;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for a value of a context.
 *
 * @param lane the name of the lane; null for the main one
 * @param source the source of the value, as in {@link dev.agentreplay.model.RecordedValue}
 * @param ordinal the number of values that the source returned in this lane before
 * @param ifUnrecorded the value that a replay returns if the recording has none, because it is
 *     older than the code that requests it; null if a recording must have one
 */
public record ValueRequest(
    @Nullable String lane, String source, long ordinal, @Nullable JsonValue ifUnrecorded) {

  /** Checks for null. */
  public ValueRequest {
    Objects.requireNonNull(source, "source");
  }
}
