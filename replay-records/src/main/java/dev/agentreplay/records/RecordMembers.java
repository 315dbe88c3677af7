package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The members of one object, read by the rows of its table; what no row holds is left over. */
final class RecordMembers {

  private final @Nullable Object[] components;
  private final JsonObject leftOver;

  RecordMembers(JsonObject object, RecordTable<?> table, Place place) {
    components = new Object[table.rows().size()];
    for (RecordRow<?, ?> row : table.rows()) {
      JsonValue value = object.get(row.name);
      components[row.index] = value == null ? row.absent(place) : row.read(value, place);
    }
    JsonObject.Builder extra = JsonObject.builder();
    for (int i = 0; i < object.size(); i++) {
      RecordRow<?, ?> row = table.row(object.name(i));
      if (row == null || isLeftOver(row, object.value(i))) {
        extra.add(object.name(i), object.value(i));
      }
    }
    leftOver = extra.build();
  }

  /** The component of a row, or null. */
  @SuppressWarnings("unchecked") // read by the row itself
  <T> @Nullable T get(RecordRow<?, T> row) {
    return (T) components[row.index];
  }

  /** The component of a row that has one in every object without problems. */
  <T> T get(RecordRow.Needed<?, T> row) {
    return Objects.requireNonNull(get((RecordRow<?, T>) row), row.name);
  }

  /** The members that no row holds, in their order. */
  JsonObject leftOver() {
    return leftOver;
  }

  private boolean isLeftOver(RecordRow<?, ?> row, JsonValue value) {
    Object component = components[row.index];
    return component == null || row.isRespelled(component, value);
  }
}
