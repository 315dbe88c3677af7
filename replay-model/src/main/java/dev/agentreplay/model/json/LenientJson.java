package dev.agentreplay.model.json;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of any Java value. As {@link JsonValue#of} has it; where that refuses something, a
 * text stands in its place, and the place is listed. So a result can be recorded whatever a tool
 * has returned:
 *
 * <ul>
 *   <li>of a text with half of a surrogate pair, which has no UTF-8 form (RFC 3629, section 3),
 *       U+FFFD stands in the place of the half, and {@link #exactTexts} has the text;
 *   <li>of a value of a type without a JSON form, or one that is nested too deep, its
 *       {@link String#valueOf(Object)} stands in its place (of an object that has no text of its
 *       own, the name of its class), and {@link #types} has its class.
 * </ul>
 *
 * <p>Immutable.
 */
public final class LenientJson {

  private final JsonValue value;
  private final JsonObject exactTexts;
  private final JsonObject types;

  private LenientJson(JsonValue value, JsonObject exactTexts, JsonObject types) {
    this.value = value;
    this.exactTexts = exactTexts;
    this.types = types;
  }

  /**
   * The form of a value that is to be a member of an object, so that one level of
   * {@link JsonValue#MAX_DEPTH} is left for that.
   *
   * @param pointer the JSON Pointer of the place where it will be, for the lists
   */
  public static LenientJson of(@Nullable Object value, String pointer) {
    Lenient conversion = new Lenient(pointer);
    JsonValue json = conversion.toJson(value, Lenient.OUTERMOST);
    return new LenientJson(json, toObject(conversion.exactTexts), toObject(conversion.types));
  }

  private static JsonObject toObject(List<Map.Entry<String, String>> listed) {
    JsonObject.Builder builder = JsonObject.builder();
    listed.forEach(entry -> builder.add(entry.getKey(), new JsonString(entry.getValue())));
    return builder.build();
  }

  /** The value; nested at most {@link JsonValue#MAX_DEPTH} - 1 levels deep. */
  public JsonValue value() {
    return value;
  }

  /**
   * The texts that stand in the value with U+FFFD in the place of half a surrogate pair: by JSON
   * Pointer, their UTF-16BE code units in Base64.
   */
  public JsonObject exactTexts() {
    return exactTexts;
  }

  /**
   * The classes of the values of which a text stands in the value: by JSON Pointer, their names.
   */
  public JsonObject types() {
    return types;
  }

  private static final class Lenient extends Conversion {
    /** One level is that of the object around it; what is at the deepest may not be a container. */
    static final int OUTERMOST = 2;

    final List<Map.Entry<String, String>> exactTexts = new ArrayList<>();
    final List<Map.Entry<String, String>> types = new ArrayList<>();
    private final String root;
    private final List<Object> path = new ArrayList<>();

    Lenient(String root) {
      this.root = root;
    }

    @Override
    void enter(Object step) {
      path.add(step);
    }

    @Override
    void leave() {
      path.remove(path.size() - 1);
    }

    @Override
    JsonValue text(String text) {
      String written = wellFormed(text);
      if (!written.equals(text)) {
        ByteBuffer units = ByteBuffer.allocate(Math.multiplyExact(text.length(), Character.BYTES));
        units.asCharBuffer().put(text);
        exactTexts.add(Map.entry(pointer(), Base64.getEncoder().encodeToString(units.array())));
      }
      return new JsonString(written);
    }

    @Override
    JsonValue toJson(@Nullable Object value, int depth) {
      int level = path.size();
      int listed = types.size();
      int exact = exactTexts.size();
      try {
        if (value instanceof JsonValue json && depth - 1 + json.depth() > JsonValue.MAX_DEPTH) {
          throw new IllegalArgumentException("nested deeper than " + JsonValue.MAX_DEPTH);
        }
        return super.toJson(value, depth);
      } catch (RuntimeException refused) { // also what the value's own methods throw
        path.subList(level, path.size()).clear();
        types.subList(listed, types.size()).clear(); // of what is in it, which its text replaces
        exactTexts.subList(exact, exactTexts.size()).clear();
        types.add(Map.entry(pointer(), value == null ? "null" : value.getClass().getName()));
        return text(describe(value));
      }
    }

    private String pointer() {
      StringBuilder pointer = new StringBuilder(root);
      for (Object step : path) {
        pointer.append('/').append(JsonPointer.escape(step.toString()));
      }
      return pointer.toString();
    }
  }

  private static String describe(@Nullable Object value) {
    String type = value == null ? "null" : value.getClass().getName();
    try {
      String text = String.valueOf(value);
      // the text of an object without one of its own differs in every run
      return text.equals(type + "@" + Integer.toHexString(System.identityHashCode(value)))
          ? type
          : text;
    } catch (RuntimeException | StackOverflowError e) { // a list that holds itself
      return type;
    }
  }

  private static String wellFormed(String text) {
    if (text.codePoints().noneMatch(LenientJson::isSurrogate)) {
      return text;
    }
    return text.codePoints()
        .map(point -> isSurrogate(point) ? '\ufffd' : point)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Of the code points of a text, only halves of pairs are surrogates. */
  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
