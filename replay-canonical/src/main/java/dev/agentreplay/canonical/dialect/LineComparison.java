package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.ConversionLedger.Entry;
import dev.agentreplay.canonical.dialect.LineConversion.Result;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Determines the changes to the members of a line by comparing it with the lines that it was
 * converted to.
 */
final class LineComparison {

  /** The names of the time of an event in all dialects. */
  private static final Set<String> TIMES = Set.of("t", "ts");

  private static final int MAX_COMPARED = 1_000;

  private final SourceLine source;
  private final Table<? extends ReplayEvent> table;
  private final List<JsonObject> results;
  private final Set<String> explained;
  private final Set<String> returned;
  private final Set<String> moved;
  private final Set<String> computed;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * Creates a comparison of a line with the lines that it was converted to.
   *
   * @param moved the components of the results that come from another event
   * @param computed the components of the results that were computed
   */
  LineComparison(SourceLine source, List<Result> results, Set<String> moved, Set<String> computed) {
    this.source = source;
    this.table = source.target();
    this.results = results.stream().map(Result::line).toList();
    this.explained = union(results, Result::explained);
    this.returned = union(results, Result::returned);
    this.moved = moved;
    this.computed = computed;
  }

  private static Set<String> union(List<Result> results, Function<Result, Set<String>> names) {
    return results.stream().map(names).flatMap(Set::stream).collect(Collectors.toSet());
  }

  /** Returns the ledger entries of the members that have none yet. */
  List<Entry> compare() {
    if (results.size() > 1) {
      list(Action.SPLIT, null, null);
    }
    boolean foreign = table.isAdditional() && !source.table.isAdditional();
    if (foreign) {
      list(Action.ADDITIONAL, null, null);
    }
    Set<String> reached = new HashSet<>();
    source.members.forEach((name, value) -> {
      if (!explained.contains(name)) {
        String target = target(name);
        if (target != null && (value != JsonNull.NULL || isNull(target))) {
          reached.add(target);
          kept(name, value, target, foreign);
        } else if (value != JsonNull.NULL) {
          list(Action.DROPPED, name, null);
        }
      }
    });
    for (JsonObject result : results) {
      result.forEach((name, value) -> {
        Row<?, ?> row = table.row(name);
        String component = row == null ? name : row.component();
        if (!reached.contains(name)
            && !moved.contains(component)
            && !returned.contains(name)
            && value != JsonNull.NULL) {
          boolean isComputed = computed.contains(component) || (row != null && row.hashed != null);
          list(isComputed ? Action.COMPUTED : Action.INVENTED, name, null);
        }
      });
    }
    return entries;
  }

  private void list(Action action, @Nullable String field, @Nullable String to) {
    entries.add(new Entry(action, source.tag, field, to, null, 1));
  }

  /** Adds the entry of a member that is in the result, if it changed. */
  private void kept(String name, JsonValue value, String target, boolean foreign) {
    Row<?, ?> row = source.table.row(name);
    String renamed = target.equals(name) ? null : target;
    Action change = isSplitInto(value, target) ? null : change(value, target);
    if (change != null) {
      list(change, name, renamed);
    } else if (renamed != null) {
      entries.add(new Entry(Action.RENAMED, subject(row, name, renamed), name, renamed, null, 1));
    } else if (row != null && !foreign && isNoLongerSpecified(row)) {
      list(Action.ADDITIONAL, name, null);
    }
  }

  private boolean isNoLongerSpecified(Row<?, ?> row) {
    Row<?, ?> target = table.row(row.name);
    boolean wasSpecified = !row.isAdditional() && !source.table.isAdditional();
    return wasSpecified && (target == null || target.isAdditional() || table.isAdditional());
  }

  /** The event of an entry; null for the tag and the time, which are listed once for all events. */
  private @Nullable String subject(@Nullable Row<?, ?> row, String name, String renamed) {
    boolean isTag = row != null && row.component().equals("tag");
    boolean isTime = TIMES.contains(name) && TIMES.contains(renamed);
    return isTag || isTime ? null : source.tag;
  }

  /** The name of a source member in the result; null if the result does not contain it. */
  private @Nullable String target(String name) {
    Row<?, ?> row = source.table.row(name);
    if (row != null) {
      for (Row<?, ?> candidate : table.rows()) {
        if (candidate.component().equals(row.component())
            && !moved.contains(candidate.component())
            && !returned.contains(candidate.name)
            && isInResult(candidate.name)) {
          return candidate.name;
        }
      }
      return table.row(name) == null && isInResult(name) ? name : null;
    }
    return isInResult(name) && !returned.contains(name) ? name : null;
  }

  private boolean isNull(String name) {
    return results.stream().anyMatch(result -> result.get(name) == JsonNull.NULL);
  }

  private boolean isInResult(String name) {
    return results.stream().anyMatch(result -> result.has(name));
  }

  /** The change in the form of a member; null if one of the results has the same form. */
  private @Nullable Action change(JsonValue value, String target) {
    Action change = Action.RESPELLED;
    for (JsonObject result : results) {
      JsonValue written = result.get(target);
      if (written != null) {
        if (isOnlyElement(written, value) || isOnlyElement(value, written)) {
          return null;
        }
        change = change(value, written);
        if (change == null) {
          return null;
        }
      }
    }
    return change;
  }

  /** The change in the form of a value; null if there is none. */
  static @Nullable Action change(JsonValue value, @Nullable JsonValue written) {
    if (value.equals(written)) {
      return null;
    }
    return written != null && isRounded(value, written) ? Action.ROUNDED : Action.RESPELLED;
  }

  /** Whether a number in a value differs from the number in its canonical form. */
  private static boolean isRounded(JsonValue value, JsonValue canonical) {
    if (value instanceof JsonNumber number && canonical instanceof JsonNumber written) {
      return !number.equals(written) && !isSameNumber(number, written);
    }
    if (value instanceof JsonArray array
        && canonical instanceof JsonArray written
        && array.size() == written.size()) {
      for (int i = 0; i < array.size(); i++) {
        if (isRounded(array.get(i), written.get(i))) {
          return true;
        }
      }
    }
    if (value instanceof JsonObject object && canonical instanceof JsonObject written) {
      return object.names().stream().anyMatch(name -> {
        JsonValue member = written.get(name);
        return member != null && isRounded(Objects.requireNonNull(object.get(name)), member);
      });
    }
    return false;
  }

  private static boolean isSameNumber(JsonNumber number, JsonNumber written) {
    if (number.text().length() > MAX_COMPARED || number.text().matches(".*[eE].*\\d{4,}")) {
      return false; // exact arithmetic would take too long, so the number is listed as rounded
    }
    return new BigDecimal(number.text()).compareTo(new BigDecimal(written.text())) == 0;
  }

  private static boolean isOnlyElement(JsonValue element, JsonValue array) {
    return array instanceof JsonArray elements
        && elements.size() == 1
        && elements.get(0).equals(element);
  }

  /** Whether the elements of an array are the members of the results, one each. */
  private boolean isSplitInto(JsonValue value, String target) {
    if (!(value instanceof JsonArray array) || array.size() != results.size()) {
      return false;
    }
    for (int i = 0; i < array.size(); i++) {
      if (!array.get(i).equals(results.get(i).get(target))) {
        return false;
      }
    }
    return true;
  }
}
