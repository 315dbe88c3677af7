package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of the source, such as a line or a step: an object, with an account of its members. A
 * reader states for each member that it uses what became of it ({@link #move}, {@link #derive},
 * {@link #drop}); the {@link #rest} is kept with the first event that is written for the record.
 *
 * <p>A path names members of nested objects, not elements of arrays: an array is used as a whole,
 * or its elements become records of their own ({@link #split}). Not safe for use by several
 * threads.
 */
public final class SourceRecord {

  /** The note on a value that is in the result in another form only. */
  public static final String OTHER_FORM = "in this form only";

  private static final int MAX_TYPE_LENGTH = 60;

  private final JsonObject json;
  private final String type;
  private final SourcePlace place;
  private final ContentHash hash;
  private final LedgerBuilder ledger;
  private final MemberNode members;
  private final TakenMembers taken = new TakenMembers();
  private boolean isWritten;

  private SourceRecord(
      JsonObject json, String type, SourcePlace place, ContentHash hash, LedgerBuilder ledger) {
    this.json = json;
    this.type = type;
    this.place = place;
    this.hash = hash;
    this.ledger = ledger;
    this.members = ledger.type(type);
    ledger.addRecord(type);
  }

  /**
   * Creates a record.
   *
   * @param type the type of the record in the words of its format, such as {@code assistant}
   * @param hash the hash of its bytes in the source
   */
  public static SourceRecord of(
      JsonObject json, String type, SourcePlace place, ContentHash hash, LedgerBuilder ledger) {
    String shown = PlainText.of(type);
    return new SourceRecord(
        json,
        shown.length() > MAX_TYPE_LENGTH ? shown.substring(0, MAX_TYPE_LENGTH) : shown,
        place,
        hash,
        ledger);
  }

  /** The whole record, whatever was moved or dropped. */
  public JsonObject json() {
    return json;
  }

  /** The type of the record in the words of its format. */
  public String type() {
    return type;
  }

  /** The place of the record in the source. */
  public SourcePlace place() {
    return place;
  }

  /** The hash of the bytes of the record: of its line, or of the canonical JSON of its value. */
  public ContentHash hash() {
    return hash;
  }

  /** States that the reader does not know this type of records. */
  public void unknown() {
    ledger.addUnknown(type);
  }

  /** Returns the value at a path; null if it is missing. */
  public @Nullable JsonValue get(String... path) {
    JsonValue value = json;
    for (String name : path) {
      value = value instanceof JsonObject object ? object.get(name) : null;
    }
    return value;
  }

  /** Returns the text at a path; null if it is missing or not a string. */
  public @Nullable String text(String... path) {
    return get(path) instanceof JsonString text ? text.value() : null;
  }

  /** Returns the object at a path; empty if it is missing or not an object. */
  public JsonObject object(String... path) {
    return get(path) instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  /** Returns the array at a path; empty if it is missing or not an array. */
  public JsonArray array(String... path) {
    return get(path) instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  /** Whether the value at a path is true. */
  public boolean isTrue(String... path) {
    return get(path) instanceof JsonBoolean bool && bool.value();
  }

  /** Returns the integer at a path; null if it is missing or not a 64-bit integer. */
  public @Nullable Long integer(String... path) {
    try {
      return get(path) instanceof JsonNumber number ? number.asLong() : null;
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
  }

  /** Returns the count at a path; null if it is missing, negative or not a 64-bit integer. */
  public @Nullable Long count(String... path) {
    Long count = integer(path);
    return count == null || count < 0 ? null : count;
  }

  /**
   * States that the value at a path, if it exists, is now at a place of the result, and is
   * therefore not kept a second time.
   *
   * @param to the place in the result, such as {@code ToolCall/params}
   * @return the value; null if it is missing
   */
  public @Nullable JsonValue move(String to, String... path) {
    return take(Action.MOVED, to, null, path);
  }

  /**
   * States that the value at a path, if it exists, is not in the result.
   *
   * @param reason the reason, such as "the same value is in /usage"
   */
  public void drop(String reason, String... path) {
    take(Action.DROPPED, null, reason, path);
  }

  /**
   * States that a value of the result was computed from the value at a path, if it exists, which is
   * kept as well unless it is also moved or dropped.
   *
   * @param to the place in the result, such as {@code ModelResult/tokens_in}
   */
  public void derive(String to, String... path) {
    if (get(path) != null) {
      node(path).add(Action.DERIVED, to, null);
    }
  }

  /**
   * States that the value at a path, if it exists, is in the result in another form only.
   *
   * @param to the place in the result, such as {@code gen_ai.input.messages}
   * @return the value; null if it is missing
   */
  public @Nullable JsonValue transform(String to, String... path) {
    return take(Action.DERIVED, to, OTHER_FORM, path);
  }

  /**
   * States that this record, as it was created, states values of the source in a different form,
   * such as a list of named values as an object. They are not members of the record.
   *
   * @param to the form that the record has them in
   * @param path the path to the values in the source, with {@code *} for elements of arrays
   */
  public void restate(String to, String... path) {
    node(path).add(Action.DERIVED, to, OTHER_FORM);
  }

  /**
   * States that the result requires a value that the record does not have.
   *
   * @param to the place in the result
   * @param note the value, or how it is chosen
   */
  public void generate(String to, String note) {
    members.add(Action.GENERATED, to, note);
  }

  /** States that the whole record is not in the result, as because it is repeated. */
  public void dropAll(String reason) {
    members.add(Action.DROPPED, null, reason);
    isWritten = true;
  }

  /**
   * Takes the elements of the array at a path as records of their own, if all are objects; an empty
   * list if the value is not such an array.
   *
   * @param elementType the type of the elements in the words of the format
   */
  public List<SourceRecord> split(String elementType, String... path) {
    if (!(get(path) instanceof JsonArray array) || array.size() == 0) {
      return List.of();
    }
    for (JsonValue element : array) {
      if (!(element instanceof JsonObject)) {
        return List.of();
      }
    }
    List<SourceRecord> records = new ArrayList<>(array.size());
    JsonPointer pointer = new JsonPointer(List.of(path));
    for (int i = 0; i < array.size(); i++) {
      JsonObject element = array.get(i).asObject();
      records.add(of(
          element,
          elementType,
          place.child(pointer.append(i)),
          CanonicalJson.SERDE.hash(element),
          ledger));
    }
    taken.add(path);
    return records;
  }

  /**
   * Takes the object at a path as a record of its own; null if the value is not an object.
   *
   * @param elementType the type of the record in the words of the format
   */
  public @Nullable SourceRecord child(String elementType, String... path) {
    if (!(get(path) instanceof JsonObject object)) {
      return null;
    }
    JsonPointer pointer = new JsonPointer(List.of(path));
    taken.add(path);
    return of(object, elementType, place.child(pointer), CanonicalJson.SERDE.hash(object), ledger);
  }

  /** The members that were not moved or dropped. */
  public JsonObject rest() {
    return taken.rest(json);
  }

  /** Whether the rest was written with an event, or the record was dropped. */
  public boolean isWritten() {
    return isWritten;
  }

  /** Counts the rest as kept, and marks the record as written. */
  public void written() {
    if (!isWritten) {
      JsonObject rest = rest();
      if (!rest.isEmpty()) {
        members.keep(rest);
      }
    }
    isWritten = true;
  }

  private @Nullable JsonValue take(
      Action action, @Nullable String to, @Nullable String note, String... path) {
    JsonValue value = get(path);
    if (value != null && taken.add(path)) {
      node(path).add(action, to, note);
    }
    return value;
  }

  private MemberNode node(String... path) {
    MemberNode node = members;
    for (String name : path) {
      node = node.child(name);
    }
    return node;
  }
}
