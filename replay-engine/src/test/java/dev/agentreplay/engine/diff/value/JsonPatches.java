package dev.agentreplay.engine.diff.value;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Applies JSON Patches (RFC 6902): add, remove, replace, test, as strictly as it says. */
public final class JsonPatches {

  private JsonPatches() {}

  /** The document that is left; null when all of it was removed. */
  public static JsonValue apply(JsonArray patch, JsonValue document) {
    JsonValue result = document;
    for (JsonValue operation : patch) {
      JsonObject op = operation.asObject();
      String path = op.at("/path").asString();
      JsonValue value = op.get("value");
      result = switch (op.at("/op").asString()) {
        case "test" -> {
          require(result.at(path).equals(value), "test at " + path);
          yield result;
        }
        case "add" -> edit(result, path, "add", value);
        case "remove" -> edit(result, path, "remove", null);
        case "replace" -> edit(result, path, "replace", value);
        default -> throw new IllegalArgumentException("operation " + op);
      };
    }
    return result;
  }

  private static JsonValue edit(JsonValue target, String path, String op, JsonValue value) {
    if (path.isEmpty()) {
      return value;
    }
    int slash = path.indexOf('/', 1);
    String head = path.substring(1, slash < 0 ? path.length() : slash);
    String name = head.replace("~1", "/").replace("~0", "~");
    String rest = slash < 0 ? "" : path.substring(slash);
    return target instanceof JsonArray array
        ? edit(array, Integer.parseInt(name), rest, op, value)
        : edit(target.asObject(), name, rest, op, value);
  }

  private static JsonValue edit(
      JsonArray array, int index, String rest, String op, JsonValue value) {
    List<JsonValue> elements = new ArrayList<>(array.values());
    if (!rest.isEmpty()) {
      elements.set(index, edit(elements.get(index), rest, op, value));
    } else if (op.equals("add")) {
      elements.add(index, value);
    } else if (op.equals("remove")) {
      elements.remove(index);
    } else {
      elements.set(index, value);
    }
    return JsonArray.copyOf(elements);
  }

  private static JsonValue edit(
      JsonObject object, String name, String rest, String op, JsonValue value) {
    if (!rest.isEmpty()) {
      return object.with(name, edit(Objects.requireNonNull(object.get(name)), rest, op, value));
    }
    require(op.equals("add") || object.has(name), op + " of " + name + ", which is not there");
    return op.equals("remove") ? object.without(name) : object.with(name, value);
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException("cannot be applied: " + what);
    }
  }
}
