package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.json.JsonValue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One member of an event in a dialect: read and written by one row of its table.
 *
 * @param <E> the type of the event
 * @param <T> the type of the component
 */
final class Row<E, T> {

  final String name;
  final Presence presence;
  final FieldType<T> type;
  final Function<E, @Nullable T> get;

  /** Where the row stands in its table, and its value among those that were read. */
  final int index;

  /** Whether another row is the hash of this one's value. */
  boolean isHashed;

  /** The row whose value this one is the hash of. */
  @Nullable
  Row<E, JsonValue> hashed;

  private @Nullable Function<E, @Nullable T> fallback;

  Row(String name, Presence presence, FieldType<T> type, Function<E, @Nullable T> get, int index) {
    this.name = name;
    this.presence = presence;
    this.type = type;
    this.get = get;
    this.index = index;
  }

  /** Writes this where the event says nothing. */
  Row<E, T> orElse(Function<E, @Nullable T> value) {
    fallback = value;
    return this;
  }

  /** The value that the event gives, as JSON. */
  @Nullable
  JsonValue given(E event) {
    return toJson(get.apply(event));
  }

  /** The value to write where the event gives none. */
  @Nullable
  JsonValue fallback(E event) {
    return fallback == null ? null : toJson(fallback.apply(event));
  }

  private @Nullable JsonValue toJson(@Nullable T value) {
    return value == null ? null : type.write().apply(value);
  }
}
