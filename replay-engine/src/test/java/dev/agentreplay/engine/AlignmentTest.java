package dev.agentreplay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.alignment.Alignment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Differential: alignments against the longest common subsequence by dynamic programming. */
class AlignmentTest {

  @Property
  void alignment_is_a_longest_common_subsequence(
      @ForAll("sequences") long[] left, @ForAll("sequences") long[] right) {
    int[] aligned = Alignment.of(left, right);
    assertCommonSubsequence(left, right, aligned);
    assertThat(length(aligned)).isEqualTo(longest(left, right));
  }

  @Property(tries = 50)
  void long_alignment_is_a_longest_common_subsequence(
      @ForAll("longSequences") long[] left, @ForAll("longSequences") long[] right) {
    int[] aligned = Alignment.of(left, right);
    assertCommonSubsequence(left, right, aligned);
    assertThat(length(aligned)).isEqualTo(longest(left, right));
  }

  @Property
  void sequence_is_aligned_with_itself_one_to_one(@ForAll("sequences") long[] sequence) {
    int[] aligned = Alignment.of(sequence, sequence);
    assertThat(aligned).isEqualTo(range(sequence.length));
  }

  @Property
  void alignment_with_a_part_of_the_sequence_leaves_only_the_rest_out(
      @ForAll("sequences") long[] left, @ForAll long choice) {
    long[] right = LongStream.range(0, left.length)
        .filter(i -> (choice >> i % 64 & 1) == 0)
        .map(i -> left[(int) i])
        .toArray();
    assertThat(length(Alignment.of(left, right))).isEqualTo(right.length);
    assertThat(length(Alignment.of(right, left))).isEqualTo(right.length);
  }

  @Example
  void alignment_is_the_longest_up_to_the_bound() {
    int rest = Alignment.MAX_DIFFERENCES / 2 - 1;
    assertThat(length(alignMoved(rest))).isEqualTo(50);
  }

  @Example
  void alignment_beyond_the_bound_is_a_common_subsequence() {
    assertThat(length(alignMoved(Alignment.MAX_DIFFERENCES))).isPositive();
    assertThat(length(alignMoved(3 * Alignment.MAX_DIFFERENCES))).isPositive();
  }

  @Property(tries = 20)
  void alignment_of_anything_beyond_the_bound_is_a_common_subsequence(
      @ForAll long seed, @ForAll("alphabets") int distinct) {
    Random random = new Random(seed);
    long[] left = random.longs(4_000, 0, distinct).toArray();
    long[] right = random.longs(5_000, 0, distinct).toArray();
    assertCommonSubsequence(left, right, Alignment.of(left, right));
  }

  @Provide
  Arbitrary<Integer> alphabets() {
    return Arbitraries.of(3, 100, 9_000);
  }

  @Provide
  Arbitrary<long[]> sequences() {
    return Arbitraries.longs().between(0, 4).array(long[].class).ofMaxSize(40);
  }

  @Provide
  Arbitrary<long[]> longSequences() {
    return Arbitraries.longs().between(0, 60).array(long[].class).ofMinSize(200).ofMaxSize(600);
  }

  /** One element moved over fifty others, and behind them so many that have no equal. */
  private static int[] alignMoved(int rest) {
    long[] moved = {0};
    long[] common = LongStream.range(1, 51).toArray();
    long[] left = concat(moved, common, LongStream.range(100, 100 + rest).toArray());
    long[] right =
        concat(common, moved, LongStream.range(100_000, 100_000 + rest).toArray());
    int[] aligned = Alignment.of(left, right);
    assertCommonSubsequence(left, right, aligned);
    return aligned;
  }

  private static void assertCommonSubsequence(long[] left, long[] right, int[] aligned) {
    assertThat(aligned).hasSize(left.length);
    int last = -1;
    for (int i = 0; i < aligned.length; i++) {
      if (aligned[i] >= 0) {
        assertThat(aligned[i]).isGreaterThan(last).isLessThan(right.length);
        assertThat(right[aligned[i]]).isEqualTo(left[i]);
        last = aligned[i];
      } else {
        assertThat(aligned[i]).isEqualTo(-1);
      }
    }
  }

  private static int length(int[] aligned) {
    return (int) Arrays.stream(aligned).filter(i -> i >= 0).count();
  }

  private static int longest(long[] left, long[] right) {
    int[][] best = new int[left.length + 1][right.length + 1];
    for (int i = 1; i <= left.length; i++) {
      for (int j = 1; j <= right.length; j++) {
        best[i][j] = left[i - 1] == right[j - 1]
            ? best[i - 1][j - 1] + 1
            : Math.max(best[i - 1][j], best[i][j - 1]);
      }
    }
    return best[left.length][right.length];
  }

  private static int[] range(int length) {
    int[] range = new int[length];
    Arrays.setAll(range, i -> i);
    return range;
  }

  private static long[] concat(long[]... parts) {
    return Arrays.stream(parts).flatMapToLong(Arrays::stream).toArray();
  }
}
