package dev.agentreplay.publish.secret;

import org.jspecify.annotations.Nullable;

/**
 * Decodes the encoded parts of a text, one level deep: escapes of JSON strings and percent-encoding
 * (RFC 3986), or base64, base64url (RFC 4648) and hexadecimal digits. Each character is looked at a
 * bounded number of times.
 */
final class TextDecoder {

  private static final int MIN_BASE64 = 16;
  private static final int MIN_HEX = 32;

  /** The text in place of a part without encoded text. */
  static final String GAP = "\ufffb";

  /** The characters around a decoded segment in which a rule may find its name. */
  private static final int AROUND = 300;

  /** The values of base64 digits of both alphabets; -1 for other characters. */
  private static final byte[] BASE64 = new byte[128];

  static {
    String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int c = 0; c < BASE64.length; c++) {
      BASE64[c] = (byte) digits.indexOf(c);
    }
    BASE64['-'] = 62;
    BASE64['_'] = 63;
  }

  private TextDecoder() {}

  /**
   * Decodes escapes and percent-encoding, and plus signs in the query of a URL, which are spaces
   * there; null if there are none.
   */
  static @Nullable DecodedText unescaped(String text) {
    int escape = text.indexOf('\\');
    int percent = text.indexOf('%');
    int plus = text.indexOf('?') < 0 ? -1 : text.indexOf('+');
    if (escape < 0 && percent < 0 && plus < 0) {
      return null;
    }
    DecodedText decoded = new DecodedText();
    Query query = new Query(text);
    for (int at = first(first(escape, percent), plus);
        at >= 0;
        at = first(first(escape, percent), plus)) {
      int to = at == escape
          ? escape(text, at, decoded)
          : at == percent ? percent(text, at, decoded) : plus(text, at, query, decoded);
      escape = escape >= 0 && escape < to ? text.indexOf('\\', to) : escape;
      percent = percent >= 0 && percent < to ? text.indexOf('%', to) : percent;
      plus = plus >= 0 && plus < to ? text.indexOf('+', to) : plus;
    }
    return decoded.hasSegments() ? decoded.finish(text) : null;
  }

  /** The smaller of two indexes, of which a negative one is none. */
  private static int first(int a, int b) {
    return a < 0 ? b : b < 0 ? a : Math.min(a, b);
  }

  /** Decodes a plus sign. Returns the index after it. */
  private static int plus(String text, int at, Query query, DecodedText decoded) {
    if (query.has(at)) {
      decoded.copy(text, at);
      decoded.add(' ', at + 1);
    }
    return at + 1;
  }

  /** Finds the places of a text, in ascending order, that are in the query of a URL. */
  private static final class Query {
    private final String text;
    private int read;
    private boolean isOpen;

    Query(String text) {
      this.text = text;
    }

    boolean has(int at) {
      for (; read < at; read++) {
        char c = text.charAt(read);
        if (c == '?') {
          isOpen = true;
        } else if (c <= ' ' || c == '"' || c == '<' || c == '>') {
          isOpen = false;
        }
      }
      return isOpen;
    }
  }

  /** Decodes an escape of a JSON string. Returns the index after it. */
  private static int escape(String text, int at, DecodedText decoded) {
    int to = at + 2;
    if (to > text.length()) {
      return to;
    }
    int found = "\"\\/bfnrt".indexOf(text.charAt(at + 1));
    char c;
    if (found >= 0) {
      c = "\"\\/\b\f\n\r\t".charAt(found);
    } else if (text.charAt(at + 1) == 'u' && at + 6 <= text.length()) {
      int value = 0;
      for (int i = at + 2; i < at + 6; i++) {
        value = value << 4 | digit(text.charAt(i));
      }
      if (value < 0) {
        return at + 1;
      }
      c = (char) value;
      to = at + 6;
    } else {
      return at + 1;
    }
    decoded.copy(text, at);
    decoded.add(c, to);
    return to;
  }

  /** Decodes one character in percent-encoding of UTF-8. Returns the index after it. */
  private static int percent(String text, int at, DecodedText decoded) {
    int lead = octet(text, at);
    int more = lead < 0
        ? -1
        : lead < 0x80
            ? 0
            : lead < 0xc2 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : -1;
    if (more < 0) {
      return at + 1;
    }
    int codePoint = more == 0 ? lead : lead & (0x3f >> more);
    for (int i = 1; i <= more; i++) {
      int octet = octet(text, at + 3 * i);
      if (octet < 0x80 || octet > 0xbf) {
        return at + 1;
      }
      codePoint = codePoint << 6 | (octet & 0x3f);
    }
    if (codePoint > Character.MAX_CODE_POINT) {
      return at + 1;
    }
    int to = at + 3 * (more + 1);
    decoded.copy(text, at);
    decoded.add(Character.toString(codePoint), to);
    return to;
  }

  private static int octet(String text, int at) {
    return at + 3 > text.length() || text.charAt(at) != '%'
        ? -1
        : digit(text.charAt(at + 1)) << 4 | digit(text.charAt(at + 2));
  }

  /** The value of a hexadecimal digit; negative for other characters. */
  private static int digit(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  /**
   * Decodes base64, base64url and hexadecimal digits that are those of a printable text; null if
   * there are none. Parts of the text far from them are replaced by {@link #GAP}.
   */
  static @Nullable DecodedText unencoded(String text) {
    DecodedText decoded = null;
    int length = text.length();
    int at = 0;
    int done = 0;
    while (at + MIN_BASE64 <= length) {
      int last = at + MIN_BASE64 - 1;
      int i = last;
      while (i >= at && isDigit(text.charAt(i))) {
        i--;
      }
      if (i >= at) {
        at = i + 1; // no run of that length has this character
        continue;
      }
      int to = last + 1;
      while (to < length && isDigit(text.charAt(to))) {
        to++;
      }
      StringBuilder plain = decode(text, at, to);
      if (plain != null) {
        decoded = decoded == null ? new DecodedText() : decoded;
        skip(text, decoded, done, at);
        while (to < length && text.charAt(to) == '=') {
          to++;
        }
        decoded.add(plain, to);
        done = to;
      }
      at = to;
    }
    if (decoded == null) {
      return null;
    }
    if (length - done > AROUND) {
      decoded.copy(text, done + AROUND);
      decoded.add(GAP, length);
    }
    return decoded.finish(text);
  }

  /** Copies the text between two segments, or if it is long the ends of it. */
  private static void skip(String text, DecodedText decoded, int from, int to) {
    if (to - from > 2 * AROUND) {
      decoded.copy(text, from + AROUND);
      decoded.add(GAP, to - AROUND);
    }
    decoded.copy(text, to);
  }

  private static boolean isDigit(char c) {
    return c < 128 && BASE64[c] >= 0;
  }

  private static @Nullable StringBuilder decode(String text, int from, int to) {
    StringBuilder plain = decodeBase64(text, from, to);
    return plain == null && to - from >= MIN_HEX && (to - from) % 2 == 0
        ? decodeHex(text, from, to)
        : plain;
  }

  private static @Nullable StringBuilder decodeBase64(String text, int from, int to) {
    if ((to - from) % 4 == 1) {
      return null;
    }
    StringBuilder plain = new StringBuilder();
    int bits = 0;
    int count = 0;
    for (int i = from; i < to; i++) {
      bits = bits << 6 | BASE64[text.charAt(i)];
      count += 6;
      if (count >= 8) {
        count -= 8;
        int octet = bits >> count & 0xff;
        if (!isPrintable(octet)) {
          return null;
        }
        plain.append((char) octet);
      }
    }
    return plain;
  }

  private static @Nullable StringBuilder decodeHex(String text, int from, int to) {
    StringBuilder plain = new StringBuilder();
    for (int i = from; i < to; i += 2) {
      int octet = digit(text.charAt(i)) << 4 | digit(text.charAt(i + 1));
      if (!isPrintable(octet)) {
        return null;
      }
      plain.append((char) octet);
    }
    return plain;
  }

  private static boolean isPrintable(int octet) {
    return (octet >= ' ' && octet < 127) || octet == '\n' || octet == '\r' || octet == '\t';
  }
}
