package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.ARRAY;
import static dev.agentreplay.canonical.dialect.FieldType.BARE_HASH;
import static dev.agentreplay.canonical.dialect.FieldType.BOOLEAN;
import static dev.agentreplay.canonical.dialect.FieldType.HASH;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.OBJECT;
import static dev.agentreplay.canonical.dialect.FieldType.SIDE_EFFECTS;
import static dev.agentreplay.canonical.dialect.FieldType.SIGNATURE;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;
import static dev.agentreplay.canonical.dialect.FieldType.TIME;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt.Metrics;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The receipt {@code openagents.receipt.v1} of specification 001. */
final class TrajectoryReceiptTables {

  private static final Table<Receipt.Call> CALL = Table.of(TrajectoryReceiptTables::call);

  private static final Table<Metrics> METRICS = Table.of(TrajectoryReceiptTables::metrics);

  static final Table<TrajectoryReceipt> RECEIPT = Table.of(TrajectoryReceiptTables::receipt);

  private TrajectoryReceiptTables() {}

  private static Function<Members, Receipt.Call> call(Layout<Receipt.Call> t) {
    var tool = t.required("tool", STRING, Receipt.Call::tool);
    var params = t.required(Names.PARAMS_HASH, HASH, Receipt.Call::paramsHash);
    var output = t.required(Names.OUTPUT_HASH, HASH, Receipt.Call::outputHash);
    var latency =
        t.required(Names.LATENCY_MS, LONG, Receipt.Call::latencyMillis).orNull().unsigned();
    var sideEffects = t.required(
            Names.SIDE_EFFECTS, SIDE_EFFECTS, call -> FieldType.unlessEmpty(call.sideEffects()))
        .orElse(call -> List.of());
    return m -> new Receipt.Call(
        null,
        m.get(tool),
        m.get(params),
        m.get(output),
        null,
        m.get(latency),
        m.getOr(sideEffects, List.of()),
        m.leftOver());
  }

  private static Function<Members, Metrics> metrics(Layout<Metrics> t) {
    var calls = t.nullable(Names.TOOL_CALLS, LONG, Metrics::toolCalls);
    var latency = t.nullable("tool_latency_ms_total", LONG, Metrics::toolLatencyMillis);
    var passed = t.nullable("verification_passed", BOOLEAN, Metrics::verificationPassed);
    var payments = t.nullable("payments_msats_total", LONG, Metrics::paymentsMsats);
    return m -> new Metrics(m.get(calls), m.get(latency), m.get(passed), m.get(payments));
  }

  private static Function<Members, TrajectoryReceipt> receipt(Layout<TrajectoryReceipt> t) {
    t.required("schema", STRING, r -> TrajectoryReceipt.SCHEMA);
    var session = t.required(Names.SESSION_ID, STRING, TrajectoryReceipt::sessionId);
    var trajectory = t.required(Names.TRAJECTORY_HASH, HASH, TrajectoryReceipt::trajectoryHash);
    var policy = t.required(Names.POLICY_BUNDLE_ID, STRING, TrajectoryReceipt::policyBundleId);
    var digest = t.optional(Names.CANONICAL_JSON_SHA256, BARE_HASH, TrajectoryReceipt::digest);
    var created = t.optional(Names.CREATED_AT, TIME, TrajectoryReceipt::createdAt);
    var repo = t.optional("repo", OBJECT, TrajectoryReceipt::repo);
    var events = t.optional(Names.EVENT_COUNT, LONG, TrajectoryReceipt::eventCount);
    var first = t.optional(Names.FIRST_SEQ, LONG, TrajectoryReceipt::firstSeq);
    var last = t.optional(Names.LAST_SEQ, LONG, TrajectoryReceipt::lastSeq);
    var metrics = t.optional("metrics", OBJECT, TrajectoryReceiptTables::metrics);
    var calls =
        t.optional(Names.TOOL_CALLS, ARRAY, r -> ReceiptCodec.writeCalls(r.toolCalls(), CALL));
    var verifications = t.optional("verification", ARRAY, TrajectoryReceipt::verifications);
    var payments = t.optional("payments", ARRAY, TrajectoryReceipt::payments);
    TreeRows<TrajectoryReceipt> tree = TreeRows.add(t);
    var signature = t.optional("signature", SIGNATURE, TrajectoryReceipt::signature);
    return m -> new TrajectoryReceipt(
        m.get(session),
        m.get(trajectory),
        m.get(policy),
        m.get(digest),
        m.get(created),
        m.get(repo),
        m.get(events),
        m.get(first),
        m.get(last),
        ReceiptCodec.readObject(m, metrics, METRICS),
        ReceiptCodec.readCalls(m, calls, CALL),
        m.get(verifications),
        m.get(payments),
        tree.read(m),
        m.get(signature),
        m.leftOver());
  }

  private static @Nullable JsonObject metrics(TrajectoryReceipt receipt) {
    return ReceiptCodec.writeObject(receipt.metrics(), METRICS, "metrics", receipt);
  }
}
