package dev.agentreplay.model.receipt;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a session claims to have done. */
public sealed interface Receipt permits SessionReceipt, TrajectoryReceipt {

  /** The session, where the receipt says so. */
  @Nullable
  String sessionId();

  /** The policy it ran under, where the receipt says so. */
  @Nullable
  String policyBundleId();

  /** The answered calls, in the order of their results; null when the receipt lists none at all. */
  @Nullable
  List<ReceiptCall> toolCalls();

  /** A signature over the receipt, where there is one. */
  @Nullable
  String signature();

  /** Members that this version does not know, or could not read. */
  JsonObject extra();
}
