package dev.agentreplay.engine;

import dev.agentreplay.engine.CallIndex.Call;
import dev.agentreplay.model.internal.Alignment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /** What must be equal for two calls to be aligned; loosest last. */
  private static final List<Function<Call, Key>> LEVELS = List.of(
      call -> new Key(call.tool, call.params, call.output),
      call -> new Key(call.tool, call.params, null),
      call -> new Key(call.tool, null, null));

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
    int n = 0;
    while (n < Math.min(left.size(), right.size()) && kind(left.get(n), right.get(n)) == null) {
      n++;
    }
    return n;
  }

  private void align(List<Call> left, List<Call> right, int depth) {
    if (depth == LEVELS.size() || left.isEmpty() || right.isEmpty()) {
      oneByOne(left, right);
      return;
    }
    Function<Call, Key> level = LEVELS.get(depth);
    Map<Key, Long> numbers = new HashMap<>();
    int[] aligned = Alignment.of(number(left, level, numbers), number(right, level, numbers));
    int nextLeft = 0;
    int nextRight = 0;
    for (int i = 0; i < aligned.length; i++) {
      if (aligned[i] >= 0) {
        align(left.subList(nextLeft, i), right.subList(nextRight, aligned[i]), depth + 1);
        pair(left.get(i), right.get(aligned[i]));
        nextLeft = i + 1;
        nextRight = aligned[i] + 1;
      }
    }
    align(left.subList(nextLeft, left.size()), right.subList(nextRight, right.size()), depth + 1);
  }

  private void oneByOne(List<Call> left, List<Call> right) {
    int both = Math.min(left.size(), right.size());
    for (int i = 0; i < both; i++) {
      pair(left.get(i), right.get(i));
    }
    for (Call call : left.subList(both, left.size())) {
      divergent.add(new Pair(DivergenceKind.MISSING, call, null));
    }
    for (Call call : right.subList(both, right.size())) {
      divergent.add(new Pair(DivergenceKind.ADDED, null, call));
    }
  }

  /** Of many calls, equal ones that are far apart may meet at a looser level only. */
  private void pair(Call left, Call right) {
    DivergenceKind kind = kind(left, right);
    if (kind == null) {
      matched++;
    } else {
      divergent.add(new Pair(kind, left, right));
    }
  }

  /** How two calls differ; null when they do not. */
  private static @Nullable DivergenceKind kind(Call left, Call right) {
    if (!left.tool.equals(right.tool)) {
      return DivergenceKind.TOOL;
    }
    if (!Objects.equals(left.params, right.params)) {
      return DivergenceKind.PARAMS;
    }
    return Objects.equals(left.output, right.output) ? null : DivergenceKind.OUTPUT;
  }

  /** Equal keys get equal numbers, and others do not. */
  private static long[] number(
      List<Call> calls, Function<Call, Key> level, Map<Key, Long> numbers) {
    long[] numbered = new long[calls.size()];
    Arrays.setAll(
        numbered,
        i -> numbers.computeIfAbsent(level.apply(calls.get(i)), k -> (long) numbers.size()));
    return numbered;
  }
}
