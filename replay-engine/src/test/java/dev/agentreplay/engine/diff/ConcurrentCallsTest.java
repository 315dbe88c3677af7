package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that ran at the same time are matched by what they are, not by their order. */
class ConcurrentCallsTest {

  private static final int SCHEDULES = 150 * Integer.getInteger("replay.effort", 1);

  @TempDir
  Path directory;

  /** Calls that are all made before one returns; they return in the order of the second list. */
  private static TestLog batch(TestLog log, List<String> tools, List<String> results) {
    List<String> ids = new ArrayList<>();
    tools.forEach(tool -> ids.add(log.start(tool, JsonObject.of("of", tool))));
    results.forEach(tool -> log.result(ids.get(tools.indexOf(tool)), "out of " + tool));
    return log;
  }

  @Test
  void different_order_of_calls_that_ran_together_is_not_a_divergence() throws IOException {
    List<String> tools = List.of("a", "b", "c", "d", "e", "f");
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<String> calls = new ArrayList<>(tools);
      List<String> results = new ArrayList<>(tools);
      Collections.shuffle(calls, random);
      Collections.shuffle(results, random);

      SessionDiff diff = diff(
          batch(new TestLog().calls("x", 0, 3), tools, tools).calls("x", 3, 6),
          batch(new TestLog().calls("x", 0, 3), calls, results).calls("x", 3, 6));

      assertThat(diff.divergences()).isEmpty();
      assertThat(diff.first()).isNull();
      assertThat(diff.summary().calls().matched()).isEqualTo(12);
    }
  }

  @Test
  void together_in_one_session_and_one_by_one_in_the_other_is_not_a_divergence()
      throws IOException {
    TestLog sequential = new TestLog().calls("x", 0, 1);
    for (String tool : List.of("c", "a", "b")) {
      sequential.call(tool, JsonObject.of("of", tool), "out of " + tool);
    }
    TestLog together =
        batch(new TestLog().calls("x", 0, 1), List.of("a", "b", "c"), List.of("b", "c", "a"));

    assertThat(diff(sequential, together).divergences()).isEmpty();
    assertThat(diff(together, sequential).divergences()).isEmpty();
  }

  @Test
  void one_that_differs_among_others_in_another_order_is_the_only_divergence() throws IOException {
    TestLog left = batch(new TestLog(), List.of("a", "b", "c"), List.of("a", "b", "c"));
    TestLog right = new TestLog();
    String c = right.start("c", JsonObject.of("of", "c"));
    String b = right.start("b", JsonObject.of("of", "b"));
    String a = right.start("a", JsonObject.of("of", "a"));
    right.result(b, "out of b").result(c, "another").result(a, "out of a");

    SessionDiff diff = diff(left, right);

    assertThat(diff.divergences()).hasSize(1);
    Divergence one = diff.divergences().get(0);
    assertThat(one.kind()).isEqualTo(DivergenceKind.OUTPUT);
    assertThat(one.left().name()).isEqualTo("c");
    assertThat(one.right().name()).isEqualTo("c");
  }

  /** The calls of two workers, of which A2 was made while B1 ran. */
  @Test
  void call_that_ran_next_to_a_second_one_may_come_before_or_after_it() throws IOException {
    for (String order : List.of("A1 B1 A2 B2", "A1 A2 B1 B2", "B1 B2 A1 A2", "B1 A1 B2 A2")) {
      TestLog recorded = new TestLog();
      String b1 = recorded.start("B1", 1);
      recorded.call("A1", 1, 1);
      recorded.call("A2", 1, 1).result(b1, 1).call("B2", 1, 1);
      TestLog replayed = new TestLog();
      for (String tool : order.split(" ")) {
        replayed.call(tool, 1, 1);
      }

      assertThat(diff(recorded, replayed).divergences()).as(order).isEmpty();
      assertThat(diff(replayed, recorded).divergences()).as(order).isEmpty();
    }
  }

  /** Workers that make their calls one after the other, next to each other or not. */
  @Test
  void workers_may_run_in_any_order() throws IOException {
    for (int seed = 0; seed < SCHEDULES / 3; seed++) {
      Random random = new Random(seed);
      int workers = 2 + random.nextInt(5);
      int calls = 1 + random.nextInt(6);

      SessionDiff diff =
          diff(log(shifts(random, workers, calls)), log(interleaved(random, workers, calls)));

      assertThat(diff.divergences()).as("seed %d", seed).isEmpty();
    }
  }

  /**
   * Not always: where a worker is idle, it may be assumed to have made a call of a different one.
   */
  @Test
  void call_that_a_worker_makes_earlier_nearly_always_diverges() throws IOException {
    int schedules = SCHEDULES / 3;
    int diverged = 0;
    for (int seed = 0; seed < schedules; seed++) {
      Random random = new Random(seed);
      List<Integer> changed = interleaved(random, 3, 4);
      Collections.replaceAll(changed, 1, 99); // the second and the third call of the first worker
      Collections.replaceAll(changed, 2, 1);
      Collections.replaceAll(changed, 99, 2);
      Collections.replaceAll(changed, -2, -99);
      Collections.replaceAll(changed, -3, -2);
      Collections.replaceAll(changed, -99, -3);

      SessionDiff diff = diff(log(shifts(random, 3, 4)), log(changed));

      assertThat(diff.divergences())
          .as("seed %d", seed)
          .extracting(Divergence::kind)
          .allMatch(kind -> kind == DivergenceKind.MOVED);
      diverged += diff.divergences().isEmpty() ? 0 : 1;
    }
    assertThat(diverged).isGreaterThan(schedules * 9 / 10);
  }

  @Test
  void result_that_differs_among_workers_is_the_only_divergence() throws IOException {
    for (int seed = 0; seed < SCHEDULES / 3; seed++) {
      Random random = new Random(seed);
      int workers = 2 + random.nextInt(5);
      int calls = 1 + random.nextInt(6);
      int changed = random.nextInt(workers * calls);

      SessionDiff diff = diff(
          log(shifts(random, workers, calls)), log(interleaved(random, workers, calls), changed));

      assertThat(diff.divergences())
          .as("seed %d", seed)
          .extracting(Divergence::kind)
          .containsExactly(DivergenceKind.OUTPUT);
      assertThat(diff.divergences().get(0).right().name()).isEqualTo("tool" + changed);
    }
  }

  /** Calls of workers, of which all, or all but one, run at any time between the first and last. */
  private static List<Integer> shifts(Random random, int workers, int calls) {
    List<Integer> schedule = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      order.add(worker * calls);
    }
    for (int i = 0; i <= calls; i++) {
      Collections.shuffle(order, random);
      for (int first : order) {
        if (i > 0) {
          schedule.add(-1 - (first + i - 1));
        }
        if (i < calls) {
          schedule.add(first + i);
        }
      }
    }
    return schedule;
  }

  /** Calls of workers, each next to others or not. */
  private static List<Integer> interleaved(Random random, int workers, int calls) {
    List<Integer> next = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      next.add(0);
    }
    List<Integer> schedule = new ArrayList<>();
    while (schedule.size() < 2 * workers * calls) {
      int worker = random.nextInt(workers);
      int events = next.get(worker);
      if (events < 2 * calls) {
        int call = worker * calls + events / 2;
        schedule.add(events % 2 == 0 ? call : -1 - call);
        next.set(worker, events + 1);
      }
    }
    return schedule;
  }

  /**
   * Of calls that all ran one after the other, in opposite orders in both sessions, each needs a
   * worker of its own; there are as many as calls ran at the same time.
   */
  @Test
  void identical_sessions_have_no_more_calls_in_opposite_orders_than_workers() throws IOException {
    int identical = 0;
    for (int seed = 0; seed < SCHEDULES; seed++) {
      Random random = new Random(seed);
      List<Integer> left = schedule(random, 4);
      List<Integer> right = schedule(random, 4);

      SessionDiff diff = diff(log(left), log(right));

      if (diff.isIdentical()) {
        identical++;
        assertThat(opposite(left, right))
            .as("calls in opposite orders in %s and %s", left, right)
            .isLessThanOrEqualTo(Math.max(together(left), together(right)));
      }
    }
    assertThat(identical).isBetween(SCHEDULES / 75, SCHEDULES - SCHEDULES / 10);
  }

  /** The greatest number of calls each two of which ran in opposite orders. */
  private static int opposite(List<Integer> left, List<Integer> right) {
    int greatest = 0;
    for (int set = 1; set < 16; set++) {
      boolean areOpposite = true;
      for (int a = 0; a < 4; a++) {
        for (int b = 0; b < a; b++) {
          boolean areBoth = (set & 1 << a) != 0 && (set & 1 << b) != 0;
          boolean isSwapped = (isBefore(a, b, left) && isBefore(b, a, right))
              || (isBefore(b, a, left) && isBefore(a, b, right));
          areOpposite &= !areBoth || isSwapped;
        }
      }
      greatest = areOpposite ? Math.max(greatest, Integer.bitCount(set)) : greatest;
    }
    return greatest;
  }

  /** The greatest number of calls that ran at the same time. */
  private static int together(List<Integer> schedule) {
    int open = 0;
    int greatest = 0;
    for (int event : schedule) {
      open += event >= 0 ? 1 : -1;
      greatest = Math.max(greatest, open);
    }
    return greatest;
  }

  /**
   * Calls, each as its number for its beginning and as the same, negative less one, for its end.
   */
  private static List<Integer> schedule(Random random, int calls) {
    List<Integer> schedule = new ArrayList<>();
    List<Integer> open = new ArrayList<>();
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      left.add(i);
    }
    while (!left.isEmpty() || !open.isEmpty()) {
      boolean starts = open.isEmpty() || (!left.isEmpty() && random.nextInt(3) > 0);
      List<Integer> from = starts ? left : open;
      int call = from.remove(random.nextInt(from.size()));
      if (starts) {
        open.add(call);
      }
      schedule.add(starts ? call : -1 - call);
    }
    return schedule;
  }

  private static boolean isBefore(int a, int b, List<Integer> schedule) {
    return schedule.indexOf(-1 - a) < schedule.indexOf(b);
  }

  private static TestLog log(List<Integer> schedule) {
    return log(schedule, -1);
  }

  private static TestLog log(List<Integer> schedule, int changed) {
    TestLog log = new TestLog();
    Map<Integer, String> ids = new HashMap<>();
    for (int event : schedule) {
      if (event >= 0) {
        ids.put(event, log.start("tool" + event, event));
      } else {
        log.result(ids.get(-1 - event), -1 - event == changed ? "changed" : "out");
      }
    }
    return log;
  }

  @Test
  void one_that_is_moved_out_of_its_batch_diverges() throws IOException {
    TestLog left = batch(new TestLog(), List.of("a", "b"), List.of("a", "b"));
    batch(left, List.of("c", "d"), List.of("c", "d")).calls("x", 0, 3);
    TestLog right = batch(new TestLog(), List.of("b"), List.of("b"));
    batch(right, List.of("c", "d"), List.of("c", "d"))
        .calls("x", 0, 3)
        .call("a", JsonObject.of("of", "a"), "out of a");

    SessionDiff diff = diff(left, right);

    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.MOVED);
    assertThat(diff.first().call()).isZero();
  }

  /** The log does not say whether the second worker waited for the first one. */
  @Test
  void one_of_two_workers_may_be_late() throws IOException {
    TestLog left = batch(new TestLog(), List.of("a", "b"), List.of("a", "b")).calls("x", 0, 3);
    TestLog right = batch(new TestLog(), List.of("b"), List.of("b"))
        .calls("x", 0, 3)
        .call("a", JsonObject.of("of", "a"), "out of a");

    assertThat(diff(left, right).divergences()).isEmpty();
  }

  @Test
  void calls_before_and_after_concurrent_ones_keep_their_order() throws IOException {
    List<String> one = List.of("a", "b", "c");
    List<String> other = List.of("c", "a", "b");

    SessionDiff diff = diff(
        batch(new TestLog().call("v", 1, 1).call("w", 1, 1), one, one)
            .call("x", 1, 1)
            .call("y", 1, 1),
        batch(new TestLog().call("w", 1, 1).call("v", 1, 1), other, one)
            .call("y", 1, 1)
            .call("x", 1, 1));

    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.MOVED, DivergenceKind.MOVED);
  }

  @Test
  void calls_next_to_a_long_one_keep_their_order() throws IOException {
    TestLog left = new TestLog();
    String long1 = left.start("long", 1);
    left.call("x", 1, 1).call("y", 1, 1).result(long1, 1);
    TestLog right = new TestLog();
    String long2 = right.start("long", 1);
    right.call("y", 1, 1).call("x", 1, 1).result(long2, 1);

    assertThat(diff(left, right).divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.MOVED);
  }

  @Test
  void calls_one_after_the_other_in_another_order_diverge() throws IOException {
    SessionDiff diff = diff(
        new TestLog().call("a", 1, 1).call("b", 2, 2),
        new TestLog().call("b", 2, 2).call("a", 1, 1));

    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.MOVED);
  }

  @Test
  void moved_block_is_one_divergence() throws IOException {
    SessionDiff diff = diff(
        new TestLog().calls("m", 0, 4).calls("x", 0, 10),
        new TestLog().calls("x", 0, 10).calls("m", 0, 4));

    assertThat(diff.divergences()).hasSize(1);
    assertThat(diff.divergences().get(0).size()).isEqualTo(4);
    assertThat(diff.summary().calls()).isEqualTo(TestResults.stepCounts(14, 14, 10, 4, 4, 0, 0));
    assertThat(diff.first().call()).isZero();
    assertThat(diff.similarity()).isEqualTo(100.0 * 24 / 28);
  }

  @Test
  void every_step_of_a_block_that_was_moved_is_judged() throws IOException {
    SeverityPolicy thinkingIsFree = change -> change.step().name().equals("think")
        ? new SeverityRating(DivergenceSeverity.NONE, "thinking is free")
        : SeverityPolicy.defaults().judge(change);

    SessionDiff diff = SessionDiff.between(
        new TestLog()
            .calls("x", 0, 5)
            .call("think", 1, 1)
            .call("rm", 2, 2)
            .write(directory.resolve("left")),
        new TestLog()
            .call("think", 1, 1)
            .call("rm", 2, 2)
            .calls("x", 0, 5)
            .write(directory.resolve("right")),
        DiffOptions.defaults().withSeverity(thinkingIsFree));

    assertThat(diff.isIdentical()).isFalse();
    assertThat(diff.divergences())
        .extracting(Divergence::severity)
        .containsExactly(DivergenceSeverity.NONE, DivergenceSeverity.MODERATE);
    assertThat(diff.summary().calls()).isEqualTo(TestResults.stepCounts(7, 7, 6, 1, 1, 0, 0));
    assertThat(diff.first().call()).isEqualTo(1);
    assertThat(diff.similarity()).isEqualTo(100.0 * 13 / 14);
  }

  private SessionDiff diff(TestLog left, TestLog right) throws IOException {
    return SessionDiff.between(
        left.write(directory.resolve("left")), right.write(directory.resolve("right")));
  }
}
