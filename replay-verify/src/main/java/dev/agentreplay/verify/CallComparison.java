package dev.agentreplay.verify;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.input.AnsweredCall;
import dev.agentreplay.verify.input.HashHints;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares answered calls with their entries in the receipt. Keeps the parameters of the last calls
 * to explain hash mismatches.
 */
final class CallComparison {

  private static final int REMEMBERED = 16;
  private static final int MAX_REMEMBERED_BYTES = 1 << 16;

  private record Value(JsonValue value, int length) {}

  private final LogCanonicalization canonicalization;
  private final HashHints hints;
  private final Map<Position, Value> lastParams = new LinkedHashMap<>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<Position, Value> eldest) {
      return size() > REMEMBERED;
    }
  };

  CallComparison(LogCanonicalization canonicalization, HashHints hints) {
    this.canonicalization = canonicalization;
    this.hints = hints;
  }

  /** Accepts a line of the log, before the call in it is answered. */
  void accept(ReplayLine line) {
    if (line.event() instanceof ToolCall call
        && call.params().value() != null
        && line.length() <= MAX_REMEMBERED_BYTES) {
      lastParams.put(line.position(), new Value(call.params().value(), line.length()));
    }
  }

  /** Returns the differences between a call and its entry. */
  List<Finding> compare(AnsweredCall call, Receipt.Call stated) {
    Differences differences = new Differences(call);
    Receipt.Call made = call.entry();
    String tool = stated.tool() == null ? null : AnsweredCall.bounded(stated.tool());
    if (!Objects.equals(made.tool(), tool)) {
      differences.add(
          FindingCode.RECEIPT_TOOL_MISMATCH, call.call().at(), "tool", made.tool(), tool, null);
    }
    if (!Objects.equals(made.paramsHash(), stated.paramsHash())) {
      differences.add(
          FindingCode.RECEIPT_PARAMS_MISMATCH,
          call.call().at(),
          Names.PARAMS_HASH,
          made.paramsHash(),
          stated.paramsHash(),
          explain(lastParams.get(call.call().at()), stated.paramsHash()));
    }
    if (!Objects.equals(made.outputHash(), stated.outputHash())) {
      JsonValue output = call.result().output().value();
      differences.add(
          FindingCode.RECEIPT_OUTPUT_MISMATCH,
          call.resultAt(),
          Names.OUTPUT_HASH,
          made.outputHash(),
          stated.outputHash(),
          explain(
              output == null ? null : new Value(output, call.line().length()),
              stated.outputHash()));
    }
    Double utility = made.stepUtility();
    if (utility != null && !FieldComparison.sameFloat(utility, stated.stepUtility())) {
      differences.addField(Names.STEP_UTILITY, utility, stated.stepUtility());
    }
    Long latency = made.latencyMillis();
    if (latency != null
        && stated.latencyMillis() != null
        && !latency.equals(stated.latencyMillis())) {
      differences.addField(Names.LATENCY_MS, latency, stated.latencyMillis());
    }
    if (made.extra().get("ok") instanceof JsonBoolean ok
        && stated.extra().get("ok") instanceof JsonBoolean inReceipt
        && !ok.equals(inReceipt)) {
      differences.addField("ok", ok, inReceipt);
    }
    if (call.statesSideEffects()) {
      JsonArray inLog = json(made.sideEffects());
      JsonArray inReceipt = json(stated.sideEffects());
      if (!FieldComparison.sameValue(inLog, inReceipt, canonicalization.get())) {
        differences.addField(Names.SIDE_EFFECTS, inLog, inReceipt);
      }
    }
    return differences.findings;
  }

  private @Nullable String explain(@Nullable Value inLog, @Nullable ContentHash stated) {
    return inLog == null || stated == null
        ? null
        : hints.explain(inLog.value(), stated, inLog.length());
  }

  private static JsonArray json(List<SideEffect> effects) {
    return JsonArray.copyOf(effects.stream().map(SideEffect::json).toList());
  }

  /** The findings about one call. */
  private static final class Differences {
    private final AnsweredCall call;
    private final List<Finding> findings = new ArrayList<>(0);

    Differences(AnsweredCall call) {
      this.call = call;
    }

    void addField(String field, Object inLog, @Nullable Object inReceipt) {
      add(FindingCode.RECEIPT_FIELD_MISMATCH, call.resultAt(), field, inLog, inReceipt, null);
    }

    void add(
        FindingCode code,
        Position at,
        String field,
        @Nullable Object inLog,
        @Nullable Object inReceipt,
        @Nullable String hint) {
      String id = call.call().id();
      findings.add(FieldComparison.finding(
              code, at, "call \"" + Excerpt.of(id) + "\"", field, inLog, inReceipt)
          .withId(id)
          .withHint(hint));
    }
  }
}
