package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.UncheckedValues;
import dev.agentreplay.model.number.NumberLayout;
import dev.agentreplay.model.text.Surrogates;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes canonical JSON into a growing buffer. A low-level class for writing many values with one
 * buffer; {@link CanonicalJson} suffices for single values. Not safe for use by several threads.
 */
public final class CanonicalWriter {

  private static final int INITIAL_BYTES = 512;
  private static final int MAX_KEPT_BYTES = 2 << 20;
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  /** The amount by which the requested capacity may exceed the bytes that are finally written. */
  private static final int MAX_UNUSED_BYTES = 1024;

  /** Integers of smaller magnitude have the same text in every canonical form. */
  private static final long COMMON_INTEGERS = 1_000_000_000_000_000L;

  /** The minimum number of characters of a text, or the rest of it, that is written in parts. */
  private static final int MIN_LONG = 128;

  private static final char MAX_ASCII = 0x7f;

  private static final byte[] QUOTE = {'"'};

  private static final byte[] HASH_PREFIX = "\"sha256:".getBytes(StandardCharsets.US_ASCII);

  /** Limits that allow as much as an array can hold. */
  public static final JsonLimits UNLIMITED =
      JsonLimits.defaults().withMaxBytes(Integer.MAX_VALUE).withMaxMembers(Integer.MAX_VALUE);

  private final Hasher hasher = new Hasher();
  private final NumberWriter numbers;
  private final KeyOrder keyOrder;
  private final JsonLimits limits;

  /** Whether values that were read with the default limits are within those of this writer. */
  private final boolean copies;

  private byte[] buffer = new byte[INITIAL_BYTES];
  private int size;

  /** The current part of a long text; null before the first one. */
  private @Nullable Latin1Part part;

  /** Whether a string with characters beyond U+FFFF was written. */
  private boolean astral;

  /** Creates a writer with the limits {@link #UNLIMITED} that refuses to round integers. */
  public CanonicalWriter(Canonicalization canonicalization) {
    this(canonicalization, false, UNLIMITED);
  }

  /**
   * Creates a writer. It throws {@link IllegalArgumentException} for a value that a reader with
   * these limits could not read back.
   *
   * @param roundsIntegers whether {@link Canonicalization#JCS} rounds integers instead of refusing
   *     those that it would change
   * @param limits the limits, of which those on bytes and members apply
   */
  public CanonicalWriter(
      Canonicalization canonicalization, boolean roundsIntegers, JsonLimits limits) {
    this.numbers = new NumberWriter(canonicalization, roundsIntegers);
    this.keyOrder = KeyOrder.of(canonicalization);
    this.limits = limits;
    this.copies = limits.maxMembers() >= JsonLimits.defaults().maxMembers();
  }

  /** Discards the bytes written. Keeps the buffer unless it is large. */
  public CanonicalWriter reset() {
    return reset(MAX_KEPT_BYTES);
  }

  /**
   * Discards the bytes written. Keeps the buffer unless it has more than the given number of bytes.
   */
  public CanonicalWriter reset(int maxKeptBytes) {
    size = 0;
    astral = false;
    numbers.reset();
    if (buffer.length > maxKeptBytes) {
      buffer = new byte[INITIAL_BYTES];
    }
    return this;
  }

  /** The number of bytes written. */
  public int size() {
    return size;
  }

  /** A copy of the bytes written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  /** Writes the bytes to a stream in one call. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(buffer, 0, size);
  }

  /** Feeds the bytes written to a digest. */
  public void update(MessageDigest digest) {
    digest.update(buffer, 0, size);
  }

  /**
   * The SHA-256 hash of a range of the bytes written.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   */
  public ContentHash hash(int from, int to) {
    return hasher.hash(buffer, from, to);
  }

  /** The SHA-256 hash of all bytes written. */
  public ContentHash hash() {
    return hash(0, size);
  }

  /** The SHA-256 hash of a value. Replaces the bytes written by the canonical form of the value. */
  public ContentHash hash(JsonValue value) {
    return reset().value(value).hash();
  }

  /**
   * Whether a value has the same bytes in every canonical form. The value must be the only content
   * written since the last reset.
   */
  public boolean isPortable(JsonValue value) {
    return numbers.isPortable() && (!astral || hasCommonNameOrder(value));
  }

  private boolean hasCommonNameOrder(JsonValue value) {
    if (value instanceof JsonArray array) {
      for (JsonValue element : array) { // a stream would take much more of the stack
        if (!hasCommonNameOrder(element)) {
          return false;
        }
      }
      return true;
    }
    if (!(value instanceof JsonObject object)) {
      return true;
    }
    int[] positions = keyOrder.sortedPositions(object);
    for (int i = 0; i < positions.length; i++) {
      if (!hasCommonNameOrder(object.value(i))
          || (i > 0
              && !KeyOrder.isCommon(object.name(positions[i - 1]), object.name(positions[i])))) {
        return false;
      }
    }
    return true;
  }

  /** Writes one ASCII character without escaping. */
  public CanonicalWriter raw(char c) {
    ensure(1);
    buffer[size++] = (byte) c;
    return this;
  }

  /** Writes ASCII text without escaping. */
  @SuppressWarnings("deprecation") // copies exactly the low bytes
  public CanonicalWriter raw(String ascii) {
    ensure(ascii.length());
    ascii.getBytes(0, ascii.length(), buffer, size);
    size += ascii.length();
    return this;
  }

  /** Writes ASCII bytes, starting at an index, without escaping. */
  public CanonicalWriter raw(byte[] ascii, int from) {
    copy(ascii, from, ascii.length);
    return this;
  }

  /** Writes a range of an array without escaping. */
  void copy(byte[] bytes, int from, int to) {
    int length = to - from;
    ensure(length);
    System.arraycopy(bytes, from, buffer, size, length);
    size += length;
  }

  /**
   * Writes a value.
   *
   * @throws IllegalArgumentException if the value contains an integer that the canonicalization
   *     would round, or exceeds the limits
   */
  public CanonicalWriter value(JsonValue value) {
    if (UncheckedValues.lazyText(value) instanceof CanonicalText text
        && copies
        && text.writeTo(this)) {
      return this;
    }
    if (value instanceof JsonString string) {
      string(string.value());
    } else if (value instanceof JsonNumber number) {
      number(number);
    } else if (value instanceof JsonObject object) {
      object(object);
    } else if (value instanceof JsonArray array) {
      raw('[');
      for (int i = 0; i < array.size(); i++) {
        if (i > 0) {
          raw(',');
        }
        value(array.get(i));
      }
      raw(']');
    } else {
      raw(value.toString()); // true, false, null
    }
    return this;
  }

  /** Writes the name of a member and a colon. */
  public CanonicalWriter name(String name) {
    return string(name).raw(':');
  }

  /**
   * Writes a string in quotes.
   *
   * @throws IllegalArgumentException if the string contains a lone surrogate
   */
  public CanonicalWriter string(String text) {
    raw('"');
    int at = text.length() < MIN_LONG ? 0 : asciiParts(text);
    characters(text, at);
    return raw('"');
  }

  /**
   * Writes a long text in parts as far as they are ASCII. Returns the index of the first character
   * that was not written.
   */
  private int asciiParts(String text) {
    int length = text.length();
    ensure(length);
    int at = 0;
    int end = 0;
    while (at == end && length - at >= MIN_LONG) {
      end = Math.min(length, at + Latin1Part.MAX_LENGTH);
      at = ascii(text, at, end);
    }
    return at;
  }

  /**
   * Writes a range of a long text if it is ASCII. Returns the index of the first character that was
   * not written.
   */
  private int ascii(String text, int from, int to) {
    if (text.charAt(from) > MAX_ASCII || text.charAt((from + to) >>> 1) > MAX_ASCII) {
      return from; // most texts that are not ASCII end here
    }
    Latin1Part used = part;
    if (used == null) {
      used = new Latin1Part();
      part = used;
    }
    if (!used.set(text, from, to)) {
      return from;
    }
    byte[] bytes = used.bytes();
    int length = to - from;
    int i = 0;
    while (i < length) {
      int end = JsonScanner.plainEnd(bytes, i, length);
      copy(bytes, i, end);
      i = end;
      if (i < length) {
        if (bytes[i] < 0) {
          return from + i; // not ASCII
        }
        ensure(CharacterWriter.MAX_BYTES);
        size = CharacterWriter.write(bytes[i], buffer, size);
        i++;
      }
    }
    return to;
  }

  /** Writes the characters from an index on, one by one. */
  private void characters(String text, int from) {
    int at = plainCharacters(text, from);
    while (at < text.length()) {
      at = plainCharacters(text, otherCharacters(text, at));
    }
  }

  /**
   * Writes the leading characters from an index on that need no escape. Returns the index after
   * them.
   */
  private int plainCharacters(String text, int from) {
    int length = text.length();
    ensure(length - from);
    byte[] out = buffer;
    int shift = size - from;
    int i = from;
    while (i < length && CharacterWriter.isPlain(text.charAt(i))) {
      out[i + shift] = (byte) text.charAt(i);
      i++;
    }
    size = i + shift;
    return i;
  }

  /** Writes the characters up to the next plain one. Returns the index of that one. */
  private int otherCharacters(String text, int from) {
    int i = from;
    while (i < text.length() && !CharacterWriter.isPlain(text.charAt(i))) {
      int codePoint = text.charAt(i);
      if (Character.isSurrogate((char) codePoint)) {
        codePoint = text.codePointAt(i);
        if (codePoint <= Character.MAX_VALUE) {
          throw Surrogates.lone(text, i);
        }
        astral = true;
      }
      ensure(CharacterWriter.MAX_BYTES);
      size = CharacterWriter.write(codePoint, buffer, size);
      i += Character.charCount(codePoint);
    }
    return i;
  }

  /**
   * Writes a Java object as the JSON value that represents it: a string, an integer, a double, a
   * time or a hash.
   *
   * @throws IllegalArgumentException if the object is of a different type or its value has no JSON
   *     form
   */
  public void plain(Object component) {
    if (component instanceof String text) {
      string(text);
    } else if (component instanceof ContentHash hash) {
      raw(hash.isBare() ? QUOTE : HASH_PREFIX, 0);
      ensure(ContentHash.HEX_LENGTH);
      size = hash.writeHex(buffer, size);
      raw('"');
    } else if (component instanceof Timestamp time) {
      raw('"');
      ensure(Timestamp.MAX_LENGTH);
      size = time.writeTo(buffer, size);
      raw('"');
    } else if (component instanceof Double number) {
      number(number);
    } else if (component instanceof Number number) {
      integer(number.longValue());
    } else {
      throw new IllegalArgumentException(
          "cannot be written as a JSON scalar: " + component.getClass());
    }
  }

  private void integer(long value) {
    if (value <= -COMMON_INTEGERS || value >= COMMON_INTEGERS) {
      number(JsonNumber.of(value));
      return;
    }
    ensure(NumberWriter.MAX_BYTES);
    if (value < 0) {
      buffer[size++] = '-';
    }
    size = NumberLayout.integer(Math.abs(value), buffer, size);
  }

  private void number(double value) {
    if (!Double.isFinite(value)) {
      number(JsonNumber.of(value));
      return;
    }
    ensure(NumberWriter.MAX_BYTES);
    size = numbers.write(value, buffer, size);
  }

  private void number(JsonNumber number) {
    String text = number.text();
    if (isCommonInteger(text)) {
      raw(text);
      return;
    }
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    ensure(NumberWriter.MAX_BYTES);
    try {
      size = numbers.write(ascii, 0, ascii.length, number.isIntegerLiteral(), buffer, size);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Whether the text of a number is an integer with the same form in every canonicalization. */
  private static boolean isCommonInteger(String text) {
    int first = text.charAt(0) == '-' ? 1 : 0;
    if (text.length() > NumberWriter.MAX_COMMON_LENGTH || (first == 1 && text.charAt(1) == '0')) {
      return false;
    }
    for (int i = first; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private void object(JsonObject object) {
    if (object.size() > limits.maxMembers()) {
      throw new IllegalArgumentException(
          "object has more than " + limits.maxMembers() + " members");
    }
    raw('{');
    int[] order = isSorted(object) ? null : keyOrder.sortedPositions(object);
    for (int i = 0; i < object.size(); i++) {
      int position = order == null ? i : order[i];
      if (i > 0) {
        raw(',');
      }
      name(object.name(position)).value(object.value(position));
    }
    raw('}');
  }

  private boolean isSorted(JsonObject object) {
    for (int i = 1; i < object.size(); i++) {
      if (keyOrder.compare(object.name(i - 1), object.name(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private void ensure(int more) {
    long wanted = (long) size + more;
    if (wanted > buffer.length) {
      long most = Math.min(MAX_ARRAY, (long) limits.maxBytes() + MAX_UNUSED_BYTES);
      if (wanted > most) {
        throw new TooLargeException(limits.maxBytes());
      }
      long powerOfTwo = Long.highestOneBit(wanted - 1) << 1;
      buffer = Arrays.copyOf(buffer, (int) Math.min(most, powerOfTwo));
    }
  }
}
