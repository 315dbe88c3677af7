package dev.agentreplay.canonical.signature;

import dev.agentreplay.model.text.Excerpt;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Base64 as DSSE requires it. Writes the standard alphabet (RFC 4648, section 4); reads the
 * URL-safe alphabet as well (section 5). Padding is required. In each alphabet, exactly one text is
 * accepted for given bytes.
 */
final class DsseBase64 {

  private DsseBase64() {}

  static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The bytes that a text encodes; null if it is not Base64. */
  static byte @Nullable [] tryDecode(String text) {
    boolean urlSafe = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
    try {
      byte[] bytes = (urlSafe ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
      // the decoders ignore missing padding and surplus bits in the last character
      String spelled =
          (urlSafe ? Base64.getUrlEncoder() : Base64.getEncoder()).encodeToString(bytes);
      return spelled.equals(text) ? bytes : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  /**
   * The bytes that a text encodes.
   *
   * @throws IllegalArgumentException if it is not Base64 with padding
   */
  static byte[] decode(String text) {
    byte[] bytes = tryDecode(text);
    if (bytes == null) {
      throw new IllegalArgumentException("not Base64 with padding: " + Excerpt.of(text));
    }
    return bytes;
  }
}
