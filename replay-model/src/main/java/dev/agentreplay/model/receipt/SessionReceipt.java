package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of specification 000. Its calls have ids.
 *
 * @param sessionId the id of the session
 * @param startedAt the time at which it started
 * @param completedAt the time at which it ended
 * @param issueNumber the number of the issue that it worked on
 * @param planHash the hash of its plan; null when there was none
 * @param toolCalls the answered calls, in the order of their results
 * @param commands the commands that were run to check the work
 * @param verificationDelta the number of checks that pass now minus the number that passed before
 * @param finalConfidence the agent's confidence in its work, from 0.0 to 1.0
 * @param policyBundleId the policy that the session ran under
 * @param signature the signature, see {@link Receipt#signature()}
 * @param replayHash the SHA-256 of the log's bytes
 * @param tree the head of the Merkle tree over all lines of the log
 * @param extra members that this version does not know, or could not read
 */
public record SessionReceipt(
    @Nullable String sessionId,
    @Nullable Timestamp startedAt,
    @Nullable Timestamp completedAt,
    @Nullable Long issueNumber,
    @Nullable ContentHash planHash,
    List<Receipt.Call> toolCalls,
    List<CommandRun> commands,
    @Nullable Long verificationDelta,
    @Nullable Double finalConfidence,
    @Nullable String policyBundleId,
    @Nullable JsonValue signature,
    @Nullable ContentHash replayHash,
    @Nullable TreeHead tree,
    JsonObject extra)
    implements Receipt {

  /** Checks for null and copies. */
  public SessionReceipt {
    toolCalls = List.copyOf(toolCalls);
    commands = List.copyOf(commands);
    Objects.requireNonNull(extra, "extra");
  }

  @Override
  public Receipt.Form form() {
    return Receipt.Form.SESSION;
  }

  @Override
  public SessionReceipt withTree(@Nullable TreeHead newTree) {
    return with(newTree, signature, extra.without(Names.TREE_SIZE, Names.TREE_ROOT));
  }

  @Override
  public SessionReceipt withSignature(@Nullable JsonValue newSignature) {
    return with(tree, newSignature, extra.without("signature"));
  }

  /** Returns a copy with the given additional members. */
  public SessionReceipt withExtra(JsonObject newExtra) {
    return with(tree, signature, newExtra);
  }

  private SessionReceipt with(
      @Nullable TreeHead newTree, @Nullable JsonValue newSignature, JsonObject newExtra) {
    return new SessionReceipt(
        sessionId,
        startedAt,
        completedAt,
        issueNumber,
        planHash,
        toolCalls,
        commands,
        verificationDelta,
        finalConfidence,
        policyBundleId,
        newSignature,
        replayHash,
        newTree,
        newExtra);
  }
}
