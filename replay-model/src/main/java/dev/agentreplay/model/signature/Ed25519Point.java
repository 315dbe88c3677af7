package dev.agentreplay.model.signature;

import java.math.BigInteger;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a point of edwards25519 (RFC 8032, section 5.1.2): y in 255 bits, little-endian,
 * and the lowest bit of x.
 */
final class Ed25519Point {

  private static final int Y_BITS = 255;

  /** The prime of the field, 2<sup>255</sup> - 19. */
  private static final BigInteger P =
      BigInteger.ONE.shiftLeft(Y_BITS).subtract(BigInteger.valueOf(19));

  /** The y of two of the four points of order 8; its negation is that of the other two. */
  private static final BigInteger Y_OF_ORDER_8 =
      new BigInteger("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16);

  /** The y of the eight points whose order divides 8: of order 4, 1, 2 and 8. */
  private static final Set<BigInteger> SMALL_ORDER_Y = Set.of(
      BigInteger.ZERO,
      BigInteger.ONE,
      P.subtract(BigInteger.ONE),
      Y_OF_ORDER_8,
      P.subtract(Y_OF_ORDER_8));

  private Ed25519Point() {}

  /**
   * Returns the reason that the encoding of a point must not be trusted as a public key; null if
   * there is none. It does not check that the encoding is that of a point of the curve.
   *
   * <p>With a key of small order, an attacker can forge a signature that is valid for every
   * message, or for every eighth. RFC 8032 requires a decoder to reject a y that is not below the
   * prime; a key with two encodings would have two ids.
   */
  static @Nullable String fault(byte[] encoded) {
    BigInteger y = y(encoded);
    if (SMALL_ORDER_Y.contains(y.mod(P))) {
      return "a point of small order, with which signatures can be forged";
    }
    return y.compareTo(P) < 0 ? null : "not the canonical encoding of a point";
  }

  private static BigInteger y(byte[] encoded) {
    byte[] bigEndian = new byte[encoded.length];
    for (int i = 0; i < encoded.length; i++) {
      bigEndian[i] = encoded[encoded.length - 1 - i];
    }
    return new BigInteger(1, bigEndian).clearBit(Y_BITS);
  }
}
