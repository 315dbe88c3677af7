package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One member of an event in a dialect: read and written by one row of its table.
 *
 * @param <E> the type of the event
 * @param <T> the type of the component
 */
final class Row<E, T> implements EventMember {

  final String name;
  final Presence presence;
  final FieldType<T> type;
  final Function<E, @Nullable T> get;

  /** Where the row stands in its table, and its value among those that were read. */
  final int index;

  /** A comma, the name in quotes, and a colon. */
  final byte[] encodedName;

  /** Whether another row is the hash of this one's value. */
  boolean isHashed;

  /** The row whose value this one is the hash of. */
  @Nullable
  Row<E, JsonValue> hashed;

  /** Which component of the event it is: what has one name in every dialect. */
  private String component;

  private EventMember.Role role = EventMember.Role.SUBJECT;
  private boolean exact;
  private boolean additional;
  private boolean emptySaysNothing;
  private boolean anyNumber;
  private boolean orNull;
  private @Nullable Function<E, @Nullable T> fallback;

  Row(String name, Presence presence, FieldType<T> type, Function<E, @Nullable T> get, int index) {
    this.name = name;
    this.presence = presence;
    this.type = type;
    this.get = get;
    this.index = index;
    this.encodedName = (",\"" + name + "\":").getBytes(StandardCharsets.US_ASCII);
    this.component = name;
  }

  /** Names the component, where the dialect's name for it is another one. */
  Row<E, T> as(String newComponent) {
    component = newComponent;
    return this;
  }

  /** Its part in the event, where it is not the subject. */
  Row<E, T> role(EventMember.Role newRole) {
    role = newRole;
    return this;
  }

  /** It is a name, a code or a hash. */
  Row<E, T> exact() {
    exact = true;
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public EventMember.Role role() {
    return role;
  }

  @Override
  public boolean isExact() {
    return exact;
  }

  @Override
  @SuppressWarnings("unchecked") // the row is one of the table of that event
  public @Nullable T component(ReplayEvent event) {
    return get.apply((E) event);
  }

  @Override
  public @Nullable JsonValue value(ReplayEvent event) {
    return toJson(component(event));
  }

  /** The specification of the dialect does not name this member; other readers ignore it. */
  Row<E, T> additional() {
    additional = true;
    return this;
  }

  /** An empty text, list or object says no more than none. */
  Row<E, T> emptySaysNothing() {
    emptySaysNothing = true;
    return this;
  }

  /** Whether what was read says no more than none, and so may be left over, to be written back. */
  boolean saysNothing(Object value) {
    return emptySaysNothing
        && (value.equals("")
            || (value instanceof List<?> list && list.isEmpty())
            || (value instanceof JsonObject object && object.isEmpty()));
  }

  /** Whether something is written where the event says nothing. */
  boolean hasFallback() {
    return fallback != null;
  }

  /**
   * The specification allows any number: one that the component cannot hold, such as a fraction of
   * a millisecond, is left over without a finding.
   */
  Row<E, T> orAnyNumber() {
    anyNumber = true;
    return this;
  }

  /** The member must be there, but may be null. */
  Row<E, T> orNull() {
    orNull = true;
    return this;
  }

  /** Whether a value that the component cannot hold is no finding. */
  boolean allows(JsonValue value) {
    return (anyNumber && value instanceof JsonNumber) || (orNull && value == JsonNull.NULL);
  }

  /** A bit of its own in the table. */
  long bit() {
    return 1L << index;
  }

  String component() {
    return component;
  }

  boolean isAdditional() {
    return additional;
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
    return toJson(fallbackComponent(event));
  }

  /** The component to write where the event gives none. */
  @Nullable
  T fallbackComponent(E event) {
    return fallback == null ? null : fallback.apply(event);
  }

  private @Nullable JsonValue toJson(@Nullable T value) {
    return value == null ? null : type.write().apply(value);
  }
}
