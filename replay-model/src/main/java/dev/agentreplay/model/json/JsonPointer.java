package dev.agentreplay.model.json;

import org.jspecify.annotations.Nullable;

/** Evaluates JSON Pointers (RFC 6901). */
final class JsonPointer {

  private JsonPointer() {}

  static @Nullable JsonValue find(JsonValue root, String pointer) {
    if (pointer.isEmpty()) {
      return root;
    }
    if (pointer.charAt(0) != '/') {
      throw new IllegalArgumentException("a JSON Pointer begins with '/': " + pointer);
    }
    requireEscapes(pointer);
    JsonValue value = root;
    for (String token : pointer.substring(1).split("/", -1)) {
      JsonValue child = child(value, token.replace("~1", "/").replace("~0", "~"));
      if (child == null) {
        return null;
      }
      value = child;
    }
    return value;
  }

  private static @Nullable JsonValue child(JsonValue value, String token) {
    if (value instanceof JsonObject object) {
      return object.get(token);
    }
    if (value instanceof JsonArray array) {
      int index = arrayIndex(token);
      return index >= 0 && index < array.size() ? array.get(index) : null;
    }
    return null;
  }

  /** {@code 0} or digits without a leading zero; -1 for anything else. */
  private static int arrayIndex(String token) {
    if (token.isEmpty() || token.length() > 9 || (token.length() > 1 && token.charAt(0) == '0')) {
      return -1;
    }
    int index = 0;
    for (int i = 0; i < token.length(); i++) {
      char c = token.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      index = index * 10 + (c - '0');
    }
    return index;
  }

  private static void requireEscapes(String pointer) {
    for (int i = pointer.indexOf('~'); i >= 0; i = pointer.indexOf('~', i + 1)) {
      if (i + 1 == pointer.length()
          || (pointer.charAt(i + 1) != '0' && pointer.charAt(i + 1) != '1')) {
        throw new IllegalArgumentException("'~' without 0 or 1 in JSON Pointer: " + pointer);
      }
    }
  }
}
