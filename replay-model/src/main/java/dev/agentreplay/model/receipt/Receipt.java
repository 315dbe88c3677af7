package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a session claims to have done. */
public sealed interface Receipt permits SessionReceipt, TrajectoryReceipt, DraftReceipt {

  /** Which of the forms it has. */
  Form form();

  /** The session, where the receipt says so. */
  @Nullable
  String sessionId();

  /** The policy it ran under, where the receipt says so. */
  @Nullable
  String policyBundleId();

  /** The answered calls, in the order of their results; null when the receipt lists none at all. */
  @Nullable
  List<Call> toolCalls();

  /** The tree over all lines of the log, where the receipt states it. */
  @Nullable
  TreeHead tree();

  /**
   * A signature over the receipt, where there is one: the text of a
   * {@link dev.agentreplay.model.signature.Signature}, or what another producer writes.
   */
  @Nullable
  JsonValue signature();

  /** Members that this version does not know, or could not read. */
  JsonObject extra();

  /** This receipt with the tree over all lines of the log, or without one. */
  Receipt withTree(@Nullable TreeHead newTree);

  /** This receipt with another signature, or without one. */
  Receipt withSignature(@Nullable JsonValue newSignature);

  /** The forms of a receipt. */
  enum Form {
    /** That of specification 000: a {@link SessionReceipt}. */
    SESSION("session"),
    /** That of specification 001: a {@link TrajectoryReceipt}. */
    OPENAGENTS_V1("openagents.v1"),
    /** That of specification 002: a {@link DraftReceipt}. */
    DRAFT("draft");

    private final String id;

    Form(String id) {
      this.id = id;
    }

    /** What it is called on the command line. */
    public String id() {
      return id;
    }
  }

  /**
   * An answered call.
   *
   * @param id the id of the call, in forms that have it
   * @param tool the name of the tool
   * @param paramsHash the hash of its parameters
   * @param outputHash the hash of its output
   * @param stepUtility how much it helped, from -1.0 to 1.0
   * @param latencyMillis how long it took, in milliseconds
   * @param sideEffects what it did to the world
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

    /** This call with other side effects. */
    public Call withSideEffects(List<SideEffect> newSideEffects) {
      return new Call(
          id, tool, paramsHash, outputHash, stepUtility, latencyMillis, newSideEffects, extra);
    }
  }
}
