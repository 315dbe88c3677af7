package dev.agentreplay.canonical.internal;

import dev.agentreplay.model.json.JsonObject;
import java.util.Arrays;

/** The order of member names in the canonical form. */
public final class KeyOrder {

  private KeyOrder() {}

  /**
   * Compares by Unicode code point, which is also the order of the UTF-8 bytes.
   * {@link String#compareTo} puts astral characters before U+E000 to U+FFFF.
   */
  public static int compare(String left, String right) {
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

  /** The positions of an object's members, in the order of their names. */
  public static int[] sortedPositions(JsonObject object) {
    Integer[] positions = new Integer[object.size()];
    Arrays.setAll(positions, i -> i);
    Arrays.sort(positions, (l, r) -> compare(object.name(l), object.name(r)));
    return Arrays.stream(positions).mapToInt(Integer::intValue).toArray();
  }

  /** Moves surrogates behind all other characters. */
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }
}
