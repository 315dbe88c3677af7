package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of one object, read by the rows of a table. Members that no row takes are kept as
 * extra members.
 */
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

  /** The component of a row; null if it is missing. */
  @SuppressWarnings("unchecked") // read by the row, so it has the row's type
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

  /** The component of a row, or a default value if it is missing. */
  <T> T getOr(Row<?, T> row, T other) {
    T value = get(row);
    return value == null ? other : value;
  }

  /** Keeps a member as an extra member although a row took it. */
  void keep(Row<?, ?> row) {
    if (object.has(row.name)) {
      keep(row.name);
    }
  }

  /**
   * Reports a required member that is missing or null; a member of the wrong type is not reported.
   */
  void reportIfMissing(Row<?, ?> row) {
    JsonValue value = object.get(row.name);
    if (value == null || value == JsonNull.NULL) {
      reportMissing(row);
    }
  }

  /** Reports a finding about a member. */
  void report(FindingCode code, String member, String message) {
    report(Finding.of(code, message).withMember(member));
  }

  /**
   * Reports the findings of a nested object.
   *
   * @param row the row of the member that contains the object
   * @param element the position of the object in the member, in brackets; empty for the whole
   *     member
   * @param inMember the findings
   * @param id the id of the call that the object describes; null if it is not a call with an id
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

  /** Whether all identifying members of the event are present and readable. */
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
    Object component = row.type.read(value);
    if (component != null) {
      values[row.index] = component;
      restrict(row, component, value);
      if (row.saysNothing(component) && !row.hasFallback()) {
        keep(row.name);
      }
      return;
    }
    if (value == JsonNull.NULL && row.presence == Presence.NULLABLE) {
      return;
    }
    keep(row.name);
    if (row.isTooLarge(value)) {
      report(Finding.of(
              FindingCode.NUMBER_TOO_LARGE,
              "%s is larger than 2^63-1: it is kept, but not computed with".formatted(row.name))
          .withMember(row.name)
          .withValues(null, value.toString()));
      return;
    }
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

  @SuppressWarnings("unchecked") // the component was read by the row, so it has the row's type
  private <T> void restrict(Row<?, T> row, Object component, JsonValue value) {
    Restriction<T> restriction = row.restriction();
    if (restriction != null && !restriction.isRead().test((T) component)) {
      String found = Excerpt.of(value.toString());
      report(Finding.of(
              restriction.code(),
              "%s must be %s, found %s".formatted(row.name, restriction.expected(), found))
          .withMember(row.name)
          .withValues(restriction.expected(), found));
    }
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
    if (value instanceof JsonString text) {
      text.value(); // a short text that looks like a time or a hash must not keep the line
    }
    if (value != null) {
      extra.addIfAbsent(name, value); // a member of the wrong type may have been added already
    }
  }
}
