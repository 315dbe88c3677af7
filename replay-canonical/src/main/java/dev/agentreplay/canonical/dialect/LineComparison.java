package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what became of the members of a line, by comparing it with the lines that it became. */
final class LineComparison {

  /** What dialects call the time of any event. */
  private static final Set<String> TIMES = Set.of("t", "ts");

  private static final int MAX_COMPARED = 1_000;

  private final JsonObject source;
  private final Table<? extends ReplayEvent> sourceTable;
  private final List<JsonObject> results;
  private final Table<? extends ReplayEvent> table;
  private final String tag;
  private final ConversionLedger ledger;

  LineComparison(
      JsonObject source,
      Table<? extends ReplayEvent> sourceTable,
      List<JsonObject> results,
      Table<? extends ReplayEvent> table,
      String tag,
      ConversionLedger ledger) {
    this.source = source;
    this.sourceTable = sourceTable;
    this.results = results;
    this.table = table;
    this.tag = tag;
    this.ledger = ledger;
  }

  /**
   * Writes what it finds into the ledger.
   *
   * @param explained members of the source that the ledger has already
   * @param returned members of the results that the ledger has already
   * @param moved components of the results that come from another event
   * @param computed components of the results that were computed
   */
  void compare(
      Set<String> explained, Set<String> returned, Set<String> moved, Set<String> computed) {
    if (results.size() > 1) {
      ledger.add(Action.SPLIT, tag, null, null);
    }
    boolean foreign = table.isAdditional() && !sourceTable.isAdditional();
    if (foreign) {
      ledger.add(Action.ADDITIONAL, tag, null, null);
    }
    Set<String> reached = new HashSet<>();
    source.forEach((name, value) -> {
      if (!explained.contains(name)) {
        String target = target(name, returned, moved);
        if (target != null && (value != JsonNull.NULL || isNull(target))) {
          reached.add(target);
          kept(name, value, target, foreign);
        } else if (value != JsonNull.NULL) {
          ledger.add(Action.DROPPED, tag, name, null);
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
          boolean isHash = row != null && row.hashed != null;
          ledger.add(
              isHash || computed.contains(component) ? Action.COMPUTED : Action.INVENTED,
              tag,
              name,
              null);
        }
      });
    }
  }

  /** A member that is in the result. */
  private void kept(String name, JsonValue value, String target, boolean foreign) {
    Row<?, ?> row = sourceTable.row(name);
    String renamed = target.equals(name) ? null : target;
    Action change = isSplitInto(value, target) ? null : change(value, target);
    if (change != null) {
      ledger.add(change, tag, name, renamed);
    } else if (renamed != null) {
      ledger.add(Action.RENAMED, subject(row, name, renamed), name, renamed);
    } else if (row != null && !foreign && isNoLongerSpecified(row)) {
      ledger.add(Action.ADDITIONAL, tag, name, null);
    }
  }

  private boolean isNoLongerSpecified(Row<?, ?> row) {
    Row<?, ?> target = table.row(row.name);
    boolean wasSpecified = !row.isAdditional() && !sourceTable.isAdditional();
    return wasSpecified && (target == null || target.isAdditional() || table.isAdditional());
  }

  /** What all events have is listed once for all of them. */
  private @Nullable String subject(@Nullable Row<?, ?> row, String name, String renamed) {
    boolean isTag = row != null && row.component().equals("tag");
    boolean isTime = TIMES.contains(name) && TIMES.contains(renamed);
    return isTag || isTime ? null : tag;
  }

  /** The name that a member of the source has in the result; null when it is not there. */
  private @Nullable String target(String name, Set<String> returned, Set<String> moved) {
    Row<?, ?> row = sourceTable.row(name);
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

  /** How a member is written otherwise; null when one of the results has it as it is. */
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

  /** How a value is written otherwise; null when it is not. */
  static @Nullable Action change(JsonValue value, @Nullable JsonValue written) {
    if (value.equals(written)) {
      return null;
    }
    return written != null && isRounded(value, written) ? Action.ROUNDED : Action.RESPELLED;
  }

  /** Whether a number in a value is another number in its canonical form. */
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
      return false; // exact arithmetic would take too long; listed as rounded
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
