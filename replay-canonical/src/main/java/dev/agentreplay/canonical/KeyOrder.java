package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonObject;
import java.util.Arrays;

/** The order of member names in a canonical form. All constants are immutable. */
public enum KeyOrder {
  /** By Unicode code point, which equals the order of the UTF-8 bytes. */
  CODE_POINT,
  /**
   * By UTF-16 code unit (RFC 8785, section 3.2.3), which sorts U+E000 to U+FFFF after all others.
   */
  UTF_16;

  /** The first UTF-8 lead byte of the characters from U+E000 on. */
  private static final int LEAD_E000 = 0xee;

  /** The first UTF-8 lead byte of the characters from U+10000 on. */
  private static final int LEAD_ASTRAL = 0xf0;

  /** The maximum number of members that are sorted without objects for their positions. */
  private static final int FEW = 40;

  /** The order that a canonicalization uses. */
  public static KeyOrder of(Canonicalization canonicalization) {
    return canonicalization == Canonicalization.JCS ? UTF_16 : CODE_POINT;
  }

  /** Compares two names. */
  public int compare(String left, String right) {
    if (this == UTF_16) {
      return left.compareTo(right);
    }
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char l = left.charAt(i);
      char r = right.charAt(i);
      if (l != r) {
        return Integer.compare(rank(l), rank(r));
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  /** Compares two names by the first bytes in which their UTF-8 forms differ. */
  public int compare(int leftByte, int rightByte) {
    int order = Integer.compare(leftByte, rightByte);
    return this == CODE_POINT || isCommon(leftByte, rightByte) ? order : -order;
  }

  /** Whether all orders agree on two names whose UTF-8 forms first differ in these bytes. */
  public static boolean isCommon(int leftByte, int rightByte) {
    int lesser = Math.min(leftByte, rightByte);
    return lesser < LEAD_E000
        || lesser >= LEAD_ASTRAL
        || Math.max(leftByte, rightByte) < LEAD_ASTRAL;
  }

  /** Whether all orders agree on two names. */
  public static boolean isCommon(String left, String right) {
    return Integer.signum(CODE_POINT.compare(left, right))
        == Integer.signum(UTF_16.compare(left, right));
  }

  /** The positions of an object's members, sorted by name. */
  public int[] sortedPositions(JsonObject object) {
    int size = object.size();
    if (size > FEW) {
      Integer[] positions = new Integer[size];
      Arrays.setAll(positions, i -> i);
      Arrays.sort(positions, (l, r) -> compare(object.name(l), object.name(r)));
      return Arrays.stream(positions).mapToInt(Integer::intValue).toArray();
    }
    int[] positions = new int[size];
    for (int i = 1; i < size; i++) { // insertion sort: most objects have few members
      String name = object.name(i);
      int at = i;
      while (at > 0 && compare(object.name(positions[at - 1]), name) > 0) {
        positions[at] = positions[at - 1];
        at--;
      }
      positions[at] = i;
    }
    return positions;
  }

  /** A rank that sorts surrogates after all other characters. */
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }
}
