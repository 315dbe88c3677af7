package dev.agentreplay.publish.secret;

import java.util.Arrays;

/** The entropy of a text as gitleaks computes it. */
final class ShannonEntropy {

  private static final double LN_2 = Math.log(2);

  private ShannonEntropy() {}

  /** The entropy in bits per character; 0 for an empty text. */
  static double of(String text) {
    int[] codePoints = text.codePoints().sorted().toArray();
    if (codePoints.length == 0) {
      return 0;
    }
    double length = Arrays.stream(codePoints).mapToLong(ShannonEntropy::bytes).sum();
    double entropy = 0;
    for (int from = 0; from < codePoints.length; ) {
      int to = from;
      while (to < codePoints.length && codePoints[to] == codePoints[from]) {
        to++;
      }
      double frequency = (to - from) / length;
      entropy -= frequency * Math.log(frequency) / LN_2;
      from = to;
    }
    return entropy;
  }

  /** The bytes of a character in UTF-8. */
  private static long bytes(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
