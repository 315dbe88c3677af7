package dev.agentreplay.canonical.internal;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/** Writes canonical JSON into a buffer that grows. Not safe for use by several threads. */
public final class CanonicalWriter {

  private static final int INITIAL_BYTES = 512;
  private static final int MAX_KEPT_BYTES = 2 << 20;
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;
  private static final int CHUNK = 1024;

  /** As much as an array can hold. */
  public static final JsonLimits UNLIMITED =
      JsonLimits.defaults().withMaxBytes(Integer.MAX_VALUE).withMaxMembers(Integer.MAX_VALUE);

  private final Hasher hasher = new Hasher();
  private final NumberWriter numbers;
  private final KeyOrder keyOrder;
  private final JsonLimits limits;
  private byte[] buffer = new byte[INITIAL_BYTES];
  private int size;

  /** Whether a string has characters beyond U+FFFF. */
  private boolean astral;

  /** A writer of as much as an array can hold. */
  public CanonicalWriter(Canonicalization canonicalization) {
    this(canonicalization, false, UNLIMITED);
  }

  /**
   * A writer. It refuses with {@link IllegalArgumentException} what could not be read back.
   *
   * @param roundsIntegers whether JCS rounds integers; else it refuses those that it would round
   * @param limits those for bytes and members
   */
  public CanonicalWriter(
      Canonicalization canonicalization, boolean roundsIntegers, JsonLimits limits) {
    this.numbers = new NumberWriter(canonicalization, roundsIntegers);
    this.keyOrder = KeyOrder.of(canonicalization);
    this.limits = limits;
  }

  /** Forgets what was written; the buffer is kept, unless it is large. */
  public CanonicalWriter reset() {
    size = 0;
    astral = false;
    numbers.reset();
    if (buffer.length > MAX_KEPT_BYTES) {
      buffer = new byte[INITIAL_BYTES];
    }
    return this;
  }

  /** The number of bytes written. */
  public int size() {
    return size;
  }

  /** The bytes written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  /** Hands the bytes written to a stream, in one call. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(buffer, 0, size);
  }

  /** Hands the bytes written to a digest. */
  public void update(MessageDigest digest) {
    digest.update(buffer, 0, size);
  }

  /** The hash of a part of what was written. */
  public ContentHash hash(int from, int to) {
    return hasher.hash(buffer, from, to);
  }

  /** The hash of all that was written. */
  public ContentHash hash() {
    return hash(0, size);
  }

  /** The hash of a value, in place of what was written. */
  public ContentHash hash(JsonValue value) {
    return reset().value(value).hash();
  }

  /** Whether a value, which is all that was written, has the same bytes in every canonical form. */
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

  /** Writes one ASCII character as it is. */
  public CanonicalWriter raw(char c) {
    ensure(1);
    buffer[size++] = (byte) c;
    return this;
  }

  /** Writes ASCII text as it is. */
  @SuppressWarnings("deprecation") // exactly the low bytes are wanted
  public CanonicalWriter raw(String ascii) {
    ensure(ascii.length());
    ascii.getBytes(0, ascii.length(), buffer, size);
    size += ascii.length();
    return this;
  }

  /** Writes a value. */
  public CanonicalWriter value(JsonValue value) {
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

  /** Writes a member's name and the colon. */
  public CanonicalWriter name(String name) {
    return string(name).raw(':');
  }

  /** Writes a string in quotes; the text holds no lone surrogates. */
  public CanonicalWriter string(String text) {
    raw('"');
    int i = 0;
    while (i < text.length()) {
      int end = Math.min(i + CHUNK, text.length());
      ensure((end - i + 1) * CharacterWriter.MAX_BYTES);
      while (i < end) {
        char c = text.charAt(i++);
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
          buffer[size++] = (byte) c;
        } else if (Character.isHighSurrogate(c)) {
          astral = true;
          int codePoint = Character.toCodePoint(c, text.charAt(i++));
          size = CharacterWriter.write(codePoint, buffer, size);
        } else {
          size = CharacterWriter.write(c, buffer, size);
        }
      }
    }
    return raw('"');
  }

  private void number(JsonNumber number) {
    String text = number.text();
    boolean integer = number.isIntegerLiteral();
    if (integer && text.length() <= NumberWriter.MAX_COMMON_LENGTH && !text.equals("-0")) {
      raw(text);
      return;
    }
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    ensure(NumberWriter.MAX_BYTES);
    try {
      size = numbers.write(ascii, 0, ascii.length, integer, buffer, size);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
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
      // what is asked for may be more than is written then, so a little room is left
      long most =
          Math.min(MAX_ARRAY, (long) limits.maxBytes() + CHUNK * CharacterWriter.MAX_BYTES * 2);
      if (wanted > most) {
        throw new IllegalArgumentException("larger than " + limits.maxBytes() + " bytes");
      }
      buffer = Arrays.copyOf(buffer, (int) Math.max(wanted, Math.min(most, 2L * buffer.length)));
    }
  }
}
