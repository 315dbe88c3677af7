package dev.agentreplay.engine.report.embedded;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An image in a recorded text: Base64 (RFC 4648, section 4) or a data URL with it, of a PNG, JPEG,
 * GIF or WebP. Its type follows from its bytes, whatever the log calls it. SVG, which can have
 * scripts, is not an image here.
 *
 * @param type the media type
 * @param width the width in pixels
 * @param height the height in pixels
 * @param data the Base64 text
 */
public record RecordedImage(String type, int width, int height, String data) {

  /** The maximum length of the Base64 text, in characters. */
  public static final int MOST = 4 << 20;

  /** The maximum number of pixels: a small file can be an image that fills the memory. */
  public static final long MOST_PIXELS = 40_000_000;

  private static final int LEAST = 40;
  private static final Pattern URL = Pattern.compile("data:image/[a-zA-Z0-9.+-]{1,40};base64,");
  private static final int JPEG_START = 0xd8;

  /** The image in a text; null if it has none, or one that is too large. */
  public static @Nullable RecordedImage of(String text) {
    int from = 0;
    if (text.startsWith("data:")) {
      int comma = text.indexOf(',');
      if (comma < 0 || comma > 80 || !URL.matcher(text.substring(0, comma + 1)).matches()) {
        return null;
      }
      from = comma + 1;
    }
    int length = text.length() - from;
    if (length < LEAST || length > MOST || length % 4 != 0 || !isImage(text, from)) {
      return null;
    }
    String data = text.substring(from);
    try {
      return of(Base64.getDecoder().decode(data.getBytes(StandardCharsets.ISO_8859_1)), data);
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  private static boolean isImage(String text, int from) {
    return text.startsWith("iVBORw0KGgo", from)
        || text.startsWith("/9j/", from)
        || text.startsWith("R0lGOD", from)
        || text.startsWith("UklGR", from);
  }

  private static @Nullable RecordedImage of(byte[] bytes, String data) {
    if (has(bytes, 1, "PNG\r\n") && has(bytes, 12, "IHDR")) {
      return of("image/png", big(bytes, 16, 4), big(bytes, 20, 4), data);
    } else if (has(bytes, 0, "GIF8")) {
      return of("image/gif", little(bytes, 6, 2), little(bytes, 8, 2), data);
    } else if (has(bytes, 0, "RIFF") && has(bytes, 8, "WEBP")) {
      return ofWebP(bytes, data);
    }
    return ofJpeg(bytes, data);
  }

  private static @Nullable RecordedImage ofWebP(byte[] bytes, String data) {
    String type = "image/webp";
    if (has(bytes, 12, "VP8X")) {
      return of(type, little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1, data);
    } else if (has(bytes, 12, "VP8L")) {
      long bits = little(bytes, 21, 4);
      return of(type, (bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1, data);
    } else if (has(bytes, 12, "VP8 ")) {
      return of(type, little(bytes, 26, 2) & 0x3fff, little(bytes, 28, 2) & 0x3fff, data);
    }
    return null;
  }

  /** The image whose size is in the first frame header (ITU-T T.81, annex B). */
  private static @Nullable RecordedImage ofJpeg(byte[] bytes, String data) {
    if (big(bytes, 0, 2) != (0xff00 | JPEG_START)) {
      return null;
    }
    int at = 2;
    while (at + 9 <= bytes.length && (bytes[at] & 0xff) == 0xff) {
      int marker = bytes[at + 1] & 0xff;
      if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
        return of("image/jpeg", big(bytes, at + 7, 2), big(bytes, at + 5, 2), data);
      }
      at += marker == 0xff ? 1 : 2 + (int) big(bytes, at + 2, 2);
    }
    return null;
  }

  private static @Nullable RecordedImage of(String type, long width, long height, String data) {
    boolean isLarge = Math.max(width, height) > MOST_PIXELS || width * height > MOST_PIXELS;
    return width <= 0 || height <= 0 || isLarge
        ? null
        : new RecordedImage(type, (int) width, (int) height, data);
  }

  private static boolean has(byte[] bytes, int at, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (at + i >= bytes.length || bytes[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** A big-endian number; -1 if the bytes end before it does. */
  private static long big(byte[] bytes, int at, int size) {
    long number = 0;
    for (int i = 0; i < size; i++) {
      number = at + i < bytes.length ? (number << 8) | (bytes[at + i] & 0xff) : -1;
      if (number < 0) {
        return -1;
      }
    }
    return number;
  }

  /** A little-endian number; 0 where the bytes end before it does. */
  private static long little(byte[] bytes, int at, int size) {
    long number = 0;
    for (int i = size - 1; i >= 0; i--) {
      number = (number << 8) | (at + i < bytes.length ? bytes[at + i] & 0xff : 0);
    }
    return number;
  }
}
