package dev.agentreplay.model.json;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of any Java value, so that a result can be recorded whatever a tool returns. It is
 * that of {@link JsonValue#of}, except that a value which that method rejects is replaced by a
 * text, and its place is listed:
 *
 * <ul>
 *   <li>In a text with a lone surrogate, which has no UTF-8 form (RFC 3629, section 3), the
 *       surrogate is replaced by U+FFFD, and {@link #exactTexts} has the text.
 *   <li>A value of a type without JSON form, or one that is nested too deep, is replaced by its
 *       {@link String#valueOf(Object)} (an object without a {@code toString} of its own by the name
 *       of its class), and {@link #types} has its class.
 * </ul>
 *
 * <p>{@link #mediaTypes} lists the places of bytes, whose JSON form is Base64 text. Immutable and
 * safe for use by several threads.
 */
public final class LenientJson {

  /** The maximum number of media types that are listed, because the list is not in a blob. */
  public static final int MAX_MEDIA_TYPES = 1_000;

  private final JsonValue value;
  private final JsonObject exactTexts;
  private final JsonObject types;
  private final JsonObject mediaTypes;

  private LenientJson(JsonValue value, Lenient conversion) {
    this.value = value;
    this.exactTexts = toObject(conversion.exactTexts);
    this.types = toObject(conversion.types);
    this.mediaTypes = toObject(conversion.mediaTypes);
  }

  /**
   * Converts a value that is to be a member of an object, so that one level of
   * {@link JsonValue#MAX_DEPTH} is left for that object.
   *
   * @param pointer the JSON Pointer of the member, with which the pointers in the lists begin
   */
  public static LenientJson of(@Nullable Object value, String pointer) {
    Lenient conversion = new Lenient(pointer);
    JsonValue json = conversion.toJson(value, Lenient.OUTERMOST);
    return new LenientJson(json, conversion);
  }

  private static JsonObject toObject(List<Map.Entry<String, String>> listed) {
    JsonObject.Builder builder = JsonObject.builder();
    listed.forEach(entry -> builder.add(entry.getKey(), new JsonString(entry.getValue())));
    return builder.build();
  }

  /** The JSON value, nested at most {@link JsonValue#MAX_DEPTH} - 1 levels deep. */
  public JsonValue value() {
    return value;
  }

  /**
   * The original texts in which a lone surrogate was replaced by U+FFFD: for each JSON Pointer the
   * UTF-16BE code units in Base64.
   */
  public JsonObject exactTexts() {
    return exactTexts;
  }

  /**
   * The classes of the values that were replaced by a text: for each JSON Pointer the name of the
   * class.
   */
  public JsonObject types() {
    return types;
  }

  /**
   * The media types of the bytes in the value, of the first {@link #MAX_MEDIA_TYPES} of them: for
   * each JSON Pointer that of the {@link MediaContent}, or {@link MediaContent#BYTES}.
   */
  public JsonObject mediaTypes() {
    return mediaTypes;
  }

  private static final class Lenient extends Conversion {
    /**
     * The depth of the outermost value: one level for the object around it, and one because an
     * empty container at the maximum depth adds a level.
     */
    static final int OUTERMOST = 2;

    final List<Map.Entry<String, String>> exactTexts = new ArrayList<>();
    final List<Map.Entry<String, String>> types = new ArrayList<>();
    final List<Map.Entry<String, String>> mediaTypes = new ArrayList<>();
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
    JsonValue bytes(byte[] bytes, String mediaType) {
      if (mediaTypes.size() < MAX_MEDIA_TYPES) {
        mediaTypes.add(Map.entry(pointer(), mediaType));
      }
      return super.bytes(bytes, mediaType);
    }

    @Override
    JsonValue toJson(@Nullable Object value, int depth) {
      int level = path.size();
      int listed = types.size();
      int exact = exactTexts.size();
      int media = mediaTypes.size();
      try {
        if (value instanceof JsonValue json && depth - 1 + json.depth() > JsonValue.MAX_DEPTH) {
          throw new IllegalArgumentException("nested deeper than " + JsonValue.MAX_DEPTH);
        }
        return super.toJson(value, depth);
      } catch (RuntimeException refused) { // also exceptions of the value's own methods
        path.subList(level, path.size()).clear();
        types.subList(listed, types.size()).clear(); // its text replaces its elements
        exactTexts.subList(exact, exactTexts.size()).clear();
        mediaTypes.subList(media, mediaTypes.size()).clear();
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
      // Object.toString has the identity hash code, which differs from run to run
      return text.equals(type + "@" + Integer.toHexString(System.identityHashCode(value)))
          ? type
          : text;
    } catch (RuntimeException | StackOverflowError e) { // a list that contains itself
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

  /** Whether a code point of a text is a lone surrogate; those in pairs form other code points. */
  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
