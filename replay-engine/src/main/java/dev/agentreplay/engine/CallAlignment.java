package dev.agentreplay.engine;

import dev.agentreplay.engine.CallIndex.Call;
import dev.agentreplay.model.internal.Alignment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Aligns the calls of two sessions: those that are wholly equal first; between them those that only
 * return something else; between those, the ones that call the same tool; and what is left, one by
 * one.
 */
final class CallAlignment {

  /** A pair of calls that differ, or one without a partner; kind is how. */
  record Pair(DivergenceKind kind, @Nullable Call left, @Nullable Call right) {}

  private record Key(String tool, @Nullable Object params, @Nullable Object output) {}

  /** What must be equal for two calls to be aligned, and how they may differ then; loosest last. */
  private record Level(@Nullable DivergenceKind kind, Function<Call, Key> key) {}

  private static final List<Level> LEVELS = List.of(
      new Level(null, call -> new Key(call.tool, call.params, call.output)),
      new Level(DivergenceKind.OUTPUT, call -> new Key(call.tool, call.params, null)),
      new Level(DivergenceKind.PARAMS, call -> new Key(call.tool, null, null)));

  private final List<Pair> divergent = new ArrayList<>();
  private int matched;

  static CallAlignment of(List<Call> left, List<Call> right) {
    CallAlignment alignment = new CallAlignment();
    alignment.align(left, right, 0);
    return alignment;
  }

  /** The number of calls that are equal. */
  int matched() {
    return matched;
  }

  /** The calls that are not, in order. */
  List<Pair> divergent() {
    return divergent;
  }

  /** The number of calls at the beginning that are equal one by one. */
  static int commonPrefix(List<Call> left, List<Call> right) {
    Function<Call, Key> key = LEVELS.get(0).key();
    int n = 0;
    while (n < Math.min(left.size(), right.size())
        && key.apply(left.get(n)).equals(key.apply(right.get(n)))) {
      n++;
    }
    return n;
  }

  private void align(List<Call> left, List<Call> right, int depth) {
    if (depth == LEVELS.size() || left.isEmpty() || right.isEmpty()) {
      oneByOne(left, right);
      return;
    }
    Level level = LEVELS.get(depth);
    Map<Key, Long> numbers = new HashMap<>();
    int[] aligned = Alignment.of(number(left, level, numbers), number(right, level, numbers));
    int nextLeft = 0;
    int nextRight = 0;
    for (int i = 0; i < aligned.length; i++) {
      if (aligned[i] >= 0) {
        align(left.subList(nextLeft, i), right.subList(nextRight, aligned[i]), depth + 1);
        if (level.kind() == null) {
          matched++;
        } else {
          divergent.add(new Pair(level.kind(), left.get(i), right.get(aligned[i])));
        }
        nextLeft = i + 1;
        nextRight = aligned[i] + 1;
      }
    }
    align(left.subList(nextLeft, left.size()), right.subList(nextRight, right.size()), depth + 1);
  }

  private void oneByOne(List<Call> left, List<Call> right) {
    int both = Math.min(left.size(), right.size());
    for (int i = 0; i < both; i++) {
      divergent.add(new Pair(DivergenceKind.TOOL, left.get(i), right.get(i)));
    }
    for (Call call : left.subList(both, left.size())) {
      divergent.add(new Pair(DivergenceKind.MISSING, call, null));
    }
    for (Call call : right.subList(both, right.size())) {
      divergent.add(new Pair(DivergenceKind.ADDED, null, call));
    }
  }

  /** Equal keys get equal numbers, and others do not. */
  private static long[] number(List<Call> calls, Level level, Map<Key, Long> numbers) {
    long[] numbered = new long[calls.size()];
    Arrays.setAll(
        numbered,
        i -> numbers.computeIfAbsent(level.key().apply(calls.get(i)), k -> (long) numbers.size()));
    return numbered;
  }
}
