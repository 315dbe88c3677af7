package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of specification 002. Its calls have ids.
 *
 * @param schemaVersion the version of the schema, such as {@value #SCHEMA_VERSION}
 * @param sessionId the id of the session
 * @param policyBundleId the policy that the session ran under
 * @param startedAt the time at which it started
 * @param endedAt the time at which it ended
 * @param verification the results of checking the work; null when the receipt does not state them
 * @param costs the costs as they are written: {@code total_tokens} and {@code total_sats} if known
 * @param toolCalls the answered calls, in the order of their results
 * @param replayHash the SHA-256 of the log's bytes
 * @param tree the head of the Merkle tree over all lines of the log
 * @param signature the signature, see {@link Receipt#signature()}
 * @param extra members that this version does not know, or could not read
 */
public record DraftReceipt(
    String schemaVersion,
    @Nullable String sessionId,
    @Nullable String policyBundleId,
    @Nullable Timestamp startedAt,
    @Nullable Timestamp endedAt,
    @Nullable Checks verification,
    JsonObject costs,
    List<Receipt.Call> toolCalls,
    @Nullable ContentHash replayHash,
    @Nullable TreeHead tree,
    @Nullable JsonValue signature,
    JsonObject extra)
    implements Receipt {

  /**
   * The results of checking the work.
   *
   * @param testsBefore the number of tests that passed before the work
   * @param testsAfter the number of tests that passed after it
   * @param verificationDelta the number of checks that pass now minus the number that passed before
   * @param ciStatus the status that continuous integration reported
   */
  public record Checks(
      @Nullable Long testsBefore,
      @Nullable Long testsAfter,
      @Nullable Long verificationDelta,
      @Nullable String ciStatus) {}

  /** The version of the schema that this library writes. */
  public static final String SCHEMA_VERSION = "1.0.0";

  /** Checks for null and copies. */
  public DraftReceipt {
    Objects.requireNonNull(schemaVersion, "schemaVersion");
    Objects.requireNonNull(costs, "costs");
    toolCalls = List.copyOf(toolCalls);
    Objects.requireNonNull(extra, "extra");
  }

  @Override
  public Receipt.Form form() {
    return Receipt.Form.DRAFT;
  }

  @Override
  public DraftReceipt withTree(@Nullable TreeHead newTree) {
    return with(newTree, signature, extra.without(Names.TREE_SIZE, Names.TREE_ROOT));
  }

  @Override
  public DraftReceipt withSignature(@Nullable JsonValue newSignature) {
    return with(tree, newSignature, extra.without("signature"));
  }

  private DraftReceipt with(
      @Nullable TreeHead newTree, @Nullable JsonValue newSignature, JsonObject newExtra) {
    return new DraftReceipt(
        schemaVersion,
        sessionId,
        policyBundleId,
        startedAt,
        endedAt,
        verification,
        costs,
        toolCalls,
        replayHash,
        newTree,
        newSignature,
        newExtra);
  }
}
