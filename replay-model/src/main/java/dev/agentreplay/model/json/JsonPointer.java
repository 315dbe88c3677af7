package dev.agentreplay.model.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Pointer (RFC 6901): the names and indexes on the path to a value. Immutable and safe for
 * use by several threads.
 *
 * @param tokens the names and indexes, not escaped
 */
public record JsonPointer(List<String> tokens) {

  /** The pointer to the whole value. */
  public static final JsonPointer ROOT = new JsonPointer(List.of());

  /** Copies the list. */
  public JsonPointer {
    tokens = List.copyOf(tokens);
  }

  /**
   * Parses a pointer.
   *
   * @throws IllegalArgumentException if the text is not a JSON Pointer
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

  /** Escapes a name for use in a pointer. */
  public static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /** Returns the pointer to a member or element of the value that this pointer refers to. */
  public JsonPointer append(String token) {
    List<String> longer = new ArrayList<>(tokens);
    longer.add(token);
    return new JsonPointer(longer);
  }

  /** Returns the pointer to an element of the array that this pointer refers to. */
  public JsonPointer append(int index) {
    return append(Integer.toString(index));
  }

  /**
   * Returns the value that this pointer refers to within {@code root}; null when that value does
   * not exist.
   */
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

  /**
   * Returns the member of an object or the element of an array that a token names (RFC 6901,
   * section 4); null when it does not exist.
   */
  public static @Nullable JsonValue child(JsonValue value, String token) {
    if (value instanceof JsonObject object) {
      return object.get(token);
    }
    if (value instanceof JsonArray array) {
      int index = arrayIndex(token);
      return index >= 0 && index < array.size() ? array.get(index) : null;
    }
    return null;
  }

  /**
   * Returns the index that a token is in an array (RFC 6901, section 4): that of {@code 0}, or of
   * up to nine digits without a leading zero; -1 for any other text.
   */
  public static int arrayIndex(String token) {
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
