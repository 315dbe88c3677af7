package dev.agentreplay.model.signature;

import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.text.Excerpt;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes Ed25519 keys as PEM text (RFC 7468, RFC 8410): a private key as {@code PRIVATE
 * KEY} (PKCS#8), a public key as {@code PUBLIC KEY} (SubjectPublicKeyInfo), as written by
 * {@code openssl genpkey -algorithm ed25519} and {@code openssl pkey -pubout}.
 *
 * <p>A text has exactly one key; text before and after it is explanatory (RFC 7468, section 2) and
 * is ignored. Messages of exceptions never contain private keys. The methods are safe for use by
 * several threads.
 */
public final class KeyPem {

  private static final String PRIVATE = "PRIVATE KEY";
  private static final String PUBLIC = "PUBLIC KEY";
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final Pattern LABEL = Pattern.compile("[A-Z0-9 ]*");
  private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

  private KeyPem() {}

  /**
   * Reads a private key.
   *
   * @throws DocumentFormatException if the text does not have exactly one key, or the key is
   *     encrypted, public, or not for Ed25519
   */
  public static PrivateKey parsePrivateKey(String pem) throws DocumentFormatException {
    return parse(pem, PRIVATE, Ed25519::privateKey);
  }

  /**
   * Reads a public key.
   *
   * @throws DocumentFormatException if the text does not have exactly one key, or the key is
   *     private, not for Ed25519, not a point of its curve, of small order, or not in canonical
   *     encoding
   */
  public static PublicKey parsePublicKey(String pem) throws DocumentFormatException {
    return parse(pem, PUBLIC, Ed25519::publicKey);
  }

  /**
   * Writes a private key.
   *
   * @throws IllegalArgumentException if the key is not for Ed25519, or does not expose its encoding
   */
  public static String text(PrivateKey key) {
    return text(PRIVATE, key, Ed25519::privateKey);
  }

  /**
   * Writes a public key.
   *
   * @throws IllegalArgumentException if the key is not for Ed25519, or would be rejected by
   *     {@link #parsePublicKey}
   */
  public static String text(PublicKey key) {
    return text(PUBLIC, key, Ed25519::publicKey);
  }

  private static String text(
      String label, Key key, Function<byte[], ? extends @Nullable Key> read) {
    byte[] encoded = key.getEncoded();
    if (encoded == null || read.apply(encoded) == null) {
      throw new IllegalArgumentException(
          "expected an Ed25519 %s that exposes its encoding, found %s"
              .formatted(label.toLowerCase(Locale.ROOT), key.getAlgorithm()));
    }
    String base64 = Base64.getEncoder().encodeToString(encoded); // fits a line
    return BEGIN + label + DASHES + "\n" + base64 + "\n" + END + label + DASHES + "\n";
  }

  private static <K extends Key> K parse(
      String pem, String label, Function<byte[], @Nullable K> read) throws DocumentFormatException {
    int begin = pem.indexOf(BEGIN);
    int endOfBegin = begin < 0 ? -1 : pem.indexOf(DASHES, begin + BEGIN.length());
    String found = endOfBegin < 0 ? null : pem.substring(begin + BEGIN.length(), endOfBegin);
    if (found == null || !LABEL.matcher(found).matches()) { // found may contain the key
      throw new DocumentFormatException("no key in PEM: expected " + BEGIN + label + DASHES);
    }
    if (pem.indexOf(BEGIN, endOfBegin) >= 0) {
      throw new DocumentFormatException("several PEM blocks: expected one " + label);
    }
    if (!found.equals(label)) {
      throw new DocumentFormatException(
          found.equals("ENCRYPTED " + PRIVATE)
              ? "the private key is encrypted: decrypt it first, as openssl pkey does"
              : "expected %s, found %s".formatted(label, Excerpt.of(found)));
    }
    int end = pem.indexOf(END + label + DASHES, endOfBegin);
    if (end < 0) {
      throw new DocumentFormatException("the PEM block has no end: " + END + label + DASHES);
    }
    byte[] encoded = decode(pem.substring(endOfBegin + DASHES.length(), end), label);
    K key;
    try {
      key = read.apply(encoded);
    } catch (IllegalArgumentException e) {
      throw new DocumentFormatException(String.valueOf(e.getMessage()), e);
    }
    if (key == null) {
      throw new DocumentFormatException(
          "not an Ed25519 %s (RFC 8410)".formatted(label.toLowerCase(Locale.ROOT)));
    }
    return key;
  }

  private static byte[] decode(String lines, String label) throws DocumentFormatException {
    String base64 = WHITE_SPACE.matcher(lines).replaceAll("");
    String message = "the %s is not valid Base64".formatted(label.toLowerCase(Locale.ROOT));
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new DocumentFormatException(message, e);
    }
    // the decoder ignores excess bits of the last character, and missing padding
    if (!Base64.getEncoder().encodeToString(bytes).equals(base64)) {
      throw new DocumentFormatException(message);
    }
    return bytes;
  }
}
