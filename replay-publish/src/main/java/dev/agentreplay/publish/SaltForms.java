package dev.agentreplay.publish;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.agentreplay.model.Salt;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
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

  /** Characters that are left out when a text is searched: a form may be wrapped or grouped. */
  private static final String SEPARATORS = " \t\r\n:,;-_[](){}";

  /** The number of characters that are read at a time. */
  private static final int PIECE = 1 << 16;

  /** More than the length of the longest part. */
  private static final int OVERLAP = 32;

  private final List<String> parts = new ArrayList<>();

  private SaltForms(Salt salt) {
    byte[] bytes = salt.toBytes();
    List<String> texts = texts(salt);
    add(texts.get(0), 11);
    add(texts.get(1), 11);
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
    String text = without(form);
    for (int from = 0; from + length <= text.length(); from += length) {
      parts.add(text.substring(from, from + length));
    }
  }

  /** Whether a text, which is read to its end, has a part of the salt. */
  boolean isIn(Reader text) throws IOException {
    StringBuilder searched = new StringBuilder();
    char[] buffer = new char[PIECE];
    String rest = "";
    for (int length = text.read(buffer); length >= 0; length = text.read(buffer)) {
      String piece = rest + new String(buffer, 0, length);
      int end = endOfWhole(piece);
      rest = piece.substring(end);
      searched.append(unescaped(piece.substring(0, end)));
      if (hasPart(searched)) {
        return true;
      }
      searched.delete(0, Math.max(0, searched.length() - OVERLAP));
    }
    return hasPart(searched.append(unescaped(rest)));
  }

  private boolean hasPart(StringBuilder searched) {
    return parts.stream().anyMatch(part -> searched.indexOf(part) >= 0);
  }

  /** The length of a piece without an escape at its end that the next piece may continue. */
  private static int endOfWhole(String piece) {
    for (int i = Math.max(0, piece.length() - 2); i < piece.length(); i++) {
      if (piece.charAt(i) == '%' || piece.charAt(i) == '\\') {
        return i;
      }
    }
    return piece.length();
  }

  private static String unescaped(String text) {
    return without(text.replace("\\n", "").replace("%3A", "").replace("%20", ""));
  }

  private static String without(String text) {
    StringBuilder rest = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (SEPARATORS.indexOf(c) < 0) {
        rest.append(c);
      }
    }
    return rest.toString();
  }
}
