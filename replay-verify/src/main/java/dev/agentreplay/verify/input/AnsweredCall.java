package dev.agentreplay.verify.input;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.ReceiptEntries;
import dev.agentreplay.model.text.Excerpt;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A call and its result.
 *
 * @param call the call
 * @param result the result
 * @param entry what a receipt says of the two: hashes as stated, else as computed; the tool bounded
 * @param isSound whether neither parameters nor output contradict the hash beside them
 * @param line the line of the result
 */
public record AnsweredCall(
    Called call, ToolResult result, Receipt.Call entry, boolean isSound, ReplayLine line) {

  private static final int MAX_KEPT = 256;

  /**
   * What is kept of a call until its result arrives, in bounded memory.
   *
   * @param id its id, bounded
   * @param tool the tool, bounded
   * @param paramsHash the hash of its parameters: as stated, else as computed
   * @param isSound whether its parameters do not contradict the hash beside them
   * @param at where it is
   */
  public record Called(
      String id, String tool, @Nullable ContentHash paramsHash, boolean isSound, Position at) {

    public Called {
      id = bounded(id);
      tool = bounded(tool);
    }
  }

  public static AnsweredCall of(
      Called call,
      ToolResult result,
      @Nullable ContentHash outputHash,
      boolean outputIsSound,
      ReplayLine line) {
    return new AnsweredCall(
        call,
        result,
        ReceiptEntries.call(call.tool(), call.paramsHash(), result, outputHash),
        call.isSound() && outputIsSound,
        line);
  }

  /** Where the result is. */
  public Position resultAt() {
    return line.position();
  }

  /** Whether the log says what the call did to the world, even if nothing. */
  public boolean statesSideEffects() {
    return line.json().has(Names.SIDE_EFFECTS);
  }

  /** A text, or where it is long its beginning and its hash: equal for equal texts only. */
  public static String bounded(String text) {
    return text.length() <= MAX_KEPT
        ? text
        : Excerpt.of(text) + " " + ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
