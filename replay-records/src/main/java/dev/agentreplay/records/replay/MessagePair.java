package dev.agentreplay.records.replay;

import dev.agentreplay.records.TraceMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A recorded message and the message of the replay that it is compared with.
 *
 * @param original the recorded message; null if only the replay has it
 * @param replayed the message of the replay; null if the replay does not have it, or nothing runs
 * @param isInput whether it is an input of the session, which is shown and not compared
 * @param divergence the divergence; null for none
 */
public record MessagePair(
    @Nullable Placed original,
    @Nullable Placed replayed,
    boolean isInput,
    @Nullable MessageDivergence divergence) {

  /**
   * A message with its place in a record.
   *
   * @param round the number of its round
   * @param index its index in the round, from 0
   * @param message the message
   */
  public record Placed(long round, int index, TraceMessage message) {

    /** Checks for null. */
    public Placed {
      Objects.requireNonNull(message, "message");
    }
  }

  /** The recorded message, or that of the replay if there is none. */
  public Placed any() {
    return original != null ? original : Objects.requireNonNull(replayed, "replayed");
  }
}
