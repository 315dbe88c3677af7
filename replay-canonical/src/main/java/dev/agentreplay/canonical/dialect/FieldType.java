package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalWriter;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a component.
 *
 * @param expected the expected value in words, for messages
 * @param form the form of the value, if it is a common one
 * @param reader the conversion of a value of a different form to a component; returns null if the
 *     value is invalid
 * @param write the conversion of a component to a value
 * @param isPlain whether {@link CanonicalWriter#plain} writes the component in the same form as its
 *     value
 */
record FieldType<T>(
    String expected,
    Form form,
    @Nullable Function<JsonValue, @Nullable T> reader,
    Function<T, JsonValue> write,
    boolean isPlain) {

  /** The common forms, which are read without calling one of many functions. */
  private enum Form {
    VALUE,
    STRING,
    BOOLEAN,
    LONG,
    INT,
    DOUBLE,
    OBJECT,
    ARRAY,
    HASH,
    TIME,
    OTHER
  }

  FieldType(
      String expected, Function<JsonValue, @Nullable T> reader, Function<T, JsonValue> write) {
    this(expected, Form.OTHER, reader, write, false);
  }

  private FieldType(String expected, Form form, Function<T, JsonValue> write) {
    this(expected, form, null, write, PLAIN.contains(form));
  }

  /** The forms of components that {@link CanonicalWriter#plain} writes. */
  private static final Set<Form> PLAIN =
      EnumSet.of(Form.STRING, Form.LONG, Form.INT, Form.DOUBLE, Form.HASH, Form.TIME);

  private static final Pattern VERSION_TEXT = Pattern.compile("\\d+(\\.\\d+)?");

  private static final String MODE = "mode";

  private static final Set<String> ORIGIN_MEMBERS =
      Set.of(MODE, Names.SESSION_ID, Names.TREE_ROOT, Names.TREE_SIZE);

  private static final Pattern UNSIGNED = Pattern.compile("[1-9]\\d{18,19}");

  static final FieldType<JsonValue> VALUE = new FieldType<>("a value", Form.VALUE, value -> value);

  static final FieldType<String> STRING = new FieldType<>("a string", Form.STRING, JsonString::of);

  /** A name, which is not empty. */
  static final FieldType<String> NAME = new FieldType<>(
      "a string that is not empty",
      Form.OTHER,
      value -> value instanceof JsonString text && !text.value().isEmpty() ? text.value() : null,
      JsonString::of,
      true);

  /**
   * The version of a log: a number. REPLAY.jsonl v1 has 1; a later one may have a minor version.
   */
  static final FieldType<String> VERSION = new FieldType<>(
      "a version such as 1",
      value -> value instanceof JsonNumber number
              && VERSION_TEXT.matcher(number.text()).matches()
          ? number.text()
          : null,
      JsonNumber::of);

  static final FieldType<Boolean> BOOLEAN =
      new FieldType<>("a boolean", Form.BOOLEAN, JsonBoolean::of);

  static final FieldType<Long> LONG = new FieldType<>("an integer", Form.LONG, JsonNumber::of);

  static final FieldType<Integer> INT =
      new FieldType<>("a 32-bit integer", Form.INT, JsonNumber::of);

  static final FieldType<Double> DOUBLE = new FieldType<>("a number", Form.DOUBLE, JsonNumber::of);

  static final FieldType<JsonObject> OBJECT = new FieldType<>("an object", Form.OBJECT, o -> o);

  static final FieldType<JsonArray> ARRAY = new FieldType<>("an array", Form.ARRAY, a -> a);

  static final FieldType<ContentHash> HASH = new FieldType<>(
      "\"sha256:\" and 64 lower-case hexadecimal digits",
      Form.HASH,
      hash -> JsonString.of(hash.text()));

  static final FieldType<PromptDelta> PROMPT_DELTA =
      new FieldType<>("a change of a prompt", PromptDelta::find, PromptDelta::json);

  /** The text that producers write if they do not know the hash. */
  private static final JsonString UNKNOWN_HASH = JsonString.of("sha256:unknown");

  private static final String HASH_HINT = "the 64 digits alone are read, too; a producer that"
      + " does not know the hash writes \"sha256:unknown\"";

  static final FieldType<ContentHash> BARE_HASH = new FieldType<>(
      "64 lower-case hexadecimal digits",
      value -> value instanceof JsonString text ? ContentHash.tryParseHex(text.value()) : null,
      hash -> JsonString.of(hash.hex()));

  static final FieldType<Timestamp> TIME = new FieldType<>(
      "an ISO 8601 time with offset", Form.TIME, time -> JsonString.of(time.text()));

  static final FieldType<Salt> SALT = new FieldType<>(
      "256 bits as base64url without padding, 43 characters",
      value -> value instanceof JsonString text ? Salt.tryParse(text.value()) : null,
      salt -> JsonString.of(salt.text()));

  static final FieldType<ReplayOrigin> ORIGIN = new FieldType<>(
      "an object of mode, tree_root, tree_size and, if known, session_id",
      FieldType::origin,
      // with the root as it was written, which may lack its prefix
      origin ->
          origin.json().with(Names.TREE_ROOT, HASH.write.apply(origin.head().root())));

  /** A signature. This library writes a text; other producers use other forms. */
  static final FieldType<JsonValue> SIGNATURE = new FieldType<>(
      "a string, an object or an array",
      value ->
          value instanceof JsonString || value instanceof JsonObject || value instanceof JsonArray
              ? value
              : null,
      value -> value);

  static final FieldType<List<String>> STRINGS = listOf(STRING);

  static final FieldType<List<Long>> LONGS = listOf(LONG);

  static final FieldType<List<SideEffect>> SIDE_EFFECTS = listOf(new FieldType<>(
      "a side effect",
      value ->
          value instanceof JsonString || value instanceof JsonObject ? new SideEffect(value) : null,
      SideEffect::json));

  static final FieldType<Failure> FAILURE = new FieldType<>(
      "an object",
      value -> value instanceof JsonObject object ? new Failure(object) : null,
      Failure::json);

  /** The pieces of a streamed text: an array of pairs of time and length. */
  static final FieldType<Chunks> CHUNKS = new FieldType<>(
      "an array, each a pair of milliseconds and a length", FieldType::chunks, FieldType::pairs);

  static final FieldType<BlobRef> BLOB =
      new FieldType<>("an object of blob and bytes", FieldType::blob, FieldType::reference);

  /** A status, read in any spelling and written in that of a dialect. */
  static FieldType<Status> status(Function<Status, String> spelling) {
    return new FieldType<>(
        "a status",
        value -> value instanceof JsonString text ? Status.parse(text.value()) : null,
        status -> JsonString.of(spelling.apply(status)));
  }

  /** An array whose elements are all of one type. */
  static <E> FieldType<List<E>> listOf(FieldType<E> element) {
    return new FieldType<>(
        "an array, each " + element.expected,
        value -> {
          if (!(value instanceof JsonArray array)) {
            return null;
          }
          List<E> elements = new ArrayList<>(array.size());
          for (JsonValue json : array) {
            E one = element.read(json);
            if (one == null) {
              return null;
            }
            elements.add(one);
          }
          return elements;
        },
        elements -> JsonArray.copyOf(elements.stream().map(element.write).toList()));
  }

  /** Converts a value to a component; null if the value is invalid. */
  @SuppressWarnings("unchecked") // each form is that of the constant with its type
  @Nullable
  T read(JsonValue value) {
    Object component =
        switch (form) {
          case VALUE -> value;
          case STRING -> text(value);
          case BOOLEAN -> value instanceof JsonBoolean bool ? bool.value() : null;
          case LONG -> integer(value);
          case INT -> int32(value);
          case DOUBLE -> value instanceof JsonNumber number ? number.asDouble() : null;
          case OBJECT -> value instanceof JsonObject ? value : null;
          case ARRAY -> value instanceof JsonArray ? value : null;
          case HASH -> value instanceof JsonString text ? JsonText.findHash(text) : null;
          case TIME -> value instanceof JsonString text ? JsonText.findTime(text) : null;
          case OTHER -> Objects.requireNonNull(reader).apply(value);
        };
    return (T) component;
  }

  /** Whether a value is the placeholder for a hash that the producer does not know. */
  boolean isUnknownHash(JsonValue value) {
    return isHash() && value.equals(UNKNOWN_HASH);
  }

  /** Advice for correcting an invalid value; null if there is none. */
  @Nullable
  String hint() {
    return isHash() ? HASH_HINT : null;
  }

  private boolean isHash() {
    return form == Form.HASH;
  }

  /** Whether a value is an array or object without elements. */
  static boolean isEmpty(JsonValue value) {
    return (value instanceof JsonArray array && array.size() == 0)
        || (value instanceof JsonObject object && object.isEmpty());
  }

  /** The list, or null if it is empty, so that an extra member may be written instead. */
  static <E> @Nullable List<E> unlessEmpty(List<E> list) {
    return list.isEmpty() ? null : list;
  }

  private static @Nullable String text(JsonValue value) {
    return value instanceof JsonString text ? text.value() : null;
  }

  /** Whether a number is an integer of 64 bits without a sign, and too large for a long. */
  static boolean isBeyondLong(JsonNumber number) {
    return UNSIGNED.matcher(number.text()).matches()
        && Long.compareUnsigned(unsigned(number.text()), Long.MAX_VALUE) > 0;
  }

  private static long unsigned(String digits) {
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException beyond64Bits) {
      return 0;
    }
  }

  private static @Nullable Long integer(JsonValue value) {
    try {
      return value instanceof JsonNumber number ? number.asLong() : null;
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
  }

  private static @Nullable Integer int32(JsonValue value) {
    Long number = integer(value);
    return number != null && number == number.intValue() ? number.intValue() : null;
  }

  /** The pieces, or null if there are none, so that the member is left out. */
  static @Nullable Chunks unlessEmpty(Chunks chunks) {
    return chunks.isEmpty() ? null : chunks;
  }

  private static @Nullable Chunks chunks(JsonValue value) {
    if (!(value instanceof JsonArray array)) {
      return null;
    }
    Chunks.Builder chunks = Chunks.builder();
    for (JsonValue element : array) {
      if (!(element instanceof JsonArray pair) || pair.size() != 2) {
        return null;
      }
      Long offset = integer(pair.get(0));
      Long length = integer(pair.get(1));
      if (offset == null || length == null || length != length.intValue()) {
        return null;
      }
      chunks.add(offset, length.intValue());
    }
    return chunks.build();
  }

  private static JsonValue pairs(Chunks chunks) {
    List<JsonValue> pairs = new ArrayList<>(chunks.size());
    for (int i = 0; i < chunks.size(); i++) {
      pairs.add(JsonArray.of(chunks.offsetMillis(i), chunks.length(i)));
    }
    return JsonArray.copyOf(pairs);
  }

  /** Refuses members that it does not know, because the event could not write them back. */
  private static @Nullable ReplayOrigin origin(JsonValue value) {
    if (!(value instanceof JsonObject object)
        || !ORIGIN_MEMBERS.containsAll(object.names())
        || !(object.get(MODE) instanceof JsonString mode)
        || !(object.get(Names.TREE_ROOT) instanceof JsonString rootText)
        || !(object.get(Names.TREE_SIZE) instanceof JsonNumber lines)) {
      return null;
    }
    ContentHash root = HASH.read(rootText);
    Long size = integer(lines);
    String session = object.get(Names.SESSION_ID) instanceof JsonString text ? text.value() : null;
    return root == null || size == null || (session == null && object.has(Names.SESSION_ID))
        ? null
        : new ReplayOrigin(session, new TreeHead(size, root), mode.value());
  }

  private static JsonValue reference(BlobRef ref) {
    JsonObject.Builder builder = JsonObject.builder()
        .add("blob", JsonString.of(ref.blob().toString()))
        .add("bytes", JsonNumber.of(ref.bytes()));
    ref.extra().forEach(builder::add);
    return builder.build();
  }

  private static @Nullable BlobRef blob(JsonValue value) {
    if (!(value instanceof JsonObject object)) {
      return null;
    }
    JsonValue blob = object.get("blob");
    JsonValue bytes = object.get("bytes");
    ContentHash hash = blob instanceof JsonString text ? ContentHash.tryParse(text.value()) : null;
    Long size = bytes == null ? null : integer(bytes);
    return hash == null || size == null
        ? null
        : new BlobRef(hash, size, object.without("blob", "bytes"));
  }
}
