package dev.agentreplay.model.json;

import dev.agentreplay.model.internal.ParsedValues;

/** Opens the constructors that check nothing to the parser. */
final class UncheckedValues extends ParsedValues {

  @Override
  public JsonString string(String text) {
    return new JsonString(text);
  }

  @Override
  public JsonNumber number(String text) {
    return new JsonNumber(text);
  }

  @Override
  public JsonNumber smallNumber(int value) {
    return JsonNumber.SMALL[value];
  }

  @Override
  public JsonArray array(JsonValue[] values, int depth) {
    return new JsonArray(values, depth);
  }

  @Override
  public JsonObject object(String[] names, JsonValue[] values, int depth) {
    return new JsonObject(names, values, true, null, depth);
  }
}
