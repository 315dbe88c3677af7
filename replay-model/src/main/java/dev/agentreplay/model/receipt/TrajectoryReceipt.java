package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The receipt {@code openagents.receipt.v1} that goes with specification 001. Its calls have no
 * ids, and it carries a digest of itself.
 *
 * @param sessionId the session
 * @param trajectoryHash the hash of the whole run, see docs/format.md
 * @param policyBundleId the policy it ran under
 * @param digest the hash of the canonical receipt without digest and signature
 * @param createdAt when it was made
 * @param repo where it worked, as it is
 * @param eventCount the number of events of the run, without the header
 * @param firstSeq the number of its first event
 * @param lastSeq the number of its last event
 * @param metrics totals over the run; null when there are none
 * @param toolCalls the answered calls, in the order of their results; null when it lists none at
 *     all
 * @param verifications the checks that were run, as they are; null when it lists none at all
 * @param payments the payments that were made, as they are; null when it lists none at all
 * @param tree the tree over all lines of the log
 * @param signature a signature
 * @param extra members that this version does not know, or could not read
 */
public record TrajectoryReceipt(
    @Nullable String sessionId,
    @Nullable ContentHash trajectoryHash,
    @Nullable String policyBundleId,
    @Nullable ContentHash digest,
    @Nullable Timestamp createdAt,
    @Nullable JsonObject repo,
    @Nullable Long eventCount,
    @Nullable Long firstSeq,
    @Nullable Long lastSeq,
    @Nullable Metrics metrics,
    @Nullable List<Receipt.Call> toolCalls,
    @Nullable JsonArray verifications,
    @Nullable JsonArray payments,
    @Nullable TreeHead tree,
    @Nullable JsonValue signature,
    JsonObject extra)
    implements Receipt {

  /**
   * Totals over a run.
   *
   * @param toolCalls the number of answered calls
   * @param toolLatencyMillis the sum of their latencies
   * @param verificationPassed whether the last checks passed; null when none were run
   * @param paymentsMsats the sum of the payments, in thousandths of a satoshi
   */
  public record Metrics(
      @Nullable Long toolCalls,
      @Nullable Long toolLatencyMillis,
      @Nullable Boolean verificationPassed,
      @Nullable Long paymentsMsats) {}

  /** The schema that such a receipt names. */
  public static final String SCHEMA = "openagents.receipt.v1";

  /** Checks for null and copies. */
  public TrajectoryReceipt {
    toolCalls = toolCalls == null ? null : List.copyOf(toolCalls);
    Objects.requireNonNull(extra, "extra");
  }

  @Override
  public Receipt.Form form() {
    return Receipt.Form.OPENAGENTS_V1;
  }

  /** This receipt with another digest. */
  public TrajectoryReceipt withDigest(@Nullable ContentHash newDigest) {
    return with(newDigest, tree, signature, extra.without(Names.CANONICAL_JSON_SHA256));
  }

  /** {@inheritDoc} It has no digest, since that covers the tree. */
  @Override
  public TrajectoryReceipt withTree(@Nullable TreeHead newTree) {
    JsonObject others =
        extra.without(Names.CANONICAL_JSON_SHA256, Names.TREE_SIZE, Names.TREE_ROOT);
    return with(null, newTree, signature, others);
  }

  @Override
  public TrajectoryReceipt withSignature(@Nullable JsonValue newSignature) {
    return with(digest, tree, newSignature, extra.without("signature"));
  }

  private TrajectoryReceipt with(
      @Nullable ContentHash newDigest,
      @Nullable TreeHead newTree,
      @Nullable JsonValue newSignature,
      JsonObject newExtra) {
    return new TrajectoryReceipt(
        sessionId,
        trajectoryHash,
        policyBundleId,
        newDigest,
        createdAt,
        repo,
        eventCount,
        firstSeq,
        lastSeq,
        metrics,
        toolCalls,
        verifications,
        payments,
        newTree,
        newSignature,
        newExtra);
  }
}
