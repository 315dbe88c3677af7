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

/**
 * Creates the entries of receipts from the events of a log. Both the writer of a receipt and its
 * verifier use these methods, so that they follow the same rules. Safe for use by several threads.
 */
public final class ReceiptEntries {

  private ReceiptEntries() {}

  /**
   * Creates the entry of a call with its result. It has the data of all forms of a receipt; the
   * outcome is the additional member {@code ok}.
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

  /** Creates the entries of the commands of a verification, in the form of specification 001. */
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

  /** Creates the entry of a payment, in the form of specification 001. */
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
