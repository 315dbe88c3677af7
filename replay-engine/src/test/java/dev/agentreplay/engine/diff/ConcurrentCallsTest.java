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

  /**
   * The order of calls that ran one after the other in both sessions counts, whatever other calls
   * ran at the same time.
   */
  @Test
  void identical_sessions_have_no_two_calls_that_ran_in_opposite_orders() throws IOException {
    int identical = 0;
    for (int seed = 0; seed < SCHEDULES; seed++) {
      Random random = new Random(seed);
      List<Integer> left = schedule(random, 4);
      List<Integer> right = schedule(random, 4);

      SessionDiff diff = diff(log(left), log(right));

      if (diff.isIdentical()) {
        identical++;
        for (int a = 0; a < 4; a++) {
          for (int b = 0; b < 4; b++) {
            assertThat(isBefore(a, b, left) && isBefore(b, a, right))
                .as("%d before %d in %s, behind it in %s", a, b, left, right)
                .isFalse();
          }
        }
      }
    }
    assertThat(identical).isGreaterThan(SCHEDULES / 75);
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
    TestLog log = new TestLog();
    Map<Integer, String> ids = new HashMap<>();
    for (int event : schedule) {
      if (event >= 0) {
        ids.put(event, log.start("tool" + event, event));
      } else {
        log.result(ids.get(-1 - event), "out");
      }
    }
    return log;
  }

  @Test
  void one_that_is_moved_out_of_its_batch_diverges() throws IOException {
    TestLog left = batch(new TestLog(), List.of("a", "b"), List.of("a", "b")).calls("x", 0, 3);
    TestLog right = batch(new TestLog(), List.of("b"), List.of("b"))
        .calls("x", 0, 3)
        .call("a", JsonObject.of("of", "a"), "out of a");

    SessionDiff diff = diff(left, right);

    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.MOVED);
    assertThat(diff.first().call()).isZero();
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
