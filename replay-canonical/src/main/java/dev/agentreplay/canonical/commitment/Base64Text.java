package dev.agentreplay.canonical.commitment;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The text of 32 bytes: base64url without padding (RFC 4648, section 5), 43 characters. */
final class Base64Text {

  static final int BYTES = 32;
  private static final int LENGTH = 43;

  /** The characters whose two lowest bits are zero, as those of the last one must be. */
  private static final String LAST = "AEIMQUYcgkosw048";

  private Base64Text() {}

  static String of(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns the bytes; null unless this is the one text that they have. */
  static byte @Nullable [] tryParse(String text) {
    if (text.length() != LENGTH || LAST.indexOf(text.charAt(LENGTH - 1)) < 0) {
      return null;
    }
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  static byte[] requireLength(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "expected %d bytes, found %d".formatted(BYTES, bytes.length));
    }
    return bytes.clone();
  }
}
