package dev.agentreplay.model.json;

/**
 * A JSON boolean.
 *
 * @param value the value
 */
public record JsonBoolean(boolean value) implements JsonValue {

  /** {@code true}. */
  public static final JsonBoolean TRUE = new JsonBoolean(true);

  /** {@code false}. */
  public static final JsonBoolean FALSE = new JsonBoolean(false);

  /** Returns {@link #TRUE} or {@link #FALSE}. */
  public static JsonBoolean of(boolean value) {
    return value ? TRUE : FALSE;
  }

  @Override
  public String typeName() {
    return "boolean";
  }

  @Override
  public boolean asBoolean() {
    return value;
  }

  @Override
  public String toString() {
    return Boolean.toString(value);
  }
}
