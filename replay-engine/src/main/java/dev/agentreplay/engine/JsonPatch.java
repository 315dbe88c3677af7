package dev.agentreplay.engine;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes JSON Patches (RFC 6902) that turn one value into another. */
final class JsonPatch {

  private final List<JsonValue> operations = new ArrayList<>();

  /**
   * The operations that turn left into right, both standing at a pointer; none if they are equal.
   */
  static JsonArray between(String pointer, @Nullable JsonValue left, @Nullable JsonValue right) {
    JsonPatch patch = new JsonPatch();
    if (left == null && right != null) {
      patch.add("add", pointer, right);
    } else if (left != null && right == null) {
      patch.remove(pointer);
    } else if (left != null && right != null) {
      patch.diff(pointer, left, right);
    }
    return JsonArray.copyOf(patch.operations);
  }

  /** A patch that adds a whole document. */
  static JsonArray added(JsonValue document) {
    return JsonArray.of(JsonObject.of("op", "add", "path", "", "value", document));
  }

  /** A patch that leaves nothing of a whole document, and says which it was. */
  static JsonArray removed(JsonValue document) {
    // not a removal, which leaves no document: many implementations refuse that
    return JsonArray.of(
        JsonObject.of("op", "test", "path", "", "value", document),
        JsonObject.of("op", "replace", "path", "", "value", null));
  }

  private void diff(String pointer, JsonValue left, JsonValue right) {
    if (left instanceof JsonObject l && right instanceof JsonObject r) {
      objects(pointer, l, r);
    } else if (left instanceof JsonArray l && right instanceof JsonArray r) {
      arrays(pointer, l, r);
    } else if (!same(left, right)) {
      add("replace", pointer, right);
    }
  }

  private void objects(String pointer, JsonObject left, JsonObject right) {
    left.forEach((name, value) -> {
      JsonValue other = right.get(name);
      if (other == null) {
        remove(child(pointer, name));
      } else {
        diff(child(pointer, name), value, other);
      }
    });
    right.forEach((name, value) -> {
      if (!left.has(name)) {
        add("add", child(pointer, name), value);
      }
    });
  }

  /** Only the part between the elements that both begin and end with is touched. */
  private void arrays(String pointer, JsonArray left, JsonArray right) {
    int shorter = Math.min(left.size(), right.size());
    int from = 0;
    while (from < shorter && same(left.get(from), right.get(from))) {
      from++;
    }
    int suffix = 0;
    while (suffix < shorter - from
        && same(left.get(left.size() - 1 - suffix), right.get(right.size() - 1 - suffix))) {
      suffix++;
    }
    int leftEnd = left.size() - suffix;
    int rightEnd = right.size() - suffix;
    int i = from;
    for (; i < Math.min(leftEnd, rightEnd); i++) {
      diff(child(pointer, Integer.toString(i)), left.get(i), right.get(i));
    }
    for (int j = leftEnd - 1; j >= i; j--) {
      remove(child(pointer, Integer.toString(j)));
    }
    for (int j = i; j < rightEnd; j++) {
      add("add", child(pointer, Integer.toString(j)), right.get(j));
    }
  }

  /** Equal as they are hashed: {@code 1.50} is {@code 1.5}, though it is not the same value. */
  private static boolean same(JsonValue left, JsonValue right) {
    return left.equals(right)
        || Arrays.equals(CanonicalJson.SERDE.bytes(left), CanonicalJson.SERDE.bytes(right));
  }

  private void add(String operation, String pointer, JsonValue value) {
    operations.add(JsonObject.of("op", operation, "path", pointer, "value", value));
  }

  private void remove(String pointer) {
    operations.add(JsonObject.of("op", "remove", "path", pointer));
  }

  private static String child(String pointer, String token) {
    return pointer + "/" + token.replace("~", "~0").replace("/", "~1");
  }
}
