package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The members of one object, read by the rows of a table; what no row takes is left over. */
final class Members {

  private final JsonObject object;
  private final Object[] values;
  private List<Finding> findings = List.of();
  private JsonObject.@Nullable Builder extra;
  private boolean identified = true;

  Members(JsonObject object, Table<?> table) {
    this.object = object;
    this.values = new Object[table.rows().size()];
    long absent = table.needed();
    int place = 0;
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      int next = table.place(name, place);
      if (next < 0) {
        keep(name);
      } else {
        Row<?, ?> row = table.sorted()[next];
        place = next + 1;
        absent &= ~row.bit();
        read(row, object.value(i));
      }
    }
    for (int i = 0; absent != 0; i++) {
      Row<?, ?> row = table.rows().get(i);
      if ((absent & row.bit()) != 0) {
        absent &= ~row.bit();
        missing(row);
      }
    }
  }

  /** The component of a row, or null. */
  @SuppressWarnings("unchecked") // read by the row's own type
  <T> @Nullable T get(Row<?, T> row) {
    return (T) values[row.index];
  }

  /** The component of an identifying row. */
  <T> T identity(Row<?, T> row) {
    T value = get(row);
    if (value == null) {
      throw new IllegalStateException("an event without " + row.name + " is not built");
    }
    return value;
  }

  /** The component of a row, or another value. */
  <T> T getOr(Row<?, T> row, T other) {
    T value = get(row);
    return value == null ? other : value;
  }

  /** Leaves a member over although a row took it. */
  void keep(Row<?, ?> row) {
    if (object.has(row.name)) {
      keep(row.name);
    }
  }

  /** Reports a member that is absent or null, and not just of another type. */
  void reportIfMissing(Row<?, ?> row) {
    JsonValue value = object.get(row.name);
    if (value == null || value == JsonNull.NULL) {
      reportMissing(row);
    }
  }

  /** Reports a member. */
  void report(FindingCode code, String member, String message) {
    report(Finding.of(code, message).withMember(member));
  }

  /**
   * Reports what was found in a member, about a call when it is one with an id.
   *
   * @param element the place in the member, in brackets; empty when it is all of it
   */
  void reportIn(Row<?, ?> row, String element, List<Finding> inMember, @Nullable String id) {
    for (Finding finding : inMember) {
      report(Finding.of(finding.code(), row.name + element + ": " + finding.message())
          .withMember(row.name)
          .withId(id)
          .withValues(finding.expected(), finding.found())
          .withHint(finding.hint()));
    }
  }

  private void report(Finding finding) {
    if (findings.isEmpty()) {
      findings = new ArrayList<>();
    }
    findings.add(finding);
  }

  private void reportMissing(Row<?, ?> row) {
    report(Finding.of(FindingCode.FIELD_MISSING, row.name + " is missing")
        .withMember(row.name)
        .withValues(row.type.expected(), null));
  }

  /** Whether all that identifies the event was there. */
  boolean identified() {
    return identified;
  }

  /** The members that no row took. */
  JsonObject leftOver() {
    return extra == null ? JsonObject.EMPTY : extra.build();
  }

  List<Finding> findings() {
    return findings;
  }

  private void read(Row<?, ?> row, JsonValue value) {
    Object component = row.type.read().apply(value);
    if (component != null) {
      values[row.index] = component;
      if (row.saysNothing(component) && !row.hasFallback()) {
        keep(row.name);
      }
      return;
    }
    if (value == JsonNull.NULL && row.presence == Presence.NULLABLE) {
      return;
    }
    keep(row.name);
    if ((value == JsonNull.NULL && row.presence == Presence.OPTIONAL) || row.allows(value)) {
      return;
    }
    if (row.presence == Presence.IDENTITY) {
      identified = false;
    } else if (row.type.isUnknownHash(value)) {
      report(
          FindingCode.HASH_UNVERIFIABLE,
          row.name,
          row.name + " is not known to the producer: " + value);
      return;
    }
    String found = Excerpt.of(value.toString());
    report(Finding.of(
            row.presence == Presence.IDENTITY
                ? FindingCode.EVENT_INVALID
                : FindingCode.FIELD_INVALID,
            row.name + " must be " + row.type.expected() + ", found " + value.typeName() + " "
                + found)
        .withMember(row.name)
        .withValues(row.type.expected(), found)
        .withHint(row.type.hint()));
  }

  private void missing(Row<?, ?> row) {
    if (row.presence == Presence.REQUIRED) {
      reportMissing(row);
    } else if (row.presence == Presence.IDENTITY) {
      identified = false;
      report(
          FindingCode.EVENT_INVALID,
          row.name,
          row.name + " is missing, which identifies the event");
    }
  }

  private void keep(String name) {
    if (extra == null) {
      extra = JsonObject.builder();
    }
    JsonValue value = object.get(name);
    if (value != null) {
      extra.addIfAbsent(name, value); // a member of the wrong type is left over already
    }
  }
}
