package dev.agentreplay.canonical.signature;

import dev.agentreplay.model.text.Excerpt;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Base64 as DSSE allows it: written in the standard alphabet (RFC 4648, section 4), read in the
 * URL-safe one too (section 5), and with padding. Bytes have one spelling in each.
 */
final class DsseBase64 {

  private DsseBase64() {}

  static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The bytes that a text stands for; null when it is not Base64. */
  static byte @Nullable [] tryDecode(String text) {
    boolean urlSafe = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
    try {
      byte[] bytes = (urlSafe ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
      // the decoders ignore bits that the last character should not have, and missing padding
      String spelled =
          (urlSafe ? Base64.getUrlEncoder() : Base64.getEncoder()).encodeToString(bytes);
      return spelled.equals(text) ? bytes : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  /** The bytes that a text stands for; refuses other text. */
  static byte[] decode(String text) {
    byte[] bytes = tryDecode(text);
    if (bytes == null) {
      throw new IllegalArgumentException("not Base64 with padding: " + Excerpt.of(text));
    }
    return bytes;
  }
}
