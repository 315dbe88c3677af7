package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of receipts, each as the log says it: made and verified by the same rules. */
public final class ReceiptEntries {

  private ReceiptEntries() {}

  /**
   * A call with its result: with all that any form of a receipt says of it, the outcome as its
   * additional member {@code ok}.
   */
  public static Receipt.Call call(
      String tool,
      @Nullable ContentHash paramsHash,
      ToolResult result,
      @Nullable ContentHash outputHash) {
    Boolean ok = result.outcome().ok();
    return new Receipt.Call(
        result.id(),
        tool,
        paramsHash,
        outputHash,
        result.stepUtility(),
        result.latencyMillis(),
        result.sideEffects(),
        ok == null ? JsonObject.EMPTY : JsonObject.of("ok", ok));
  }

  /** The commands of a verification, in the form of specification 001. */
  public static List<JsonObject> commands(Verification verification) {
    List<JsonObject> entries = new ArrayList<>();
    for (CommandRun run : verification.commands()) {
      JsonObject.Builder builder = JsonObject.builder();
      put(builder, "command", run.command());
      put(builder, Names.EXIT_CODE, run.exitCode());
      put(builder, "cwd", run.cwd());
      put(builder, Names.DURATION_MS, run.durationMillis());
      put(builder, Names.VERIFICATION_DELTA, verification.delta());
      entries.add(builder.build());
    }
    return entries;
  }

  /** A payment, in the form of specification 001. */
  public static JsonObject payment(Payment payment) {
    JsonObject.Builder builder = JsonObject.builder();
    put(builder, "rail", payment.rail());
    put(builder, Names.ASSET_ID, payment.assetId());
    put(builder, Names.AMOUNT_MSATS, payment.amountMsats());
    put(builder, Names.PAYMENT_PROOF, payment.proof());
    put(builder, Names.JOB_HASH, payment.jobHash());
    put(builder, "status", payment.status() == null ? null : payment.status().spelling());
    return builder.build();
  }

  private static void put(JsonObject.Builder builder, String name, @Nullable Object value) {
    if (value != null) {
      builder.add(name, JsonValue.of(value));
    }
  }
}
