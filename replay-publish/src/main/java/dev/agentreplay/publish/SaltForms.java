package dev.agentreplay.publish;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.agentreplay.model.Salt;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * The texts in which the salt of a log may be printed: base64url, Base64, hexadecimal digits,
 * numbers of bytes, and Base64 of a text that has it. A text that has more than half of one of them
 * has one of its parts. Immutable.
 */
final class SaltForms {

  /** The characters that are left out when a text is searched: a form may be wrapped or grouped. */
  private static final boolean[] IS_SEPARATOR = separators();

  /** The number of characters that are read at a time. */
  private static final int PIECE = 1 << 16;

  /** More than the length of the longest part. */
  private static final int OVERLAP = 32;

  /** The length of the shortest part. */
  private static final int SHORTEST = 11;

  /** The number of characters that are looked up at once. */
  private static final int BLOCK = 3;

  private static final int BLOCKS = 1 << 12;

  private final List<char[]> parts = new ArrayList<>();

  /** For the characters at an index, by {@link #block}, how far the next part is at least. */
  private final byte[] shifts = new byte[BLOCKS];

  private SaltForms(Salt salt) {
    byte[] bytes = salt.toBytes();
    List<String> texts = texts(salt);
    Arrays.fill(shifts, (byte) (SHORTEST - BLOCK + 1));
    add(texts.get(0), SHORTEST);
    add(texts.get(1), SHORTEST);
    add(texts.get(2), 16);
    add(texts.get(3), 16);
    StringBuilder numbers = new StringBuilder();
    StringBuilder signed = new StringBuilder();
    for (byte octet : bytes) {
      numbers.append(octet & 0xff);
      signed.append(octet);
    }
    add(numbers.toString(), 18);
    add(signed.toString(), 18);
    for (int shift = 0; shift < 3; shift++) { // where the salt begins in a group of three bytes
      byte[] shifted = ("x".repeat(shift) + salt.text()).getBytes(US_ASCII);
      String encoded = Base64.getEncoder().withoutPadding().encodeToString(shifted);
      add(encoded.substring(shift == 0 ? 0 : 4, encoded.length() - 3), 14);
    }
    add(HexFormat.of().formatHex(salt.text().getBytes(US_ASCII)), 20);
  }

  /** The salt in base64url, Base64, lower-case and upper-case hexadecimal digits. */
  static List<String> texts(Salt salt) {
    byte[] bytes = salt.toBytes();
    String hex = HexFormat.of().formatHex(bytes);
    return List.of(
        salt.text(),
        Base64.getEncoder().withoutPadding().encodeToString(bytes),
        hex,
        hex.toUpperCase(Locale.ROOT));
  }

  static SaltForms of(Salt salt) {
    return new SaltForms(salt);
  }

  /** Adds the parts of a form, without separators. */
  private void add(String form, int length) {
    char[] text = new char[form.length()];
    int size = 0;
    for (int i = 0; i < text.length; i++) {
      if (!IS_SEPARATOR[form.charAt(i)]) {
        text[size++] = form.charAt(i);
      }
    }
    for (int from = 0; from + length <= size; from += length) {
      char[] part = Arrays.copyOfRange(text, from, from + length);
      parts.add(part);
      for (int i = 0; i <= SHORTEST - BLOCK; i++) {
        int block = block(part, i);
        shifts[block] = (byte) Math.min(shifts[block], SHORTEST - BLOCK - i);
      }
    }
  }

  /** Whether a text, which is read to its end, has a part of the salt. */
  boolean isIn(Reader text) throws IOException {
    Search search = new Search();
    char[] piece = new char[PIECE];
    for (int length = text.read(piece); length >= 0; length = text.read(piece)) {
      search.add(piece, length);
      if (search.hasPart()) {
        return true;
      }
      search.keepOverlap();
    }
    return false;
  }

  /** The end of a text without separators, in which parts are searched. */
  private final class Search {
    private final char[] searched = new char[OVERLAP + PIECE];
    private int size;

    void add(char[] piece, int length) {
      for (int i = 0; i < length; i++) {
        char c = piece[i];
        if (size > 0 && searched[size - 1] == '\\' && (c == 'n' || c == 'r' || c == 't')) {
          size--;
        } else if (size > 1 && searched[size - 2] == '%' && isSeparator(searched[size - 1], c)) {
          size -= 2;
        } else if (c >= IS_SEPARATOR.length || !IS_SEPARATOR[c]) {
          searched[size++] = c;
        }
      }
    }

    /** Searches for several words at once (Wu and Manber). */
    boolean hasPart() {
      for (int i = SHORTEST - BLOCK; i + BLOCK <= size; ) {
        int shift = shifts[block(searched, i)];
        if (shift == 0 && hasPart(i - (SHORTEST - BLOCK))) {
          return true;
        }
        i += Math.max(shift, 1);
      }
      return false;
    }

    private boolean hasPart(int from) {
      for (char[] part : parts) {
        int to = from + part.length;
        if (to <= size && Arrays.equals(searched, from, to, part, 0, part.length)) {
          return true;
        }
      }
      return false;
    }

    void keepOverlap() {
      int kept = Math.min(size, OVERLAP);
      System.arraycopy(searched, size - kept, searched, 0, kept);
      size = kept;
    }
  }

  /** Whether two characters after a percent sign are the digits of a separator. */
  private static boolean isSeparator(char first, char second) {
    int high = Character.digit(first, 8);
    int low = Character.digit(second, 16);
    return high >= 0 && low >= 0 && IS_SEPARATOR[high << 4 | low];
  }

  /** The index in {@link #shifts} of the characters from an index on. */
  private static int block(char[] text, int from) {
    return ((text[from] * 31 + text[from + 1]) * 31 + text[from + 2]) & (BLOCKS - 1);
  }

  private static boolean[] separators() {
    boolean[] separators = new boolean[128];
    " \t\r\n:,;-_[](){}".chars().forEach(c -> separators[c] = true);
    return separators;
  }
}
