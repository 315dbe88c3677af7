package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record of the changes that a conversion made to the members of events. It has an entry for
 * every member of the result that differs from the source in name or value, and for every member of
 * the source that is not in the result. The entries combine the steps that a
 * {@link DialectConverter} reports with the differences found by comparing source and result.
 * Obtained from {@link DialectConverter#ledger()}. Not safe for use by several threads.
 */
public final class ConversionLedger {

  /** The change that a conversion made to a member. */
  public enum Action {
    /** The member is not in the result. */
    DROPPED,
    /** The value is a default: the result requires the member, and the source does not state it. */
    INVENTED,
    /**
     * The result requires the member; the source does not state it, and there is no default value.
     */
    MISSING,
    /** The member is in the result but violates the specification of the result's dialect. */
    INVALID,
    /** The value was computed from other members. */
    COMPUTED,
    /** The member has a different name. */
    RENAMED,
    /** The value is written in a different form with the same meaning; the name may differ, too. */
    RESPELLED,
    /** A number in the value was rounded, since the canonical form cannot represent it exactly. */
    ROUNDED,
    /** The member moved to a different event. */
    MOVED,
    /** The event was split into several events. */
    SPLIT,
    /**
     * The member is kept, but the specification of the result's dialect does not name it; readers
     * may ignore it.
     */
    ADDITIONAL;

    /** The name in reports: the name of the constant in lower case. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A change to one member of one kind of event, with the number of its occurrences.
   *
   * @param action the change
   * @param event the type of the event in the source; null for every event
   * @param field the name of the member in the source; null for the whole event
   * @param to the name of the member in the result; null if the name is unchanged
   * @param note further information for people; null if there is none
   * @param count the number of occurrences
   */
  public record Entry(
      Action action,
      @Nullable String event,
      @Nullable String field,
      @Nullable String to,
      @Nullable String note,
      long count) {

    /** Checks for null. */
    public Entry {
      Objects.requireNonNull(action, "action");
    }

    private Entry withCount(long newCount) {
      return new Entry(action, event, field, to, note, newCount);
    }
  }

  /** The maximum number of distinct entries; further ones are counted together for each action. */
  private static final int MAX_ENTRIES = 10_000;

  private static final String OTHERS = "others, not listed";

  /** The number of occurrences of each entry; the keys have the count 1. */
  private final Map<Entry, Long> counts = new HashMap<>();

  /** Creates a ledger without entries. */
  public ConversionLedger() {}

  /** A copy of the entries so far, sorted by action, event and member. */
  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    counts.forEach((entry, count) -> entries.add(entry.withCount(count)));
    entries.sort(Comparator.comparing(Entry::action)
        .thenComparing(entry -> entry.event() == null ? "" : entry.event())
        .thenComparing(entry -> String.valueOf(entry.field()))
        .thenComparing(entry -> String.valueOf(entry.to()))
        .thenComparing(entry -> String.valueOf(entry.note())));
    return entries;
  }

  /** The number of members with this change. */
  public long count(Action action) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().action == action)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /**
   * The entries as JSON: an array of objects with the members {@code action, event, field, to,
   * note, count}.
   */
  public JsonArray toJson() {
    return JsonArray.copyOf(entries().stream()
        .map(entry -> JsonObject.of(
            "action", entry.action().id(),
            "event", entry.event(),
            "field", entry.field(),
            "to", entry.to(),
            "note", entry.note(),
            "count", entry.count()))
        .toList());
  }

  /** Adds the entries of another ledger. */
  public void addAll(ConversionLedger other) {
    other.entries().forEach(this::add);
  }

  void add(Action action, @Nullable String event, @Nullable String field, @Nullable String to) {
    add(action, event, field, to, null);
  }

  void add(
      Action action,
      @Nullable String event,
      @Nullable String field,
      @Nullable String to,
      @Nullable String note) {
    add(new Entry(action, event, field, to, note, 1));
  }

  /**
   * Adds the count of an entry. A log may have any number of unknown events and members; beyond the
   * maximum number of entries, counts are still complete for each action.
   */
  void add(Entry entry) {
    Entry one = entry.withCount(1);
    boolean isListed = counts.containsKey(one) || counts.size() < MAX_ENTRIES;
    counts.merge(
        isListed ? one : new Entry(entry.action, null, null, null, OTHERS, 1),
        entry.count,
        Long::sum);
  }
}
