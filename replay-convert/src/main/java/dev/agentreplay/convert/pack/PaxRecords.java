package dev.agentreplay.convert.pack;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The extended header (pax) of an entry of a tar archive, which overrides the header that follows
 * it.
 *
 * @param path the path, or null
 * @param size the size in bytes, or null
 */
record PaxRecords(@Nullable String path, @Nullable Long size) {

  static final PaxRecords NONE = new PaxRecords(null, null);

  private static final int MAX_SIZE_DIGITS = 18;

  /**
   * Decodes records {@code LENGTH KEY=VALUE\n}, of which only the keys path and size are supported.
   */
  static PaxRecords decode(byte[] bytes) throws MalformedException {
    String path = null;
    Long size = null;
    int from = 0;
    while (from < bytes.length) {
      int space = indexOf(bytes, from, ' ');
      int end = from + length(bytes, from, space);
      if (end > bytes.length || bytes[end - 1] != '\n') {
        throw new MalformedException("a record does not have the length that it states");
      }
      int equals = indexOf(bytes, space + 1, '=');
      if (equals >= end) {
        throw new MalformedException("a record has no value");
      }
      String key = text(bytes, space + 1, equals);
      String value = text(bytes, equals + 1, end - 1);
      if (key.equals("path") && path == null) {
        path = value;
      } else if (key.equals("size") && size == null) {
        size = size(value);
      } else {
        throw new MalformedException("the record \"%s\" is not supported, or occurs twice"
            .formatted(PackFormatException.shown(key)));
      }
      from = end;
    }
    return new PaxRecords(path, size);
  }

  /** Decodes UTF-8 text; returns null if the bytes are not UTF-8. */
  static @Nullable String strictUtf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static int length(byte[] bytes, int from, int to) throws MalformedException {
    int digits = to - from;
    if (digits == 0 || digits > 9 || bytes[from] == '0') {
      throw new MalformedException("a record does not begin with its length");
    }
    int length = 0;
    for (int i = from; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        throw new MalformedException("a record does not begin with its length");
      }
      length = length * 10 + bytes[i] - '0';
    }
    return length;
  }

  private static long size(String text) throws MalformedException {
    if (text.isEmpty()
        || text.length() > MAX_SIZE_DIGITS
        || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new MalformedException("the size is not a number");
    }
    return Long.parseLong(text);
  }

  private static String text(byte[] bytes, int from, int to) throws MalformedException {
    String text = strictUtf8(Arrays.copyOfRange(bytes, from, to));
    if (text == null) {
      throw new MalformedException("a record is not UTF-8");
    }
    return text;
  }

  /** The index of a byte, or of the end. */
  private static int indexOf(byte[] bytes, int from, char wanted) {
    int i = from;
    while (i < bytes.length && bytes[i] != wanted) {
      i++;
    }
    return i;
  }

  /** Thrown when bytes are not supported pax records. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }
  }
}
