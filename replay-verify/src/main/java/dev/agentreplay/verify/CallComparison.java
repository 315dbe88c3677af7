package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.internal.Hashes;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.receipt.ReceiptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares an answered call with its entry in the receipt. */
final class CallComparison {

  private final AnsweredCall call;
  private final @Nullable CanonicalJson canonical;
  private final String name;
  private final List<Finding> findings = new ArrayList<>(0);

  private CallComparison(AnsweredCall call, @Nullable CanonicalJson canonical) {
    this.call = call;
    this.canonical = canonical;
    this.name = "call \"" + call.call().id() + "\"";
  }

  /**
   * Where the two differ.
   *
   * @param canonical that of the log; null when it is not known
   */
  static List<Finding> compare(
      AnsweredCall call, ReceiptCall entry, @Nullable CanonicalJson canonical) {
    CallComparison comparison = new CallComparison(call, canonical);
    comparison.compare(entry);
    return comparison.findings;
  }

  private void compare(ReceiptCall entry) {
    String tool = entry.tool() == null ? null : AnsweredCall.bounded(entry.tool());
    inCall(FindingCode.RECEIPT_TOOL_MISMATCH, "tool", call.call().tool(), tool);
    inCall(
        FindingCode.RECEIPT_PARAMS_MISMATCH,
        "params_hash",
        call.call().paramsHash(),
        entry.paramsHash());
    if (!Objects.equals(call.outputHash(), entry.outputHash())) {
      inResult(
          FindingCode.RECEIPT_OUTPUT_MISMATCH,
          "output_hash",
          call.outputHash(),
          entry.outputHash());
    }
    Double utility = call.result().stepUtility();
    if (utility != null && !FieldComparison.sameFloat(utility, entry.stepUtility())) {
      field("step_utility", utility, entry.stepUtility());
    }
    Long latency = call.result().latencyMillis();
    if (differ(latency, entry.latencyMillis())) {
      field("latency_ms", latency, entry.latencyMillis());
    }
    Boolean ok = call.result().outcome().ok();
    if (ok != null
        && entry.extra().get("ok") instanceof JsonBoolean stated
        && stated.value() != ok) {
      field("ok", ok, stated.value());
    }
    if (call.statesSideEffects() && !sameValues(call.result().sideEffects(), entry.sideEffects())) {
      field("side_effects", call.result().sideEffects(), entry.sideEffects());
    }
  }

  /** Whether they are equal in the form of the log, however their numbers are spelled. */
  private boolean sameValues(List<SideEffect> left, List<SideEffect> right) {
    return left.equals(right) || hash(left).equals(hash(right));
  }

  private ContentHash hash(List<SideEffect> effects) {
    return Hashes.comparable(
        JsonArray.copyOf(effects.stream().map(SideEffect::json).toList()), canonical);
  }

  private void inCall(
      FindingCode code, String field, @Nullable Object inLog, @Nullable Object inReceipt) {
    if (!Objects.equals(inLog, inReceipt)) {
      findings.add(new Finding(
          code, call.call().at(), FieldComparison.describe(name, field, inLog, inReceipt)));
    }
  }

  private void field(String field, @Nullable Object inLog, @Nullable Object inReceipt) {
    inResult(FindingCode.RECEIPT_FIELD_MISMATCH, field, inLog, inReceipt);
  }

  private void inResult(
      FindingCode code, String field, @Nullable Object inLog, @Nullable Object inReceipt) {
    findings.add(new Finding(
        code, call.resultAt(), FieldComparison.describe(name, field, inLog, inReceipt)));
  }

  private static boolean differ(@Nullable Object inLog, @Nullable Object inReceipt) {
    return inLog != null && inReceipt != null && !inLog.equals(inReceipt);
  }
}
