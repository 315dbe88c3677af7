package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.ARRAY;
import static dev.agentreplay.canonical.dialect.FieldType.DOUBLE;
import static dev.agentreplay.canonical.dialect.FieldType.HASH;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.OBJECT;
import static dev.agentreplay.canonical.dialect.FieldType.SIDE_EFFECTS;
import static dev.agentreplay.canonical.dialect.FieldType.SIGNATURE;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;
import static dev.agentreplay.canonical.dialect.FieldType.TIME;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The receipt of specification 000. */
final class SessionReceiptTables {

  static final Table<Receipt.Call> CALL = Table.of(SessionReceiptTables::call);

  static final Table<SessionReceipt> RECEIPT = Table.of(SessionReceiptTables::receipt);

  private SessionReceiptTables() {}

  private static Function<Members, Receipt.Call> call(Layout<Receipt.Call> t) {
    var id = t.required("id", STRING, Receipt.Call::id);
    var tool = t.required("tool", STRING, Receipt.Call::tool);
    var params = t.required(Names.PARAMS_HASH, HASH, Receipt.Call::paramsHash);
    var output = t.required(Names.OUTPUT_HASH, HASH, Receipt.Call::outputHash);
    var utility =
        t.required(Names.STEP_UTILITY, DOUBLE, Receipt.Call::stepUtility).orElse(call -> 0.0);
    var latency =
        t.required(Names.LATENCY_MS, LONG, Receipt.Call::latencyMillis).orNull().unsigned();
    var sideEffects = t.required(
            Names.SIDE_EFFECTS, SIDE_EFFECTS, call -> FieldType.unlessEmpty(call.sideEffects()))
        .orElse(call -> List.of());
    return m -> new Receipt.Call(
        m.get(id),
        m.get(tool),
        m.get(params),
        m.get(output),
        m.get(utility),
        m.get(latency),
        m.getOr(sideEffects, List.of()),
        m.leftOver());
  }

  private static Function<Members, SessionReceipt> receipt(Layout<SessionReceipt> t) {
    var session = t.required(Names.SESSION_ID, STRING, SessionReceipt::sessionId);
    var started = t.nullable(Names.STARTED_AT, TIME, SessionReceipt::startedAt);
    var completed = t.nullable("completed_at", TIME, SessionReceipt::completedAt);
    var issue = t.nullable(Names.ISSUE_NUMBER, LONG, SessionReceipt::issueNumber);
    var plan = t.nullable(
            Names.PLAN_HASH,
            STRING,
            r -> r.planHash() == null ? null : r.planHash().toString())
        .orElse(r -> "");
    var calls = t.required(
        Names.TOOL_CALLS,
        ARRAY,
        r -> ReceiptCodec.writeCalls(FieldType.unlessEmpty(r.toolCalls()), CALL));
    calls.orElse(r -> JsonArray.EMPTY);
    var verification = t.nullable("verification", OBJECT, SessionReceiptTables::verification);
    var confidence = t.nullable("final_confidence", DOUBLE, SessionReceipt::finalConfidence);
    var policy = t.nullable(Names.POLICY_BUNDLE_ID, STRING, SessionReceipt::policyBundleId);
    var signature = t.nullable("signature", SIGNATURE, SessionReceipt::signature);
    var replayHash = t.optional(Names.REPLAY_HASH, HASH, SessionReceipt::replayHash);
    TreeRows<SessionReceipt> tree = TreeRows.add(t);
    return m -> {
      ContentHash planHash = ContentHash.tryParseAnyForm(m.getOr(plan, ""));
      if (planHash == null && !m.getOr(plan, "").isEmpty()) {
        m.report(
            FindingCode.FIELD_INVALID,
            plan.name,
            "plan_hash must be " + HASH.expected() + ", or empty");
        m.keep(plan);
      }
      List<Receipt.Call> answered = ReceiptCodec.readCalls(m, calls, CALL);
      JsonObject checks = m.getOr(verification, JsonObject.EMPTY);
      List<CommandRun> commands = commands(checks);
      Long delta = delta(checks);
      if (commands == null) {
        m.report(
            FindingCode.FIELD_INVALID,
            verification.name,
            "verification must have as many commands as exit codes");
        m.keep(verification);
      } else if (m.get(verification) != null && !checks.equals(verification(commands, delta))) {
        m.keep(verification); // it contains more than its components represent
        if (delta == null && checks.has(Names.VERIFICATION_DELTA)) {
          m.report(
              FindingCode.FIELD_INVALID,
              Names.VERIFICATION_DELTA,
              "verification_delta must be " + LONG.expected());
        }
      }
      return new SessionReceipt(
          m.get(session),
          m.get(started),
          m.get(completed),
          m.get(issue),
          planHash,
          answered == null ? List.of() : answered,
          commands == null ? List.of() : commands,
          commands == null ? null : delta,
          m.get(confidence),
          m.get(policy),
          m.get(signature),
          m.get(replayHash),
          tree.read(m),
          m.leftOver());
    };
  }

  private static @Nullable Long delta(JsonObject verification) {
    JsonValue delta = verification.get(Names.VERIFICATION_DELTA);
    return delta == null ? null : LONG.read(delta);
  }

  /** The commands with their exit codes; null if the two are inconsistent. */
  private static @Nullable List<CommandRun> commands(JsonObject verification) {
    List<String> lines = list(FieldType.STRINGS, verification.get("commands_run"));
    List<Long> codes = list(FieldType.LONGS, verification.get(Names.EXIT_CODES));
    if (lines == null || codes == null || lines.size() != codes.size()) {
      return null;
    }
    List<CommandRun> runs = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (codes.get(i) != codes.get(i).intValue()) {
        return null;
      }
      runs.add(CommandRun.of(lines.get(i), codes.get(i).intValue()));
    }
    return runs;
  }

  private static <T> @Nullable List<T> list(FieldType<List<T>> type, @Nullable JsonValue value) {
    return value == null ? List.of() : type.read(value);
  }

  private static @Nullable JsonObject verification(SessionReceipt receipt) {
    if (receipt.extra().has("verification")) {
      return null;
    }
    return verification(receipt.commands(), receipt.verificationDelta());
  }

  private static JsonObject verification(List<CommandRun> commands, @Nullable Long delta) {
    return JsonObject.of(
        "commands_run",
        JsonArray.of(commands.stream().map(CommandRun::command).toArray()),
        Names.EXIT_CODES,
        JsonArray.of(commands.stream().map(CommandRun::exitCode).toArray()),
        Names.VERIFICATION_DELTA,
        delta == null ? 0L : delta);
  }
}
