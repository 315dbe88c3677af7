package dev.agentreplay.model.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Pointer (RFC 6901): the names and indexes that lead to a value. Immutable.
 *
 * @param tokens the names and indexes, not escaped
 */
public record JsonPointer(List<String> tokens) {

  /** The pointer to the whole value. */
  public static final JsonPointer ROOT = new JsonPointer(List.of());

  /** Copies. */
  public JsonPointer {
    tokens = List.copyOf(tokens);
  }

  /**
   * The pointer that a text is.
   *
   * @throws IllegalArgumentException if it is not a JSON Pointer
   */
  public static JsonPointer parse(String text) {
    if (text.isEmpty()) {
      return ROOT;
    }
    if (text.charAt(0) != '/') {
      throw new IllegalArgumentException("a JSON Pointer begins with '/': " + text);
    }
    requireEscapes(text);
    List<String> tokens = new ArrayList<>();
    for (String token : text.substring(1).split("/", -1)) {
      tokens.add(token.replace("~1", "/").replace("~0", "~"));
    }
    return new JsonPointer(tokens);
  }

  /** A name as it is written in a pointer. */
  public static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /** The pointer to a member or element of what this one leads to. */
  public JsonPointer append(String token) {
    List<String> longer = new ArrayList<>(tokens);
    longer.add(token);
    return new JsonPointer(longer);
  }

  /** The pointer to an element of the array that this one leads to. */
  public JsonPointer append(int index) {
    return append(Integer.toString(index));
  }

  /** The value that it leads to from another one; null where there is none. */
  public @Nullable JsonValue find(JsonValue root) {
    JsonValue value = root;
    for (String token : tokens) {
      value = child(value, token);
      if (value == null) {
        return null;
      }
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

  /** The text of the pointer. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    tokens.forEach(token -> text.append('/').append(escape(token)));
    return text.toString();
  }
}
