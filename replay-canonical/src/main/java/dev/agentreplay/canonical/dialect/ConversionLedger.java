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
 * What became of the members of events that were converted: every member of the result that is not
 * the same member with the same value in the source, and every member of the source that is not in
 * the result. It counts what a {@link DialectConverter} lists itself, and what comparing the two
 * finds. Not safe for use by several threads.
 */
public final class ConversionLedger {

  /** What became of a member. */
  public enum Action {
    /** It is not in the result. */
    DROPPED,
    /** Its value is made up: the result must have it, and the source does not say it. */
    INVENTED,
    /** The result must have it, the source does not say it, and no value could be made up. */
    MISSING,
    /** It is in the result, and not what the specification of the result demands. */
    INVALID,
    /** Its value was computed from others. */
    COMPUTED,
    /** It has another name. */
    RENAMED,
    /** Its value is written otherwise, and means the same; it may have another name, too. */
    RESPELLED,
    /** It has a number that its canonical form cannot hold, which was rounded. */
    ROUNDED,
    /** It is in another event. */
    MOVED,
    /** The event became several. */
    SPLIT,
    /** It is kept, but the specification of the result does not name it: readers may ignore it. */
    ADDITIONAL;

    /** What it is called in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What became of one member of one kind of event.
   *
   * @param action what became of it
   * @param event the type of the event, as the source calls it; null when every event is meant
   * @param field the member; null when the whole event is meant
   * @param to what it is called in the result, where it has another name
   * @param note what else is to be known of it, in words
   * @param count how often
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

  /** How many are listed each by itself. */
  private static final int MAX_ENTRIES = 10_000;

  private static final String OTHERS = "others, not listed";

  /** How often there is an entry; the keys count once. */
  private final Map<Entry, Long> counts = new HashMap<>();

  /** A ledger without entries. */
  public ConversionLedger() {}

  /** The entries so far, by action, event and member. */
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

  /** How many members became this. */
  public long count(Action action) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().action == action)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** The entries as JSON: an array of {@code action, event, field, to, note, count}. */
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

  /** Adds what another ledger has. */
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
   * Counts an entry as often as it says. A log may have any number of unknown events and members:
   * the counts stay complete.
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
