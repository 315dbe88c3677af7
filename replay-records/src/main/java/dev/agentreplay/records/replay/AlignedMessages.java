package dev.agentreplay.records.replay;

import dev.agentreplay.records.replay.MessageDivergence.Kind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A recorded message and its partner in the replay, before they are compared.
 *
 * @param original the recorded message; null if only the replay has it
 * @param replayed the message of the replay; null if the replay does not have it
 * @param kind the way in which they are paired; {@link Kind#TEXT} if only their texts may differ
 */
record AlignedMessages(@Nullable LaneMessage original, @Nullable LaneMessage replayed, Kind kind) {

  /** The recorded message, or that of the replay if there is none. */
  LaneMessage any() {
    return original != null ? original : Objects.requireNonNull(replayed, "replayed");
  }

  boolean isInput() {
    return any().isInput();
  }
}
