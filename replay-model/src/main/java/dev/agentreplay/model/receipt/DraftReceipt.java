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
 * The receipt that goes with specification 002. Its calls have ids.
 *
 * @param schemaVersion the version of the form, such as {@value #SCHEMA_VERSION}
 * @param sessionId the session
 * @param policyBundleId the policy it ran under
 * @param startedAt when it started
 * @param endedAt when it ended
 * @param verification what came of checking the work; null when the receipt does not say
 * @param costs what it cost, as it is: {@code total_tokens} and {@code total_sats} where known
 * @param toolCalls the answered calls, in the order of their results
 * @param replayHash the hash of the log's bytes
 * @param tree the tree over all lines of the log
 * @param signature a signature
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
   * What came of checking the work.
   *
   * @param testsBefore how many tests passed before the work
   * @param testsAfter how many tests passed after it
   * @param verificationDelta how many more checks pass than before
   * @param ciStatus what continuous integration said
   */
  public record Checks(
      @Nullable Long testsBefore,
      @Nullable Long testsAfter,
      @Nullable Long verificationDelta,
      @Nullable String ciStatus) {}

  /** The version that is written. */
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
