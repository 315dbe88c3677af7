package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.Chunks;
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
 * One member of an event in a dialect: the rule for reading and writing it.
 *
 * @param <E> the type of the event
 * @param <T> the type of the component
 */
final class Row<E, T> implements EventMember {

  final String name;
  final Presence presence;
  final FieldType<T> type;
  final Function<E, @Nullable T> get;

  /** The index of the row in its table, and of its value among the values that were read. */
  final int index;

  /** The encoded name: a comma, the name in quotes, and a colon. */
  final byte[] encodedName;

  /** Whether another row is the hash of this row's value. */
  boolean isHashed;

  /** Whether the component is the agent of the event, or the call that started it. */
  boolean isOfLane;

  /** Whether nothing is written, and nothing needs to be checked, if the event has no component. */
  boolean isOmitted;

  /** The row whose value this row is the hash of. */
  @Nullable
  Row<E, JsonValue> hashed;

  /** The name of the event's component, which is the same in every dialect. */
  private String component;

  private EventMember.Role role = EventMember.Role.SUBJECT;
  private boolean comparedIfBoth;
  private boolean additional;
  private boolean emptySaysNothing;
  private boolean anyNumber;
  private boolean anyValue;
  private boolean orNull;
  private boolean unsigned;
  private @Nullable Restriction<T> restriction;
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

  /** Sets the name of the component if it differs from the dialect's name for it. */
  Row<E, T> as(String newComponent) {
    component = newComponent;
    return this;
  }

  /** Sets the role of the member in the event if it is not the subject. */
  Row<E, T> role(EventMember.Role newRole) {
    role = newRole;
    return this;
  }

  /** Excludes the member from a comparison with an event that does not have it. */
  Row<E, T> comparedIfBoth() {
    comparedIfBoth = true;
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
  public boolean isComparedIfBoth() {
    return comparedIfBoth;
  }

  @Override
  @SuppressWarnings("unchecked") // the row is from the table of that type of event
  public @Nullable T component(ReplayEvent event) {
    return get.apply((E) event);
  }

  @Override
  public @Nullable JsonValue value(ReplayEvent event) {
    return toJson(component(event));
  }

  /**
   * Marks the member as additional: the specification of the dialect does not name it, and other
   * readers ignore it.
   */
  Row<E, T> additional() {
    additional = true;
    return this;
  }

  /** Treats an empty text, list or object as equivalent to a missing member. */
  Row<E, T> emptySaysNothing() {
    emptySaysNothing = true;
    return this;
  }

  /**
   * Whether a value that was read is equivalent to a missing member, so that the member may be kept
   * as an extra member and written back.
   */
  boolean saysNothing(Object value) {
    return emptySaysNothing
        && (value.equals("")
            || (value instanceof List<?> list && list.isEmpty())
            || (value instanceof JsonObject object && object.isEmpty())
            || (value instanceof Chunks chunks && chunks.isEmpty()));
  }

  /** Whether a default is written if the event does not state the component. */
  boolean hasFallback() {
    return fallback != null;
  }

  /**
   * Allows any number, as the specification does. A number that the component cannot represent,
   * such as a fraction of a millisecond, is kept as an extra member without a finding.
   */
  Row<E, T> orAnyNumber() {
    anyNumber = true;
    return this;
  }

  /**
   * Allows any value. One that the component cannot represent is kept as an extra member without a
   * finding: producers used the name before this library gave it a meaning.
   */
  Row<E, T> orAnyValue() {
    anyValue = true;
    return this;
  }

  /** Requires the member to be present but allows null. */
  Row<E, T> orNull() {
    orNull = true;
    return this;
  }

  /**
   * Allows an unsigned 64-bit integer, as the specification does. One beyond the range of a long is
   * kept as an extra member with the finding {@code NUMBER_TOO_LARGE}.
   */
  Row<E, T> unsigned() {
    unsigned = true;
    return this;
  }

  /** Restricts the component beyond its type. */
  Row<E, T> restrict(Restriction<T> newRestriction) {
    restriction = newRestriction;
    return this;
  }

  /** The rule for the component beyond its type; null if there is none. */
  @Nullable
  Restriction<T> restriction() {
    return restriction;
  }

  /** Whether a value is allowed, but larger than the component can represent. */
  boolean isTooLarge(JsonValue value) {
    return unsigned && value instanceof JsonNumber number && FieldType.isBeyondLong(number);
  }

  /** Whether a value that the component cannot represent is allowed without a finding. */
  boolean allows(JsonValue value) {
    return anyValue
        || (anyNumber && value instanceof JsonNumber)
        || (orNull && value == JsonNull.NULL);
  }

  /** A bit that is unique in the table. */
  long bit() {
    return 1L << index;
  }

  String component() {
    return component;
  }

  boolean isAdditional() {
    return additional;
  }

  /** Sets the default to write if the event does not state the component. */
  Row<E, T> orElse(Function<E, @Nullable T> value) {
    fallback = value;
    return this;
  }

  /** The value that the event states, as JSON. */
  @Nullable
  JsonValue given(E event) {
    return toJson(get.apply(event));
  }

  /** The default value to write if the event does not state one. */
  @Nullable
  JsonValue fallback(E event) {
    return toJson(fallbackComponent(event));
  }

  /** The default component to write if the event does not state one. */
  @Nullable
  T fallbackComponent(E event) {
    return fallback == null ? null : fallback.apply(event);
  }

  private @Nullable JsonValue toJson(@Nullable T value) {
    return value == null ? null : type.write().apply(value);
  }
}
