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
 * The receipt that goes with specification 000. Its calls have ids.
 *
 * @param sessionId the session
 * @param startedAt when it started
 * @param completedAt when it ended
 * @param issueNumber the issue it worked on
 * @param planHash the hash of its plan; null when there was none
 * @param toolCalls the answered calls, in the order of their results
 * @param commands the commands that were run to check the work
 * @param verificationDelta how many more checks pass than before
 * @param finalConfidence how sure the agent is of its work, from 0.0 to 1.0
 * @param policyBundleId the policy it ran under
 * @param signature a signature
 * @param replayHash the hash of the log's bytes
 * @param tree the tree over all lines of the log
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

  /** With other members that are not known. */
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
