package dev.agentreplay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.view.StatsAccumulator;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.alignment.Alignment;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** More differences than the longest alignment is sought for. */
class LargeDifferencesTest {

  @Test
  void every_second_element_changed_and_one_moved_leaves_the_others_aligned() {
    int size = 10_000;
    long[] left = IntStream.range(0, size).asLongStream().toArray();
    // every second one differs, and the first one is last
    long[] right = IntStream.range(0, size)
        .mapToLong(i -> i == size - 1 ? 0 : (i + 1) % 2 == 0 ? i + 1 : -(i + 1))
        .toArray();

    int[] aligned = Alignment.of(left, right);

    assertThat(IntStream.of(aligned).filter(i -> i >= 0).count()).isEqualTo(size / 2 - 1);
  }

  @Test
  void repeated_elements_are_aligned_with_what_is_near() {
    int size = 6_000;
    long[] left = IntStream.range(0, size).mapToLong(i -> (i * 31L) % 7).toArray();
    long[] right =
        IntStream.range(0, size).mapToLong(i -> (i * 17L + i / 3) % 7).toArray();

    int[] aligned = Alignment.of(left, right);

    int last = -1;
    for (int i = 0; i < size; i++) {
      if (aligned[i] >= 0) {
        assertThat(aligned[i]).isGreaterThan(last);
        assertThat(right[aligned[i]]).isEqualTo(left[i]);
        last = aligned[i];
      }
    }
    assertThat(IntStream.of(aligned).filter(i -> i >= 0).count()).isGreaterThan(size / 4);
  }

  @Test
  void mean_of_hostile_utilities_is_finite() {
    StatsAccumulator fold = new StatsAccumulator();
    for (int i = 0; i < 5; i++) {
      fold.add(ToolResult.of("a", 1).withStepUtility(1.5e308).withLatencyMillis(Long.MAX_VALUE));
    }

    assertThat(fold.toStats().averageStepUtility()).isBetween(1.49e308, 1.51e308);
    assertThat(fold.toStats().totalLatencyMillis()).isEqualTo(Long.MAX_VALUE);
  }
}
