package dev.agentreplay.verify;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * A call and its result.
 *
 * @param call the call
 * @param result the result
 * @param outputHash the hash of its output: as stated, else as computed
 * @param resultAt where the result is
 */
record AnsweredCall(
    Called call, ToolResult result, @Nullable ContentHash outputHash, Position resultAt) {

  /**
   * What is kept of a call until its result arrives.
   *
   * @param id its id
   * @param tool the tool
   * @param paramsHash the hash of its parameters: as stated, else as computed
   * @param at where it is
   */
  record Called(String id, String tool, @Nullable ContentHash paramsHash, Position at) {}

  /** Tool, parameters and output in one number, for comparing. */
  static long fingerprint(
      @Nullable String tool, @Nullable ContentHash params, @Nullable ContentHash output) {
    long hash = tool == null ? 0 : tool.hashCode();
    hash = hash * 0x9e3779b97f4a7c15L + (params == null ? 0 : params.prefixBits());
    return hash * 0x9e3779b97f4a7c15L + (output == null ? 0 : output.prefixBits());
  }
}
