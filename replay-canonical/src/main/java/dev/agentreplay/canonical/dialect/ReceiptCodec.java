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

/**
 * Converts receipts to JSON and back. Members are written in the order of the specifications, for
 * readability. Safe for use by several threads.
 */
public final class ReceiptCodec {

  private static final String SCHEMA = "schema";
  private static final Pattern DRAFT_VERSION = Pattern.compile("1\\.\\d+\\.\\d+");
  private static final String[] NOT_DIGESTED = {Names.CANONICAL_JSON_SHA256, "signature"};

  private static final ContentHash PLACEHOLDER = ContentHash.sha256(new byte[0]);

  private ReceiptCodec() {}

  /** Decodes a receipt; null if the object is not a receipt of a known form. */
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

  /** The reason why an object is not a receipt of a known form; null if it is one. */
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
   * Returns the JSON form of a receipt. A {@link TrajectoryReceipt} without a digest gets one,
   * computed with {@link CanonicalJson#SERDE}; an existing digest is written unchanged.
   *
   * @throws IllegalArgumentException if an extra member has the name of a known one
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
    // write a placeholder digest first, so that the member gets its position
    TrajectoryReceipt placed = trajectory.withDigest(PLACEHOLDER);
    JsonObject object = write(placed, TrajectoryReceiptTables.RECEIPT, placed.extra());
    return object.with(NOT_DIGESTED[0], digest(object).hex());
  }

  /** Returns the digest of a receipt's JSON form, computed with {@link CanonicalJson#SERDE}. */
  public static ContentHash digest(JsonObject receipt) {
    return digest(receipt, CanonicalJson.SERDE);
  }

  /**
   * Returns the digest of a receipt's JSON form.
   *
   * @param canonical the canonicalization of the log
   * @throws IllegalArgumentException if the canonicalization would round an integer
   */
  public static ContentHash digest(JsonObject receipt, CanonicalJson canonical) {
    return canonical.hash(digested(receipt));
  }

  /**
   * Returns the part of a receipt's JSON form that the digest covers: all members, known or not,
   * except {@code canonical_json_sha256} and {@code signature}.
   */
  public static JsonObject digested(JsonObject receipt) {
    return receipt.without(NOT_DIGESTED);
  }

  private static <R extends Receipt> DecodedReceipt read(JsonObject object, Table<R> table) {
    Members members = table.read(object);
    R receipt = table.build(members);
    return new DecodedReceipt(receipt, members.findings());
  }

  /** Reads the calls of an array; null if there is none, or if an element is not an object. */
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
   * Reads an object of a receipt; null if there is none. An object that cannot be written back
   * identically is also kept as an extra member.
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

  /** The JSON object of a part of a receipt; null if it is written as an extra member. */
  static <T> @Nullable JsonObject writeObject(
      @Nullable T part, Table<T> table, String name, Receipt receipt) {
    return part == null || receipt.extra().has(name) ? null : write(part, table, JsonObject.EMPTY);
  }

  /** The calls as JSON; null if the receipt does not list calls. */
  static @Nullable JsonArray writeCalls(
      @Nullable List<Receipt.Call> calls, Table<Receipt.Call> table) {
    return calls == null
        ? null
        : JsonArray.copyOf(calls.stream().map(c -> write(c, table, c.extra())).toList());
  }

  /** Writes the members in the order of the table, then the extra ones. */
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
   * The result of decoding a receipt. Immutable.
   *
   * @param receipt the receipt
   * @param findings the errors in the receipt: FIELD_MISSING, FIELD_INVALID, HASH_UNVERIFIABLE;
   *     without position
   */
  public record DecodedReceipt(Receipt receipt, List<Finding> findings) {

    /** Checks for null and copies the list. */
    public DecodedReceipt {
      Objects.requireNonNull(receipt, "receipt");
      findings = List.copyOf(findings);
    }
  }
}
