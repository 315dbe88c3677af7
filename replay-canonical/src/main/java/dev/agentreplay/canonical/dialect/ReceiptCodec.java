package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.ReceiptCall;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receipts to JSON and back. Members keep the order of the specifications, as people read it. */
public final class ReceiptCodec {

  private static final String[] NOT_DIGESTED = {"canonical_json_sha256", "signature"};

  private ReceiptCodec() {}

  /** What an object says, or null when it is not a receipt of a known form. */
  public static @Nullable DecodedReceipt decode(JsonObject object) {
    JsonValue schema = object.get("schema");
    if (schema instanceof JsonString text && text.value().equals(TrajectoryReceipt.SCHEMA)) {
      return read(object, TrajectoryReceiptTables.RECEIPT);
    }
    if (schema == null && object.has("session_id") && !object.has("schema_version")) {
      return read(object, SessionReceiptTables.RECEIPT);
    }
    return null;
  }

  /**
   * The JSON form of a receipt. The digest of a {@link TrajectoryReceipt} that has none is computed
   * with {@link CanonicalJson#SERDE}; one that it has is written as it is.
   *
   * @throws IllegalArgumentException if an additional member has the name of a known one
   */
  public static JsonObject encode(Receipt receipt) {
    if (receipt instanceof SessionReceipt session) {
      return write(session, SessionReceiptTables.RECEIPT, session.extra());
    }
    TrajectoryReceipt trajectory = (TrajectoryReceipt) receipt;
    JsonObject object = write(trajectory, TrajectoryReceiptTables.RECEIPT, trajectory.extra());
    return trajectory.digest() == null && !trajectory.extra().has(NOT_DIGESTED[0])
        ? object.with(NOT_DIGESTED[0], digest(object).hex())
        : object;
  }

  /** The digest of a receipt's JSON form, made with {@link CanonicalJson#SERDE}. */
  public static ContentHash digest(JsonObject receipt) {
    return digest(receipt, CanonicalJson.SERDE);
  }

  /**
   * The digest of a receipt's JSON form.
   *
   * @param canonical that of the log
   * @throws IllegalArgumentException if it would round an integer
   */
  public static ContentHash digest(JsonObject receipt, CanonicalJson canonical) {
    return canonical.hash(digested(receipt));
  }

  /**
   * What the digest of a receipt's JSON form is made of: all its members, also those that are not
   * known, but {@code canonical_json_sha256} and {@code signature}.
   */
  public static JsonObject digested(JsonObject receipt) {
    return receipt.without(NOT_DIGESTED);
  }

  private static <R extends Receipt> DecodedReceipt read(JsonObject object, Table<R> table) {
    Members members = table.read(object);
    R receipt = table.build(members);
    return new DecodedReceipt(receipt, members.findings());
  }

  /** The elements of an array that are objects; null when one is not. */
  static @Nullable List<ReceiptCall> readCalls(
      Members m, Row<?, JsonArray> row, Table<ReceiptCall> table) {
    JsonArray array = m.get(row);
    if (array == null) {
      return null;
    }
    List<ReceiptCall> calls = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      if (!(array.get(i) instanceof JsonObject element)) {
        return null;
      }
      Members call = table.read(element);
      calls.add(table.build(call));
      for (Finding finding : call.findings()) {
        m.report(finding.code(), row.name + "[" + i + "]: " + finding.message());
      }
    }
    return calls;
  }

  /** The calls as JSON; null when none are listed. */
  static @Nullable JsonArray writeCalls(
      @Nullable List<ReceiptCall> calls, Table<ReceiptCall> table) {
    return calls == null
        ? null
        : JsonArray.copyOf(calls.stream().map(c -> write(c, table, c.extra())).toList());
  }

  /** Members in the order of the table, then the additional ones. */
  static <E> JsonObject write(E source, Table<E> table, JsonObject extra) {
    JsonObject.Builder builder = JsonObject.builder();
    for (Row<E, ?> row : table.rows()) {
      JsonValue given = row.given(source);
      JsonValue value = given != null ? given : row.fallback(source);
      if (value != null && !(given == null && extra.has(row.name))) {
        builder.add(row.name, value);
      } else if (row.presence != Presence.OPTIONAL && !extra.has(row.name)) {
        builder.add(row.name, JsonNull.NULL);
      }
    }
    extra.forEach(builder::add);
    return builder.build();
  }
}
