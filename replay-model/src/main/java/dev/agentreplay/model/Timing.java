package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The times of a result, in milliseconds since its call.
 *
 * @param latencyMillis the duration of the call, not negative; null when it is not stated
 * @param chunks the pieces in which a streamed result arrived; empty when it was not streamed
 */
public record Timing(@Nullable Long latencyMillis, Chunks chunks) {

  /** No times. */
  public static final Timing NONE = new Timing(null, Chunks.NONE);

  /** Checks for null. */
  public Timing {
    Objects.requireNonNull(chunks, "chunks");
  }

  /** Creates the timing of a result that was not streamed. */
  public static Timing of(long latencyMillis) {
    return new Timing(latencyMillis, Chunks.NONE);
  }

  /** Returns a copy with the given duration. */
  public Timing withLatencyMillis(@Nullable Long newLatencyMillis) {
    return new Timing(newLatencyMillis, chunks);
  }

  /** Returns a copy with the given pieces. */
  public Timing withChunks(Chunks newChunks) {
    return new Timing(latencyMillis, newChunks);
  }
}
