package dev.agentreplay.convert.trace.report;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record of the effect of an import or export on each member of each record. Members are named,
 * their values are not shown. Immutable.
 */
public final class TraceLedger {

  /** The effect on a member. */
  public enum Action {
    /** The member is in the result under its own name, in what is kept of its record. */
    KEPT,
    /** The value is a member of the result with a different name or place. */
    MOVED,
    /** A value of the result was computed from the member. */
    DERIVED,
    /** The result requires a value that the source does not state. */
    GENERATED,
    /** The value is not in the result, for the stated reason. */
    DROPPED;

    /** The name in reports: the name of the constant in lower case. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The effect on one member of one type of records.
   *
   * @param action the effect
   * @param record the type of the record, in the words of the format
   * @param member the JSON Pointer to the member in its record, with {@code *} for the elements of
   *     an array and for names that are data; empty for the whole record
   * @param to the place of the value in the result; null if it is not moved, derived or generated
   * @param note the reason, or further information; null if there is none
   * @param count the number of values; of members that are kept, that of the texts, numbers and
   *     other scalars in them
   */
  public record Entry(
      Action action,
      String record,
      String member,
      @Nullable String to,
      @Nullable String note,
      long count) {

    /** Checks for null. */
    public Entry {
      Objects.requireNonNull(action, "action");
      Objects.requireNonNull(record, "record");
      Objects.requireNonNull(member, "member");
    }

    private Entry withCount(long newCount) {
      return new Entry(action, record, member, to, note, newCount);
    }

    JsonObject toJson() {
      JsonObject.Builder json =
          JsonObject.builder().put("action", action.id()).put("count", count).put("member", member);
      if (note != null) {
        json.put("note", note);
      }
      json.put("record", record);
      return to == null ? json.build() : json.put("to", to).build();
    }
  }

  private final List<Entry> entries;

  /** Creates a ledger of entries. */
  public TraceLedger(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** The entries, sorted by record, member and action. */
  public List<Entry> entries() {
    return entries;
  }

  /** Returns a ledger with the entries of both, in which the numbers of equal ones are added. */
  public TraceLedger plus(TraceLedger others) {
    Map<Entry, Long> counts = new LinkedHashMap<>();
    Stream.concat(entries.stream(), others.entries.stream())
        .forEach(entry -> counts.merge(entry.withCount(0), entry.count(), Long::sum));
    return new TraceLedger(counts.entrySet().stream()
        .map(each -> each.getKey().withCount(each.getValue()))
        .sorted(Comparator.comparing(Entry::record)
            .thenComparing(Entry::member)
            .thenComparing(Entry::action))
        .toList());
  }

  /** The number of values with an action. */
  public long count(Action action) {
    return entries.stream()
        .filter(entry -> entry.action() == action)
        .mapToLong(Entry::count)
        .sum();
  }

  /** The entries as an array of objects. */
  public JsonArray toJson() {
    return JsonArray.copyOf(entries.stream().map(Entry::toJson).toList());
  }
}
