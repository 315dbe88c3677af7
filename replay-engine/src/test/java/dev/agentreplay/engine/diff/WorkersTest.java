package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.Workers.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Assignments of calls to workers, compared with a search among all assignments. */
class WorkersTest {

  @Property
  void calls_are_assigned_whenever_there_is_an_assignment(
      @ForAll @IntRange(min = 1, max = 7) int size,
      @ForAll @IntRange(min = 1, max = 4) int workers,
      @ForAll Random random) {
    List<Call> calls = calls(size, random);

    List<Integer> moved = new Workers(workers).assign(calls);

    boolean exists = isAssignable(calls, 0, new Call[workers]);
    assertThat(moved.isEmpty()).as("%s", calls).isEqualTo(exists);
    List<Call> kept =
        calls.stream().filter(call -> !moved.contains(call.index())).toList();
    assertThat(isAssignable(kept, 0, new Call[workers])).isTrue();
    assertThat(moved).doesNotHaveDuplicates();
  }

  @Property
  void calls_that_may_not_move_are_never_left_out(
      @ForAll @IntRange(min = 1, max = 20) int size,
      @ForAll @IntRange(min = 1, max = 4) int workers,
      @ForAll Random random) {
    List<Call> calls = new ArrayList<>();
    for (Call call : calls(size, random)) {
      calls.add(new Call(
          call.index(),
          call.start(),
          call.end(),
          call.otherStart(),
          call.otherEnd(),
          random.nextBoolean()));
    }

    List<Integer> moved = new Workers(workers).assign(calls);

    assertThat(moved).doesNotHaveDuplicates().allMatch(index -> calls.get(index).mayMove());
  }

  private static List<Call> calls(int size, Random random) {
    List<long[]> lefts = intervals(size, random);
    List<long[]> rights = intervals(size, random);
    Collections.shuffle(rights, random);
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      long[] left = lefts.get(i);
      long[] right = rights.get(i);
      calls.add(new Call(i, left[0], left[1], right[0], right[1], true));
    }
    return calls;
  }

  /** Intervals between lines that are all different, by their starts. */
  private static List<long[]> intervals(int size, Random random) {
    List<long[]> intervals = new ArrayList<>();
    List<long[]> open = new ArrayList<>();
    for (long line = 1; intervals.size() < size || !open.isEmpty(); line++) {
      if (open.isEmpty() || (intervals.size() < size && random.nextBoolean())) {
        long[] interval = {line, 0};
        intervals.add(interval);
        open.add(interval);
      } else {
        open.remove(random.nextInt(open.size()))[1] = line;
      }
    }
    return intervals;
  }

  /** Whether the calls from one on can be made after the last calls of the workers. */
  private static boolean isAssignable(List<Call> calls, int from, Call[] last) {
    if (from == calls.size()) {
      return true;
    }
    Call call = calls.get(from);
    for (int worker = 0; worker < last.length; worker++) {
      Call before = last[worker];
      if (before == null
          || (before.end() < call.start() && before.otherEnd() < call.otherStart())) {
        last[worker] = call;
        if (isAssignable(calls, from + 1, last)) {
          return true;
        }
        last[worker] = before;
      }
    }
    return false;
  }
}
