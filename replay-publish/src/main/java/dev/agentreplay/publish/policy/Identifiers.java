package dev.agentreplay.publish.policy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Maps ids to {@code id-} and the first 32 hexadecimal digits of their HMAC-SHA-256 (RFC 2104), so
 * that equal ids stay equal within a log, and only the owner of the key can test a guess of one.
 */
final class Identifiers {

  static final int KEY_LENGTH = 32;

  private static final String PREFIX = "id-";
  private static final int DIGITS = 32;
  private static final Pattern MAPPED = Pattern.compile(PREFIX + "[0-9a-f]{" + DIGITS + "}");

  /** The number of ids that are remembered, and the maximum length of one. */
  private static final int MAX_IDS = 4_096;

  private static final int MAX_LENGTH = 128;

  private final TextRules rules;
  private final Mac mac;
  private final Map<String, Boolean> harmless = new HashMap<>();
  private final Map<String, String> mapped = new HashMap<>();

  /**
   * Creates a mapping.
   *
   * @throws IllegalArgumentException unless the key has 32 bytes
   */
  Identifiers(byte[] key, TextRules rules) {
    if (key.length != KEY_LENGTH) {
      throw new IllegalArgumentException(
          "the key of ids must have %d bytes, found %d".formatted(KEY_LENGTH, key.length));
    }
    this.rules = rules;
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** The mapped id; the id itself if it is one already. */
  String map(String id) {
    if (id.length() > MAX_LENGTH) {
      return compute(id);
    }
    String known = mapped.get(id);
    if (known == null) {
      if (mapped.size() == MAX_IDS) {
        mapped.clear();
      }
      known = compute(id);
      mapped.put(id, known);
    }
    return known;
  }

  private String compute(String id) {
    if (MAPPED.matcher(id).matches()) {
      return id;
    }
    byte[] digest = mac.doFinal(id.getBytes(StandardCharsets.UTF_8));
    return PREFIX + HexFormat.of().formatHex(digest, 0, DIGITS / 2);
  }

  /** Whether an id may be shown: it has no secret, and names no user. */
  boolean isHarmless(String id) {
    if (id.length() > MAX_LENGTH) {
      return rules.isHarmlessId(id);
    }
    Boolean known = harmless.get(id);
    if (known == null) {
      if (harmless.size() == MAX_IDS) {
        harmless.clear();
      }
      known = rules.isHarmlessId(id);
      harmless.put(id, known);
    }
    return known;
  }
}
