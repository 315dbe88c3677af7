package dev.agentreplay.canonical;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.UncheckedValues;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses one JSON value from UTF-8 bytes and detects whether the bytes are its canonical form. Does
 * not recurse, so deep nesting cannot overflow the stack. Not safe for use by several threads.
 * Keeps its buffers, the shapes of objects, and caches of names, short strings and numbers, for the
 * next text.
 */
final class JsonParser extends JsonScanner {

  /** The parsers for the next callers with default limits. */
  private static final IdlePool<JsonParser> IDLE = new IdlePool<>();

  /** The maximum length of a cached string; longer ones, such as times, seldom recur. */
  static final int MAX_KNOWN_STRING = 16;

  /** The maximum number of digits of an integer that has a shared instance. */
  private static final int MAX_SMALL_LENGTH = 3;

  /** The number of names without a shape after which the shapes are collected again. */
  private static final int MAX_SHAPELESS = 1 << 12;

  private static final int INITIAL_VALUES = 64;
  private static final int MAX_KEPT_VALUES = 1 << 14;
  private static final int INITIAL_DEPTH = 16;
  private static final int MAX_KEPT_BYTES = 1 << 18;

  private final NumberForms numbers = new NumberForms();
  private final LazyMembers lazy;
  private final TextCache<String> nameCache = new TextCache<>();
  private final TextCache<JsonString> stringCache = new TextCache<>();

  /** The values of the open containers, after an empty slot for each container itself. */
  private @Nullable JsonValue[] values = new JsonValue[INITIAL_VALUES];

  private int top;
  private int highest;

  private ObjectShape noNames = ObjectShape.root();
  private int shapeless;

  /** The names of the members of the open objects that have no shape. */
  @Nullable
  String[] names = new String[INITIAL_VALUES];

  /** The offsets in the text of the names of the members of the open objects. */
  private int[] nameAts = new int[INITIAL_VALUES];

  private int nameTop;
  private int highestName;

  /**
   * For each open container, the index of its first value; for an array, the complement of the
   * index.
   */
  private int[] open = new int[INITIAL_DEPTH];

  /** For each open container, the index of its first name. */
  private int[] openNames = new int[INITIAL_DEPTH];

  /**
   * For each open container, the depth of its values so far; the first entry is for the whole text.
   */
  private int[] deepest = new int[INITIAL_DEPTH + 1];

  /** For each open object, its shape so far; null if it has none. */
  private @Nullable ObjectShape[] shapes = new ObjectShape[INITIAL_DEPTH];

  /** For each open object without a shape, whether its names are unsorted. */
  private boolean[] unsorted = new boolean[INITIAL_DEPTH];

  private int depth;

  private byte[] decoded = {};

  /** Whether long values are parsed later. */
  private boolean isLazy;

  private boolean canonical;
  private boolean portable;

  JsonParser(JsonLimits limits) {
    super(limits.withMaxDepth(Math.min(limits.maxDepth(), JsonValue.MAX_DEPTH)));
    lazy = new LazyMembers(this.limits, numbers);
  }

  /** A parser with default limits; the caller must {@link #release} it after use. */
  static JsonParser acquire() {
    JsonParser idle = IDLE.take();
    return idle == null ? new JsonParser(JsonLimits.defaults()) : idle;
  }

  /** Returns the parser for use by the next caller, after {@link #clear}. */
  void release() {
    clear();
    giveBack();
  }

  /** Returns the parser, which was cleared, for use by the next caller. */
  void giveBack() {
    IDLE.give(this);
  }

  /**
   * Drops the text, the values and large buffers, and keeps no names but those of shapes. To be
   * called after each text.
   */
  void clear() {
    forget();
    lazy.forget();
    highest = Math.max(highest, top);
    highestName = Math.max(highestName, nameTop);
    if (Math.max(highest, highestName) > MAX_KEPT_VALUES) {
      values = new JsonValue[INITIAL_VALUES];
      names = new String[INITIAL_VALUES];
      nameAts = new int[INITIAL_VALUES];
    } else {
      Arrays.fill(values, 0, highest, null);
      Arrays.fill(names, 0, highestName, null);
    }
    top = 0;
    nameTop = 0;
    highest = 0;
    highestName = 0;
    if (decoded.length > MAX_KEPT_BYTES) {
      decoded = new byte[0];
    }
    if (shapeless > MAX_SHAPELESS) {
      shapeless = 0;
      noNames = ObjectShape.root();
      Arrays.fill(shapes, null);
    }
  }

  JsonValue parse(byte[] text, int from, int textTo) {
    return parse(text, from, textTo, false);
  }

  /**
   * Parses a text.
   *
   * @param lazily whether long members of an outermost object whose text is canonical are parsed
   *     when they are first used; the text must not be changed then
   */
  JsonValue parse(byte[] text, int from, int textTo, boolean lazily) {
    isLazy = lazily;
    lazy.begin();
    depth = 0;
    top = 0;
    nameTop = 0;
    deepest[0] = 0;
    canonical = true;
    portable = true;
    begin(text, from, textTo);
    do {
      while (opensContainer()) {}
      while (depth > 0 && closesContainer()) {}
    } while (depth > 0);
    end();
    JsonValue value = values[0];
    if (value == null) {
      throw new IllegalStateException("no value was read");
    }
    return value;
  }

  /** Whether the text is known to be the canonical form {@code serde} of its value. */
  boolean isCanonical() {
    return canonical && !spaced;
  }

  /**
   * Whether a text that {@link #isCanonical} is known to be canonical in every canonicalization.
   */
  boolean isPortable() {
    return portable;
  }

  /** The offsets of the names of an object that is the whole text. */
  int[] nameOffsets(JsonObject object, int from) {
    int[] offsets = new int[object.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = nameAts[i] - from;
    }
    return offsets;
  }

  /** Parses a value. Returns true if it opened a container whose first value comes next. */
  private boolean opensContainer() {
    int c = at(at);
    switch (c) {
      case '"' -> push(string(), 0);
      case '{' -> {
        return !skipsContainer() && opensObject();
      }
      case '[' -> {
        return !skipsContainer() && opensArray();
      }
      case 't' -> literal("true", JsonBoolean.TRUE);
      case 'f' -> literal("false", JsonBoolean.FALSE);
      case 'n' -> literal("null", JsonNull.NULL);
      default -> {
        if (c != '-' && !isDigit(c)) {
          throw unexpected("a JSON value");
        }
        push(number(), 0);
      }
    }
    return false;
  }

  /** Whether the value at the current index may be parsed later, if it is long enough. */
  private boolean mayBeLazy() {
    return isLazy && depth == 1 && open[0] >= 0;
  }

  /** Moves past the array or object at the current index if it is parsed later. */
  private boolean skipsContainer() {
    JsonValue skipped = mayBeLazy() ? lazy.container(this) : null;
    if (skipped == null) {
      return false;
    }
    push(skipped, skipped.depth());
    at = lazy.end();
    return true;
  }

  private boolean opensObject() {
    openBracket(depth);
    if (skip('}')) {
      push(JsonObject.EMPTY, 1);
      return false;
    }
    open(top + 1);
    name();
    return true;
  }

  private boolean opensArray() {
    openBracket(depth);
    if (skip(']')) {
      push(JsonArray.EMPTY, 1);
      return false;
    }
    open(~(top + 1));
    return true;
  }

  private void open(int first) {
    if (depth == open.length) {
      openNames = Arrays.copyOf(openNames, depth * 2);
      unsorted = Arrays.copyOf(unsorted, depth * 2);
      shapes = Arrays.copyOf(shapes, depth * 2);
      deepest = Arrays.copyOf(deepest, depth * 2 + 1);
      open = Arrays.copyOf(open, depth * 2); // last: its length is that of all
    }
    ensureRoom();
    top++;
    open[depth] = first;
    openNames[depth] = nameTop;
    shapes[depth] = noNames;
    unsorted[depth] = false;
    depth++;
    deepest[depth] = 0;
  }

  /** Continues after a value in a container. Returns true if that value was the last one. */
  private boolean closesContainer() {
    int first = open[depth - 1];
    if (first < 0) {
      if (hasNextElement()) {
        return false;
      }
      closeArray(~first);
    } else {
      if (hasNextMember()) {
        name();
        return false;
      }
      closeObject(first);
    }
    return true;
  }

  private void closeArray(int first) {
    JsonValue[] elements = Arrays.copyOfRange(values, first, top);
    int ownDepth = deepest[depth] + 1;
    close(first);
    push(UncheckedValues.array(elements, ownDepth), ownDepth);
  }

  private void closeObject(int first) {
    int ownDepth = deepest[depth] + 1;
    int firstName = openNames[depth - 1];
    ObjectShape shape = shapes[depth - 1];
    JsonObject object;
    if (shape != null && shape.ascends) {
      object =
          UncheckedValues.object(shape.names(), Arrays.copyOfRange(values, first, top), ownDepth);
    } else if (shape == null && !unsorted[depth - 1]) {
      object = UncheckedValues.object(
          Arrays.copyOfRange(names, firstName, nameTop),
          Arrays.copyOfRange(values, first, top),
          ownDepth);
    } else {
      if (shape != null) {
        shape.copyNames(names, firstName);
      }
      object = unsorted(firstName, first);
    }
    highestName = Math.max(highestName, nameTop);
    nameTop = firstName;
    close(first);
    push(object, ownDepth);
  }

  private JsonObject unsorted(int firstName, int first) {
    canonical = false;
    JsonObject.Builder builder = JsonObject.builder();
    for (int i = firstName; i < nameTop; i++) {
      String name = nameOf(i);
      if (!builder.addIfAbsent(name, Objects.requireNonNull(values[first + i - firstName]))) {
        throw duplicate(nameAts[i], JsonString.of(name).toString());
      }
    }
    return builder.build();
  }

  /** The name of a parsed member of an object without a shape. */
  private String nameOf(int member) {
    return Objects.requireNonNull(names[member]);
  }

  /** Frees the slots of a container that ends. */
  private void close(int first) {
    highest = Math.max(highest, top);
    top = first - 1;
    depth--;
  }

  private void push(JsonValue value, int valueDepth) {
    ensureRoom();
    values[top++] = value;
    if (valueDepth > deepest[depth]) {
      deepest[depth] = valueDepth;
    }
  }

  private void ensureRoom() {
    if (top == values.length) {
      values = Arrays.copyOf(values, top * 2);
    }
  }

  private void name() {
    int nameAt = at;
    int first = openNames[depth - 1];
    if (nameTop == nameAts.length) {
      names = Arrays.copyOf(names, nameTop * 2);
      nameAts = Arrays.copyOf(nameAts, nameTop * 2);
    }
    ObjectShape shape = shapes[depth - 1];
    ObjectShape likely = shape == null ? null : shape.likely(bytes, at, to);
    if (likely != null && nameTop - first < limits.maxMembers()) {
      shapes[depth - 1] = likely;
      at += likely.length();
      skipWhiteSpace();
    } else {
      unexpectedName(shape, first);
    }
    nameAts[nameTop++] = nameAt;
  }

  /** Parses a name that is not the likely one. */
  private void unexpectedName(@Nullable ObjectShape shape, int first) {
    requireName();
    if (nameTop - first == limits.maxMembers()) {
      throw tooManyMembers();
    }
    boolean wasCanonical = canonical;
    canonical = true;
    String name = nameText();
    boolean isPlain = canonical;
    canonical &= wasCanonical;
    ObjectShape next = shape == null || !isPlain ? null : shape.with(name);
    if (next == null) {
      if (shape != null) {
        shape.copyNames(names, first);
        unsorted[depth - 1] = !shape.ascends;
      }
      shapeless++;
      names[nameTop] = name;
      if (nameTop > first && !ascends(nameOf(nameTop - 1), name)) {
        unsorted[depth - 1] = true;
      }
    }
    shapes[depth - 1] = next;
    skipColon();
  }

  /** Whether a name sorts before the next one; in most cases the first characters decide. */
  private static boolean ascends(String name, String next) {
    return (!name.isEmpty() && !next.isEmpty() && name.charAt(0) < next.charAt(0))
        || name.compareTo(next) < 0;
  }

  private String nameText() {
    int start = at + 1;
    int end = plainEnd(start);
    if (end == to || bytes[end] != '"') {
      canonical = false; // the orders of names may disagree on names that are not ASCII
      return decode(start, end);
    }
    at = end + 1;
    if (end - start > TextCache.MAX_LENGTH) {
      return ascii(start, end);
    }
    String known = nameCache.find(bytes, start, end);
    if (known == null) {
      known = ascii(start, end).intern(); // interned names of events are found by identity
      nameCache.put(known);
    }
    return known;
  }

  private void literal(String text, JsonValue value) {
    skipLiteral(text);
    push(value, 0);
  }

  private JsonNumber number() {
    int start = at;
    boolean integer = skipNumber();
    int length = at - start;
    if (integer && NumberWriter.isCommon(bytes, start, length)) {
      return length <= MAX_SMALL_LENGTH && bytes[start] != '-'
          ? small(start)
          : UncheckedValues.number(ascii(start, at));
    }
    NumberForms.Form number;
    try {
      number = numbers.of(bytes, start, at, integer);
    } catch (IllegalArgumentException beyondRange) {
      throw error(Reason.NUMBER_RANGE, start, String.valueOf(beyondRange.getMessage()));
    }
    canonical &= number.canonical();
    portable &= number.portable();
    return number.value();
  }

  private JsonNumber small(int start) {
    int value = 0;
    for (int i = start; i < at; i++) {
      value = value * 10 + (bytes[i] - '0');
    }
    return UncheckedValues.smallNumber(value);
  }

  /** Parses a string; fast as long as it is ASCII without escapes. */
  private JsonString string() {
    int start = at + 1;
    int end = plainEnd(start);
    boolean isPlain = end < to && bytes[end] == '"';
    if (mayBeLazy() && (!isPlain || end - start > MAX_KNOWN_STRING)) {
      JsonString skipped = lazy.string(this, end, isPlain);
      if (skipped != null) {
        at = lazy.end();
        return skipped;
      }
    }
    if (!isPlain) {
      return UncheckedValues.string(decode(start, end));
    }
    at = end + 1;
    if (end - start > MAX_KNOWN_STRING) {
      return UncheckedValues.string(ascii(start, end));
    }
    JsonString known = stringCache.find(bytes, start, end);
    if (known == null) {
      known = UncheckedValues.string(ascii(start, end));
      stringCache.put(known);
    }
    return known;
  }

  private String ascii(int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }

  /**
   * Parses a string that has a byte that is not plain.
   *
   * @param start the index of the first byte after the opening quote
   * @param plainTo the index of the first byte that is not plain
   */
  private String decode(int start, int plainTo) {
    if (decoded.length < to - start + Long.BYTES) {
      decoded = new byte[Math.max(to - start + Long.BYTES, decoded.length * 2)];
    }
    byte[] in = bytes;
    byte[] out = decoded;
    int o = plainTo - start;
    System.arraycopy(in, start, out, 0, o);
    boolean ascii = true;
    int i = plainTo;
    while (true) {
      if (i >= to) {
        throw unterminated();
      }
      byte b = in[i];
      if (b == '"') {
        break;
      }
      if (b == '\\') {
        int c = i + 1 < to && in[i + 1] >= 0 ? ESCAPED[in[i + 1]] : 0;
        if (c != 0) {
          out[o++] = (byte) c;
          i += 2;
        } else {
          at = i;
          int codePoint = escape();
          o = append(codePoint, out, o, i);
          ascii &= codePoint < 0x80;
          i = at;
        }
      } else if (b < 0) {
        ascii = false;
        at = i;
        for (int end = i + sequenceLength(); i < end; i++) {
          out[o++] = in[i];
        }
      } else if (b < ' ') {
        throw controlCharacter(i);
      } else {
        out[o++] = b;
        i++;
      }
      while (i <= to - Long.BYTES) {
        long eight = (long) LONG.get(in, i);
        LONG.set(out, o, eight);
        long special = special(eight);
        if (special != 0) {
          int plain = Long.numberOfTrailingZeros(special) >>> 3;
          i += plain;
          o += plain;
          break;
        }
        i += Long.BYTES;
        o += Long.BYTES;
      }
    }
    at = i + 1;
    return new String(out, 0, o, ascii ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  /** Appends the code point of an escape sequence that began at an index and ends here. */
  private int append(int codePoint, byte[] out, int o, int start) {
    int end = CharacterWriter.write(codePoint, out, o);
    canonical &= Arrays.equals(out, o, end, bytes, start, at);
    if (codePoint < 0x80) {
      out[o] = (byte) codePoint;
      return o + 1;
    }
    return end;
  }
}
