package dev.agentreplay.publish.policy;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Counts what a publication removed, by event, place and reason. It contains no values and no names
 * of members that the policy does not state: a place has {@code *} in their stead, and for indexes.
 * Its size depends on the policy, not on the log. Not safe for use by several threads.
 */
public final class RemovalLedger {

  /** The reason of a removal that the policy decided. */
  public static final String POLICY = "policy";

  /** The reason of a removal that the format decides for every policy. */
  public static final String FORMAT = "format";

  /** The reason of the removal of a member whose name has a secret or a user. */
  public static final String NAME = "name";

  /** The kind of a removal. */
  public enum Kind {
    /** The value is withheld, and the name of the member is shown. */
    WITHHELD,
    /** The value and the name of the member are withheld. */
    HIDDEN,
    /** The value is withheld, and a placeholder is shown, because the member is required. */
    PLACEHOLDER,
    /** A part of a text, or an id, a time or a hash is replaced. */
    REPLACED;

    /** The word in the JSON form. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The number of removals of one kind.
   *
   * @param event the type of the event; {@code *} for an unknown event
   * @param pointer the JSON Pointer of the place, with {@code *} for names and indexes
   * @param kind the kind of the removal
   * @param reason {@link #POLICY}, {@link #FORMAT}, {@link #NAME}, or the id of a rule
   * @param count the number of values, from 1
   */
  public record Entry(String event, String pointer, Kind kind, String reason, long count) {

    /** Checks for null. */
    public Entry {
      Objects.requireNonNull(event, "event");
      Objects.requireNonNull(pointer, "pointer");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(reason, "reason");
    }
  }

  private record Key(String event, String pointer, Kind kind, String reason) {}

  private final String policy;
  private final Map<Key, long[]> counts = new HashMap<>();
  private final Map<Kind, long[]> totals = new EnumMap<>(Kind.class);
  private long lines;
  private long shown;

  RemovalLedger(PublicationPolicy policy) {
    this.policy = policy.id();
    for (Kind kind : Kind.values()) {
      totals.put(kind, new long[1]);
    }
  }

  void line() {
    lines++;
  }

  void shown() {
    shown++;
  }

  void add(String event, String pointer, Kind kind, String reason) {
    counts.computeIfAbsent(new Key(event, pointer, kind, reason), key -> new long[1])[0]++;
    Objects.requireNonNull(totals.get(kind))[0]++;
  }

  /** The number of lines. */
  public long lines() {
    return lines;
  }

  /** The number of members of lines that are shown unchanged. */
  public long shownMembers() {
    return shown;
  }

  /**
   * The number of removals of a kind. A text in which several rules replaced parts counts once for
   * each of them.
   */
  public long count(Kind kind) {
    return Objects.requireNonNull(totals.get(kind))[0];
  }

  /** The entries, sorted by event, place, kind and reason. */
  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    counts.forEach((key, count) ->
        entries.add(new Entry(key.event, key.pointer, key.kind, key.reason, count[0])));
    entries.sort(Comparator.comparing(Entry::event)
        .thenComparing(Entry::pointer)
        .thenComparing(Entry::kind)
        .thenComparing(Entry::reason));
    return entries;
  }

  /**
   * The ledger as JSON: {@code policy}, {@code lines}, {@code shown}, a total for each kind, and
   * {@code entries}.
   */
  public JsonObject toJson() {
    List<JsonObject> entries = new ArrayList<>();
    for (Entry entry : entries()) {
      entries.add(JsonObject.of(
          "count", entry.count,
          "event", entry.event,
          "kind", entry.kind.id(),
          "pointer", entry.pointer,
          "reason", entry.reason));
    }
    JsonObject.Builder json =
        JsonObject.builder().put("policy", policy).put("lines", lines).put("shown", shown);
    for (Kind kind : Kind.values()) {
      json.put(kind.id(), count(kind));
    }
    return json.add("entries", JsonArray.copyOf(entries)).build();
  }

  @Override
  public String toString() {
    return toJson().toString();
  }
}
