package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A receipt: the summary of a session that a verifier checks against its log. All implementations
 * are immutable and safe for use by several threads.
 */
public sealed interface Receipt permits SessionReceipt, TrajectoryReceipt, DraftReceipt {

  /** The form of this receipt. */
  Form form();

  /** The id of the session; null when the receipt does not state it. */
  @Nullable
  String sessionId();

  /** The policy that the session ran under; null when the receipt does not state it. */
  @Nullable
  String policyBundleId();

  /**
   * The answered calls, in the order of their results; null when the receipt does not have a list
   * of calls.
   */
  @Nullable
  List<Call> toolCalls();

  /**
   * The head of the Merkle tree over all lines of the log; null when the receipt does not state it.
   */
  @Nullable
  TreeHead tree();

  /**
   * The signature over the receipt: the text of a
   * {@link dev.agentreplay.model.signature.Signature}, or any value that another producer writes;
   * null when the receipt is not signed.
   */
  @Nullable
  JsonValue signature();

  /** Members that this version does not know, or could not read. */
  JsonObject extra();

  /**
   * Returns a copy with the given head of the Merkle tree over all lines of the log; null removes
   * it.
   */
  Receipt withTree(@Nullable TreeHead newTree);

  /** Returns a copy with the given signature; null removes it. */
  Receipt withSignature(@Nullable JsonValue newSignature);

  /** The forms of a receipt. */
  enum Form {
    /** The form of specification 000: a {@link SessionReceipt}. */
    SESSION("session"),
    /** The form of specification 001: a {@link TrajectoryReceipt}. */
    OPENAGENTS_V1("openagents.v1"),
    /** The form of specification 002: a {@link DraftReceipt}. */
    DRAFT("draft");

    private final String id;

    Form(String id) {
      this.id = id;
    }

    /** The name of the form on the command line. */
    public String id() {
      return id;
    }
  }

  /**
   * An answered call.
   *
   * @param id the id of the call; null in forms without ids
   * @param tool the name of the tool
   * @param paramsHash the hash of the parameters
   * @param outputHash the hash of the output
   * @param stepUtility the usefulness of the call, from -1.0 to 1.0
   * @param latencyMillis the duration of the call in milliseconds
   * @param sideEffects the side effects of the call
   * @param extra members that this version does not know
   */
  record Call(
      @Nullable String id,
      @Nullable String tool,
      @Nullable ContentHash paramsHash,
      @Nullable ContentHash outputHash,
      @Nullable Double stepUtility,
      @Nullable Long latencyMillis,
      List<SideEffect> sideEffects,
      JsonObject extra) {

    /** Checks for null and copies. */
    public Call {
      sideEffects = List.copyOf(sideEffects);
      Objects.requireNonNull(extra, "extra");
    }

    /** Returns a copy with the given side effects. */
    public Call withSideEffects(List<SideEffect> newSideEffects) {
      return new Call(
          id, tool, paramsHash, outputHash, stepUtility, latencyMillis, newSideEffects, extra);
    }
  }
}
