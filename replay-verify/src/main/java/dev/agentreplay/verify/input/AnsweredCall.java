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
 * @param entry the entry that a receipt has for the call: hashes as stated, or else as computed;
 *     the tool bounded
 * @param isSound whether neither the parameters nor the output contradict their hashes
 * @param line the line of the result
 */
public record AnsweredCall(
    Called call, ToolResult result, Receipt.Call entry, boolean isSound, ReplayLine line) {

  private static final int MAX_KEPT = 256;

  /**
   * The data of a call that is kept until its result arrives, in bounded memory.
   *
   * @param id the id, bounded
   * @param tool the tool, bounded
   * @param paramsHash the hash of the parameters: as stated, or else as computed
   * @param isSound whether the parameters do not contradict their hash
   * @param at the position of the call
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

  /** The position of the result. */
  public Position resultAt() {
    return line.position();
  }

  /** Whether the log states the side effects of the call, even if there are none. */
  public boolean statesSideEffects() {
    return line.json().has(Names.SIDE_EFFECTS);
  }

  /**
   * Returns a short text itself, and a long text as its beginning and its hash: the results are
   * equal only for equal texts.
   */
  public static String bounded(String text) {
    return text.length() <= MAX_KEPT
        ? text
        : Excerpt.of(text) + " " + ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
