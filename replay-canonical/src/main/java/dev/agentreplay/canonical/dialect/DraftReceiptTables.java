package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.ARRAY;
import static dev.agentreplay.canonical.dialect.FieldType.HASH;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.OBJECT;
import static dev.agentreplay.canonical.dialect.FieldType.SIGNATURE;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;
import static dev.agentreplay.canonical.dialect.FieldType.TIME;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.DraftReceipt;
import dev.agentreplay.model.receipt.DraftReceipt.Checks;
import dev.agentreplay.model.receipt.Receipt;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The receipt of specification 002. Its calls have the form of specification 000. */
final class DraftReceiptTables {

  private static final Table<Checks> CHECKS = Table.of(DraftReceiptTables::checks);

  static final Table<DraftReceipt> RECEIPT = Table.of(DraftReceiptTables::receipt);

  private DraftReceiptTables() {}

  private static Function<Members, Checks> checks(Layout<Checks> t) {
    var before = t.nullable(Names.TESTS_BEFORE, LONG, Checks::testsBefore);
    var after = t.nullable(Names.TESTS_AFTER, LONG, Checks::testsAfter);
    var delta = t.nullable(Names.VERIFICATION_DELTA, LONG, Checks::verificationDelta);
    var ci = t.nullable(Names.CI_STATUS, STRING, Checks::ciStatus);
    return m -> new Checks(m.get(before), m.get(after), m.get(delta), m.get(ci));
  }

  private static Function<Members, DraftReceipt> receipt(Layout<DraftReceipt> t) {
    var version = t.required(Names.SCHEMA_VERSION, STRING, DraftReceipt::schemaVersion);
    var session = t.optional(Names.SESSION_ID, STRING, DraftReceipt::sessionId);
    var policy = t.optional(Names.POLICY_BUNDLE_ID, STRING, DraftReceipt::policyBundleId);
    var started = t.required(Names.STARTED_AT, TIME, DraftReceipt::startedAt).orNull();
    var ended = t.required(Names.ENDED_AT, TIME, DraftReceipt::endedAt).orNull();
    var verification = t.required("verification", OBJECT, DraftReceiptTables::verification);
    var costs = t.required(
            "costs", OBJECT, receipt -> receipt.costs().isEmpty() ? null : receipt.costs())
        .orElse(receipt -> JsonObject.EMPTY);
    var calls = t.required(
            Names.TOOL_CALLS,
            ARRAY,
            receipt -> ReceiptCodec.writeCalls(
                FieldType.unlessEmpty(receipt.toolCalls()), SessionReceiptTables.CALL))
        .orElse(receipt -> JsonArray.EMPTY);
    var replayHash = t.required(Names.REPLAY_HASH, HASH, DraftReceipt::replayHash);
    TreeRows<DraftReceipt> tree = TreeRows.add(t);
    var signature = t.optional("signature", SIGNATURE, DraftReceipt::signature);
    return m -> {
      List<Receipt.Call> answered = ReceiptCodec.readCalls(m, calls, SessionReceiptTables.CALL);
      return new DraftReceipt(
          m.getOr(version, DraftReceipt.SCHEMA_VERSION),
          m.get(session),
          m.get(policy),
          m.get(started),
          m.get(ended),
          ReceiptCodec.readObject(m, verification, CHECKS),
          m.getOr(costs, JsonObject.EMPTY),
          answered == null ? List.of() : answered,
          m.get(replayHash),
          tree.read(m),
          m.get(signature),
          m.leftOver());
    };
  }

  private static @Nullable JsonObject verification(DraftReceipt receipt) {
    return ReceiptCodec.writeObject(receipt.verification(), CHECKS, "verification", receipt);
  }
}
