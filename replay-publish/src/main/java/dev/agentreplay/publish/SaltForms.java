package dev.agentreplay.publish;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.agentreplay.model.Salt;
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

  private final List<String> parts = new ArrayList<>();

  private SaltForms(Salt salt) {
    byte[] bytes = salt.toBytes();
    String hex = HexFormat.of().formatHex(bytes);
    add(salt.text(), 11);
    add(Base64.getEncoder().withoutPadding().encodeToString(bytes), 11);
    add(hex, 16);
    add(hex.toUpperCase(Locale.ROOT), 16);
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
      add(HexFormat.of().formatHex(salt.text().getBytes(US_ASCII)), 20);
    }
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

  /** Whether a text has a part of the salt. */
  boolean isIn(String text) {
    String searched = without(text.replace("\\n", "").replace("%3A", "").replace("%20", ""));
    return parts.stream().anyMatch(searched::contains);
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
