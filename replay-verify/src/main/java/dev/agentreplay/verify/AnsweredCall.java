package dev.agentreplay.verify;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.internal.Excerpt;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A call and its result.
 *
 * @param call the call
 * @param result the result
 * @param outputHash the hash of its output: as stated, else as computed
 * @param isSound whether neither parameters nor output contradict the hash beside them
 * @param statesSideEffects whether the log says what the call did to the world, even if nothing
 * @param resultAt where the result is
 */
record AnsweredCall(
    Called call,
    ToolResult result,
    @Nullable ContentHash outputHash,
    boolean isSound,
    boolean statesSideEffects,
    Position resultAt) {

  private static final int MAX_KEPT = 256;

  /**
   * What is kept of a call until its result arrives, in bounded memory.
   *
   * @param id its id, shortened for messages
   * @param tool the tool, bounded
   * @param paramsHash the hash of its parameters: as stated, else as computed
   * @param isSound whether its parameters do not contradict the hash beside them
   * @param at where it is
   */
  record Called(
      String id, String tool, @Nullable ContentHash paramsHash, boolean isSound, Position at) {

    Called {
      id = Excerpt.of(id);
      tool = bounded(tool);
    }
  }

  /** A text, or where it is long its beginning and its hash: equal for equal texts only. */
  static String bounded(String text) {
    return text.length() <= MAX_KEPT
        ? text
        : Excerpt.of(text) + " " + ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
