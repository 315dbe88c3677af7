package dev.agentreplay.canonical.internal;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.internal.Sha256;
import dev.agentreplay.model.internal.ShortestDouble;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Arrays;

/** Writes canonical JSON into a buffer that grows. Not safe for use by several threads. */
public final class CanonicalWriter {

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };
  private static final String MAX_U64 = "18446744073709551615";
  private static final String MIN_I64 = "-9223372036854775808";
  private static final int INITIAL_BYTES = 512;
  private static final int MAX_KEPT_BYTES = 1 << 20;
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;
  private static final int CHUNK = 1024;
  private static final int MAX_BYTES_PER_CHAR = 6;

  private final MessageDigest digest = Sha256.newDigest();
  private final int maxBytes;
  private byte[] buffer = new byte[INITIAL_BYTES];
  private int size;

  /** A writer of as much as an array can hold. */
  public CanonicalWriter() {
    this(MAX_ARRAY);
  }

  /** A writer of so many bytes; more are refused with {@link IllegalArgumentException}. */
  public CanonicalWriter(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Forgets what was written; the buffer is kept, unless it is large. */
  public CanonicalWriter reset() {
    size = 0;
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
  public void update(MessageDigest other) {
    other.update(buffer, 0, size);
  }

  /** The hash of a part of what was written. */
  public ContentHash hash(int from, int to) {
    digest.update(buffer, from, to - from);
    return ContentHash.of(digest.digest());
  }

  /** The hash of all that was written. */
  public ContentHash hash() {
    return hash(0, size);
  }

  /** The hash of a value, in place of what was written. */
  public ContentHash hash(JsonValue value) {
    return reset().value(value).hash();
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
      ensure((end - i + 1) * MAX_BYTES_PER_CHAR);
      while (i < end) {
        char c = text.charAt(i++);
        if (c >= 0x80) {
          i = nonAscii(text, i, c);
        } else if (c < 0x20 || c == '"' || c == '\\') {
          escape(c);
        } else {
          buffer[size++] = (byte) c;
        }
      }
    }
    return raw('"');
  }

  /** Writes the UTF-8 form of a character, and of the one after it when they are a pair. */
  private int nonAscii(String text, int next, char c) {
    if (c < 0x800) {
      buffer[size++] = (byte) (0xc0 | (c >> 6));
    } else if (Character.isHighSurrogate(c)) {
      int codePoint = Character.toCodePoint(c, text.charAt(next));
      buffer[size++] = (byte) (0xf0 | (codePoint >> 18));
      buffer[size++] = continuation(codePoint >> 12);
      buffer[size++] = continuation(codePoint >> 6);
      buffer[size++] = continuation(codePoint);
      return next + 1;
    } else {
      buffer[size++] = (byte) (0xe0 | (c >> 12));
      buffer[size++] = continuation(c >> 6);
    }
    buffer[size++] = continuation(c);
    return next;
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3f));
  }

  private void escape(char c) {
    buffer[size++] = '\\';
    switch (c) {
      case '"', '\\' -> buffer[size++] = (byte) c;
      case '\b' -> buffer[size++] = 'b';
      case '\f' -> buffer[size++] = 'f';
      case '\n' -> buffer[size++] = 'n';
      case '\r' -> buffer[size++] = 'r';
      case '\t' -> buffer[size++] = 't';
      default -> {
        buffer[size++] = 'u';
        buffer[size++] = '0';
        buffer[size++] = '0';
        buffer[size++] = HEX[c >> 4];
        buffer[size++] = HEX[c & 0xf];
      }
    }
  }

  private void number(JsonNumber number) {
    if (number.isIntegerLiteral() && fits64Bits(number.text())) {
      raw(number.text());
    } else {
      raw(ShortestDouble.toString(number.asDouble()));
    }
  }

  /** Whether an integer literal fits a signed or unsigned 64-bit integer; -0 is a double. */
  private static boolean fits64Bits(String literal) {
    if (literal.charAt(0) != '-') {
      return literal.length() < MAX_U64.length()
          || (literal.length() == MAX_U64.length() && literal.compareTo(MAX_U64) <= 0);
    }
    if (literal.length() == 2 && literal.charAt(1) == '0') {
      return false;
    }
    return literal.length() < MIN_I64.length()
        || (literal.length() == MIN_I64.length() && literal.compareTo(MIN_I64) <= 0);
  }

  private void object(JsonObject object) {
    raw('{');
    int[] order = isSorted(object) ? null : KeyOrder.sortedPositions(object);
    for (int i = 0; i < object.size(); i++) {
      int position = order == null ? i : order[i];
      if (i > 0) {
        raw(',');
      }
      name(object.name(position)).value(object.value(position));
    }
    raw('}');
  }

  private static boolean isSorted(JsonObject object) {
    for (int i = 1; i < object.size(); i++) {
      if (KeyOrder.compare(object.name(i - 1), object.name(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private void ensure(int more) {
    long wanted = (long) size + more;
    if (wanted > buffer.length) {
      // what is asked for may be more than is written then, so a little room is left
      long most = Math.min(MAX_ARRAY, (long) maxBytes + CHUNK * MAX_BYTES_PER_CHAR * 2);
      if (wanted > most) {
        throw new IllegalArgumentException("larger than " + maxBytes + " bytes");
      }
      buffer = Arrays.copyOf(buffer, (int) Math.max(wanted, Math.min(most, 2L * buffer.length)));
    }
  }
}
