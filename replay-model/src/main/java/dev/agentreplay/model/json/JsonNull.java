package dev.agentreplay.model.json;

/** The JSON null. */
public enum JsonNull implements JsonValue {
  /** The only value. */
  NULL;

  @Override
  public String typeName() {
    return "null";
  }

  @Override
  public String toString() {
    return "null";
  }
}
