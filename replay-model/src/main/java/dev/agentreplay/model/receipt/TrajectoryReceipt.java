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
 * The receipt of specification 001, {@code openagents.receipt.v1}. Its calls do not have ids, and
 * it contains a digest of itself.
 *
 * @param sessionId the id of the session
 * @param trajectoryHash the hash of the whole run, see docs/receipts.md ("Receipt of 001")
 * @param policyBundleId the policy that the session ran under
 * @param digest the SHA-256 of the canonical receipt without digest and signature
 * @param createdAt the time at which the receipt was created
 * @param repo the repository that the session worked in, as it is written
 * @param eventCount the number of events of the run, without the header
 * @param firstSeq the number of the first event of the run
 * @param lastSeq the number of the last event of the run
 * @param metrics the totals of the run; null when the receipt does not state them
 * @param toolCalls the answered calls, in the order of their results; null when the receipt does
 *     not have the list
 * @param verifications the checks that were run, as they are written; null when the receipt does
 *     not have the list
 * @param payments the payments, as they are written; null when the receipt does not have the list
 * @param tree the head of the Merkle tree over all lines of the log
 * @param signature the signature, see {@link Receipt#signature()}
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
   * The totals of a run.
   *
   * @param toolCalls the number of answered calls
   * @param toolLatencyMillis the sum of their latencies in milliseconds
   * @param verificationPassed whether the last checks passed; null when none were run
   * @param paymentsMsats the sum of the payments, in thousandths of a satoshi
   */
  public record Metrics(
      @Nullable Long toolCalls,
      @Nullable Long toolLatencyMillis,
      @Nullable Boolean verificationPassed,
      @Nullable Long paymentsMsats) {}

  /** The name of the schema in a receipt of this form. */
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

  /** Returns a copy with the given digest. */
  public TrajectoryReceipt withDigest(@Nullable ContentHash newDigest) {
    return with(newDigest, tree, signature, extra.without(Names.CANONICAL_JSON_SHA256));
  }

  /** {@inheritDoc} The copy does not have a digest, because the digest covers the tree head. */
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
