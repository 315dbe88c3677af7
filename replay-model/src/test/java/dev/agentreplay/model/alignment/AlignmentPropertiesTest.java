package dev.agentreplay.model.alignment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Holds the alignment against the table of the longest common subsequence. */
class AlignmentPropertiesTest {

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alignment_is_a_longest_common_subsequence(
      @ForAll("sequences") long[] left, @ForAll("sequences") long[] right) {
    int[] aligned = Alignment.of(left, right);

    assertThat(matches(aligned, left, right)).isEqualTo(longest(left, right));
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void equal_sequences_are_aligned_throughout(@ForAll("sequences") long[] sequence) {
    int[] aligned = Alignment.of(sequence, sequence.clone());

    for (int i = 0; i < sequence.length; i++) {
      assertThat(aligned[i]).isEqualTo(i);
    }
  }

  @Example
  void beyond_the_limit_the_alignment_is_still_a_common_subsequence() {
    int size = Alignment.MAX_DIFFERENCES + 500;
    long[] left = new long[size];
    long[] right = new long[size];
    Arrays.setAll(left, i -> i % 3 == 0 ? -7 : i);
    Arrays.setAll(right, i -> i % 5 == 0 ? -7 : -1_000_000L - i);

    assertThat(matches(Alignment.of(left, right), left, right)).isPositive();
  }

  @Provide
  Arbitrary<long[]> sequences() {
    return Arbitraries.longs().between(0, 5).array(long[].class).ofMaxSize(40);
  }

  /** The number of aligned elements, after checking that they are equal and in order. */
  private static int matches(int[] aligned, long[] left, long[] right) {
    assertThat(aligned).hasSize(left.length);
    int last = -1;
    int matches = 0;
    for (int i = 0; i < aligned.length; i++) {
      if (aligned[i] >= 0) {
        assertThat(aligned[i]).isGreaterThan(last);
        assertThat(right[aligned[i]]).isEqualTo(left[i]);
        last = aligned[i];
        matches++;
      } else {
        assertThat(aligned[i]).isEqualTo(-1);
      }
    }
    return matches;
  }

  private static int longest(long[] left, long[] right) {
    int[][] lengths = new int[left.length + 1][right.length + 1];
    for (int i = 1; i <= left.length; i++) {
      for (int j = 1; j <= right.length; j++) {
        lengths[i][j] = left[i - 1] == right[j - 1]
            ? lengths[i - 1][j - 1] + 1
            : Math.max(lengths[i - 1][j], lengths[i][j - 1]);
      }
    }
    return lengths[left.length][right.length];
  }
}
