package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Structures in the names of attributes: {@code llm.input_messages.0.message.role} is the member of
 * an object in an array.
 */
final class Flattened {

  /** The first parts of the names that OpenInference flattens. */
  private static final Set<String> ROOTS = Set.of(
      "llm",
      "input",
      "output",
      "openinference",
      "tool",
      "tool_call",
      "session",
      "agent",
      "message");

  private static final int MAX_DEPTH = 40;

  private final Map<String, Flattened> children = new LinkedHashMap<>();
  private @Nullable JsonValue value;

  private Flattened() {}

  /** The structure of values by their names. */
  static JsonValue structure(Map<String, JsonValue> values) {
    Flattened root = new Flattened();
    values.forEach((name, value) -> {
      Flattened node = root;
      for (String part : name.split("\\.", MAX_DEPTH)) {
        node = node.children.computeIfAbsent(part, any -> new Flattened());
      }
      node.value = value;
    });
    return root.build();
  }

  private JsonValue build() {
    if (children.isEmpty()) {
      return value == null ? JsonObject.EMPTY : value;
    }
    boolean isList =
        value == null && children.keySet().stream().allMatch(name -> name.matches("[0-9]{1,6}"));
    if (isList) {
      return JsonArray.copyOf(children.entrySet().stream()
          .sorted((one, other) ->
              Integer.compare(Integer.parseInt(one.getKey()), Integer.parseInt(other.getKey())))
          .map(entry -> entry.getValue().build())
          .toList());
    }
    JsonObject.Builder object = JsonObject.builder();
    if (value != null) {
      object.add("", value);
    }
    children.forEach((name, child) -> {
      if (!name.isEmpty() || value == null) {
        object.add(name, child.build());
      }
    });
    return object.build();
  }

  /**
   * The attributes with flat names, if some of those that OpenInference flattens are objects, as in
   * the exports of Phoenix.
   */
  static JsonObject names(JsonObject attributes) {
    Map<String, JsonValue> flat = new LinkedHashMap<>();
    boolean isChanged = false;
    for (int i = 0; i < attributes.size(); i++) {
      String name = attributes.name(i);
      JsonValue value = attributes.value(i);
      int dot = name.indexOf('.');
      String root = dot < 0 ? name : name.substring(0, dot);
      boolean isNested = (value instanceof JsonObject object && !object.isEmpty())
          || (value instanceof JsonArray array
              && array.size() > 0
              && array.get(0) instanceof JsonObject);
      if (isNested && ROOTS.contains(root)) {
        flatten(name, value, flat, 0);
        isChanged = true;
      } else {
        put(name, value, flat);
      }
    }
    if (!isChanged) {
      return attributes;
    }
    JsonObject.Builder object = JsonObject.builder();
    flat.forEach(object::add);
    return object.build();
  }

  private static void flatten(
      String name, JsonValue value, Map<String, JsonValue> flat, int depth) {
    if (value instanceof JsonObject object && !object.isEmpty() && depth < MAX_DEPTH) {
      object.forEach((member, inner) -> flatten(name + "." + member, inner, flat, depth + 1));
    } else if (value instanceof JsonArray array
        && array.size() > 0
        && array.get(0) instanceof JsonObject
        && depth < MAX_DEPTH) {
      List<JsonValue> elements = new ArrayList<>(array.values());
      for (int i = 0; i < elements.size(); i++) {
        flatten(name + "." + i, elements.get(i), flat, depth + 1);
      }
    } else {
      put(name, value, flat);
    }
  }

  private static void put(String name, JsonValue value, Map<String, JsonValue> flat) {
    String free = name;
    for (int i = 2; flat.putIfAbsent(free, value) != null; i++) {
      free = name + "." + i;
    }
  }
}
