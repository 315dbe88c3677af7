package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.DraftReceipt;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Receipts to JSON and back. Members keep the order of the specifications, as people read it. */
public final class ReceiptCodec {

  private static final String SCHEMA = "schema";
  private static final Pattern DRAFT_VERSION = Pattern.compile("1\\.\\d+\\.\\d+");
  private static final String[] NOT_DIGESTED = {Names.CANONICAL_JSON_SHA256, "signature"};

  private static final ContentHash PLACEHOLDER = ContentHash.sha256(new byte[0]);

  private ReceiptCodec() {}

  /** What an object says, or null when it is not a receipt of a known form. */
  public static @Nullable DecodedReceipt decode(JsonObject object) {
    if (fault(object) != null) {
      return null;
    }
    if (object.has(SCHEMA)) {
      return read(object, TrajectoryReceiptTables.RECEIPT);
    }
    return object.has(Names.SCHEMA_VERSION)
        ? read(object, DraftReceiptTables.RECEIPT)
        : read(object, SessionReceiptTables.RECEIPT);
  }

  /** Why an object is not a receipt of a known form, or null when it is one. */
  public static @Nullable String fault(JsonObject object) {
    JsonValue schema = object.get(SCHEMA);
    if (schema != null) {
      return schema instanceof JsonString text && text.value().equals(TrajectoryReceipt.SCHEMA)
          ? null
          : "schema must be \"%s\", found %s"
              .formatted(TrajectoryReceipt.SCHEMA, Excerpt.of(schema.toString()));
    }
    JsonValue version = object.get(Names.SCHEMA_VERSION);
    if (version != null) {
      return version instanceof JsonString text
              && DRAFT_VERSION.matcher(text.value()).matches()
          ? null
          : "schema_version must be \"%s\" or a later minor version, found %s"
              .formatted(DraftReceipt.SCHEMA_VERSION, Excerpt.of(version.toString()));
    }
    return object.has(Names.SESSION_ID)
        ? null
        : "expected a schema, a schema_version or a session_id, found none of them";
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
    if (receipt instanceof DraftReceipt draft) {
      return write(draft, DraftReceiptTables.RECEIPT, draft.extra());
    }
    TrajectoryReceipt trajectory = (TrajectoryReceipt) receipt;
    if (trajectory.digest() != null || trajectory.extra().has(NOT_DIGESTED[0])) {
      return write(trajectory, TrajectoryReceiptTables.RECEIPT, trajectory.extra());
    }
    // written with another digest first, so that the member stands in its place
    TrajectoryReceipt placed = trajectory.withDigest(PLACEHOLDER);
    JsonObject object = write(placed, TrajectoryReceiptTables.RECEIPT, placed.extra());
    return object.with(NOT_DIGESTED[0], digest(object).hex());
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

  /** The calls of an array; null when there is none, or one that does not hold objects only. */
  static @Nullable List<Receipt.Call> readCalls(
      Members m, Row<?, JsonArray> row, Table<Receipt.Call> table) {
    JsonArray array = m.get(row);
    if (array == null) {
      return null;
    }
    List<Receipt.Call> calls = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      if (!(array.get(i) instanceof JsonObject element)) {
        m.report(FindingCode.FIELD_INVALID, row.name, row.name + " must be an array of objects");
        m.keep(row);
        return null;
      }
      Members read = table.read(element);
      Receipt.Call call = table.build(read);
      calls.add(call);
      m.reportIn(row, "[" + i + "]", read.findings(), call.id());
    }
    return calls;
  }

  /**
   * What an object in a receipt says; null when there is none. One that says more, or something
   * else, than can be written again is left over as well.
   */
  static <T> @Nullable T readObject(Members m, Row<?, JsonObject> row, Table<T> table) {
    JsonObject stated = m.get(row);
    if (stated == null) {
      return null;
    }
    Members read = table.read(stated);
    T part = table.build(read);
    if (!write(part, table, JsonObject.EMPTY).equals(stated)) {
      m.keep(row);
    }
    m.reportIn(row, "", read.findings(), null);
    return part;
  }

  /** The object that a part of a receipt is, unless it is left over. */
  static <T> @Nullable JsonObject writeObject(
      @Nullable T part, Table<T> table, String name, Receipt receipt) {
    return part == null || receipt.extra().has(name) ? null : write(part, table, JsonObject.EMPTY);
  }

  /** The calls as JSON; null when none are listed. */
  static @Nullable JsonArray writeCalls(
      @Nullable List<Receipt.Call> calls, Table<Receipt.Call> table) {
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

  /**
   * What a receipt says.
   *
   * @param receipt the receipt
   * @param findings what is wrong with it: FIELD_MISSING, FIELD_INVALID, without position
   */
  public record DecodedReceipt(Receipt receipt, List<Finding> findings) {

    /** Checks for null and copies. */
    public DecodedReceipt {
      Objects.requireNonNull(receipt, "receipt");
      findings = List.copyOf(findings);
    }
  }
}
