package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One member of an object: read, checked and written by one row of its table.
 *
 * @param <E> the type of the object
 * @param <T> the type of the component
 */
sealed class RecordRow<E, T> {

  /** A row whose component is never null: it must be there, or has a default. */
  static final class Needed<E, T> extends RecordRow<E, T> {
    private final @Nullable T fallback;

    Needed(
        String name,
        int index,
        MemberType<T> type,
        Function<E, @Nullable T> get,
        @Nullable T fallback) {
      super(name, index, type, get);
      this.fallback = fallback;
    }

    @Override
    @Nullable
    T absent(Place place) {
      if (fallback == null) {
        place.member(name).report("is missing");
      }
      return fallback;
    }
  }

  /** A row without a component: what it reads is left over. */
  static final class Checked<E, T> extends RecordRow<E, T> {
    Checked(String name, int index, MemberType<T> type) {
      super(name, index, type, object -> null);
    }

    @Override
    @Nullable
    T read(JsonValue value, Place place) {
      super.read(value, place);
      return null;
    }
  }

  final String name;

  /** Where the row stands in its table, and its component among those that were read. */
  final int index;

  private final MemberType<T> type;
  private final Function<E, @Nullable T> get;

  RecordRow(String name, int index, MemberType<T> type, Function<E, @Nullable T> get) {
    this.name = name;
    this.index = index;
    this.type = type;
    this.get = get;
  }

  /** The component of an object without the member. */
  @Nullable
  T absent(Place place) {
    return null;
  }

  /** The component that a value stands for; null when it stands for none, which is reported. */
  @Nullable
  T read(JsonValue value, Place place) {
    return type.reader().read(value, place.member(name));
  }

  /** Whether a component that was read from a value would be written as another one. */
  boolean isRespelled(Object component, JsonValue value) {
    return value instanceof JsonNumber && !value.equals(type.writer().apply(cast(component)));
  }

  /**
   * The value to write: the component, in the spelling it was read with; null where there is none.
   */
  @Nullable
  JsonValue write(E object, JsonObject extra) {
    JsonValue kept = extra.get(name);
    T component = get.apply(object);
    if (component == null) {
      return null;
    }
    boolean keepsSpelling =
        kept instanceof JsonNumber && component.equals(type.reader().read(kept, Place.root()));
    return keepsSpelling ? kept : type.writer().apply(component);
  }

  @SuppressWarnings("unchecked") // read by this row
  private T cast(Object component) {
    return (T) component;
  }
}
