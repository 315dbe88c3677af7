package dev.agentreplay.model.receipt;

import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a session claims to have done. */
public sealed interface Receipt permits SessionReceipt, TrajectoryReceipt, DraftReceipt {

  /** Which of the forms it has. */
  ReceiptForm form();

  /** The session, where the receipt says so. */
  @Nullable
  String sessionId();

  /** The policy it ran under, where the receipt says so. */
  @Nullable
  String policyBundleId();

  /** The answered calls, in the order of their results; null when the receipt lists none at all. */
  @Nullable
  List<ReceiptCall> toolCalls();

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
}
