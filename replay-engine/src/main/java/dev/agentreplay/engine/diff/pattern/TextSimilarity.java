package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.model.alignment.Alignment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the similarity of texts, as {@link dev.agentreplay.engine.diff.rule.FuzzyText}
 * documents.
 */
public final class TextSimilarity {

  /** The most code points for which the common subsequence is the longest. */
  static final int MAX_EXACT = 2_000;

  /**
   * The most code points that are aligned; longer texts are compared by common prefix and suffix
   * only.
   */
  static final int MAX_ALIGNED = 1_000_000;

  private static final Pattern LINES = Pattern.compile("[^\n]*+\n|[^\n]++");
  private static final Pattern WORDS = Pattern.compile("[\\p{L}\\p{N}]++|.", Pattern.DOTALL);

  private TextSimilarity() {}

  /**
   * Returns the similarity of two texts, from 0.0 to 1.0; symmetric.
   *
   * @param threshold the lowest similarity of interest: the result is 0.0 if the lengths alone rule
   *     it out
   */
  public static double of(String left, String right, double threshold) {
    if (left.equals(right)) {
      return 1;
    }
    boolean inOrder = left.compareTo(right) < 0;
    String a = inOrder ? left : right;
    String b = inOrder ? right : left;
    long aLength = length(a);
    long bLength = length(b);
    double both = aLength + bLength;
    return 2 * Math.min(aLength, bLength) / both < threshold ? 0 : 2 * common(a, b) / both;
  }

  /** The number of code points that two texts have in common, in order. */
  private static long common(String left, String right) {
    int prefix = 0;
    int shorter = Math.min(left.length(), right.length());
    while (prefix < shorter && left.charAt(prefix) == right.charAt(prefix)) {
      prefix++;
    }
    if (prefix > 0 && Character.isHighSurrogate(left.charAt(prefix - 1))) {
      prefix--;
    }
    int leftEnd = left.length();
    int rightEnd = right.length();
    while (Math.min(leftEnd, rightEnd) > prefix
        && left.charAt(leftEnd - 1) == right.charAt(rightEnd - 1)) {
      leftEnd--;
      rightEnd--;
    }
    if (leftEnd < left.length() && Character.isLowSurrogate(left.charAt(leftEnd))) {
      leftEnd++;
      rightEnd++;
    }
    return length(left.substring(0, prefix))
        + length(left.substring(leftEnd))
        + between(left.substring(prefix, leftEnd), right.substring(prefix, rightEnd), LINES);
  }

  private static long between(String left, String right, Pattern tokens) {
    int longer = Math.max(left.length(), right.length());
    if (longer <= MAX_EXACT) {
      return longest(left.codePoints().toArray(), right.codePoints().toArray());
    }
    return longer <= MAX_ALIGNED ? aligned(left, right, tokens) : 0;
  }

  /**
   * The number of code points in the lines or words that both have in common, in the same order.
   */
  private static long aligned(String left, String right, Pattern pattern) {
    List<String> leftTokens = tokens(left, pattern);
    List<String> rightTokens = tokens(right, pattern);
    int[] aligned = Alignment.of(leftTokens, rightTokens, token -> token);
    long common = 0;
    int l = 0;
    int r = 0;
    for (int i = 0; i <= aligned.length; i++) {
      if (i < aligned.length && aligned[i] < 0) {
        continue;
      }
      int rightEnd = i < aligned.length ? aligned[i] : rightTokens.size();
      if (l < i && r < rightEnd && pattern == LINES) {
        common += between(
            String.join("", leftTokens.subList(l, i)),
            String.join("", rightTokens.subList(r, rightEnd)),
            WORDS);
      }
      common += i < aligned.length ? length(leftTokens.get(i)) : 0;
      l = i + 1;
      r = rightEnd + 1;
    }
    return common;
  }

  private static List<String> tokens(String text, Pattern pattern) {
    List<String> tokens = new ArrayList<>();
    for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
      tokens.add(matcher.group());
    }
    return tokens;
  }

  /**
   * Returns the length of the longest common subsequence, computed for 64 places of the left text
   * at a time: Heikki Hyyrö, "Bit-Parallel LCS-length Computation Revisited" (2004).
   */
  static int longest(int[] left, int[] right) {
    int words = (left.length + 63) / 64;
    Map<Integer, long[]> places = new HashMap<>();
    for (int i = 0; i < left.length; i++) {
      places.computeIfAbsent(left[i], c -> new long[words])[i / 64] |= 1L << i;
    }
    long[] used = new long[words]; // a place is set once it ends a longer subsequence
    for (int c : right) {
      long[] matches = places.get(c);
      if (matches == null) {
        continue;
      }
      long carry = 0;
      for (int w = 0; w < words; w++) {
        long free = ~used[w];
        long match = free & matches[w];
        long sum = free + match;
        long total = sum + carry;
        carry = Long.compareUnsigned(sum, free) < 0 || Long.compareUnsigned(total, sum) < 0 ? 1 : 0;
        used[w] = ~(total | (free & ~match));
      }
    }
    int length = 0;
    for (int i = 0; i < left.length; i++) {
      length += (int) (used[i / 64] >>> i & 1);
    }
    return length;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
