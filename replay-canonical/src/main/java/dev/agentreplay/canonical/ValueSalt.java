package dev.agentreplay.canonical;

import dev.agentreplay.model.Salt;
import dev.agentreplay.model.json.JsonPointer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The salts of single values of a log, which are derived from the salt in its header. A published
 * form of a log commits to a withheld value with its salt, so that the value cannot be found by
 * guessing; publishing the salt of one value discloses neither the salt of a different one nor that
 * of the log.
 *
 * <p>The salt of a value is HMAC-SHA-256 with the 32 bytes of the log's salt as the key, over the
 * UTF-8 of {@code replay.value-salt/1}, a line feed, the number of the line in decimal, a line feed
 * and the JSON Pointer of the value in the line. The methods are safe for use by several threads.
 */
public final class ValueSalt {

  private static final String DOMAIN = "replay.value-salt/1";
  private static final String ALGORITHM = "HmacSHA256";

  private ValueSalt() {}

  /**
   * Derives the salt of a value.
   *
   * @param salt the salt of the log
   * @param line the number of the line, from 1
   * @param pointer the value in the line; {@link JsonPointer#ROOT} is the whole line
   * @return 32 bytes
   * @throws IllegalArgumentException if the number is less than 1, or the pointer has half of a
   *     surrogate pair, which no line has
   */
  public static byte[] of(Salt salt, long line, JsonPointer pointer) {
    if (line < 1) {
      throw new IllegalArgumentException("lines are numbered from 1: " + line);
    }
    ByteBuffer message = encode(DOMAIN + "\n" + line + "\n" + pointer);
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(salt.toBytes(), ALGORITHM));
      mac.update(message);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static ByteBuffer encode(String text) {
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the pointer has half of a surrogate pair", e);
    }
  }
}
