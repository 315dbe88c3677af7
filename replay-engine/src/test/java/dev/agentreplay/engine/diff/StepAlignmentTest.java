package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.StepAlignment.Pair;
import dev.agentreplay.engine.diff.value.Traits;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of the alignment of any two sequences of calls. */
class StepAlignmentTest {

  /** The compared values of a call. */
  private record Spec(String tool, int params, int output) {}

  @Property
  void every_step_occurs_once_and_as_many_as_possible_are_matched(
      @ForAll("sequences") List<Spec> left, @ForAll("sequences") List<Spec> right) {
    List<Pair> pairs = align(left, right);

    assertWhole(pairs, left, right);
    assertThat(count(pairs, Relation.MATCHED)).isEqualTo(longestCommonSubsequence(left, right));
    assertThat(count(pairs, Relation.MATCHED) + count(pairs, Relation.MOVED))
        .as("equal calls are partners, in whatever order")
        .isEqualTo(inCommon(left, right));
    assertThat(Math.min(count(pairs, Relation.MISSING), count(pairs, Relation.ADDED)))
        .as("a gap leaves steps of one side only, and one gap may differ from another")
        .isLessThanOrEqualTo(Math.min(left.size(), right.size()));
  }

  @Property
  void nothing_diverges_before_the_first_that_differs_by_position(
      @ForAll("sequences") List<Spec> left, @ForAll("sequences") List<Spec> right) {
    int naive = 0;
    while (naive < left.size()
        && naive < right.size()
        && left.get(naive).equals(right.get(naive))) {
      naive++;
    }
    int first = Integer.MAX_VALUE;
    for (Pair pair : align(left, right)) {
      if (pair.relation() != Relation.MATCHED) {
        first = Math.min(first, pair.left() < 0 ? Integer.MAX_VALUE : pair.left());
        first = Math.min(first, pair.right() < 0 ? Integer.MAX_VALUE : pair.right());
      }
    }
    if (first == Integer.MAX_VALUE) {
      assertThat(left).isEqualTo(right);
    } else {
      assertThat(first).isEqualTo(naive);
    }
  }

  @Property
  void sequence_and_itself_are_all_matched(@ForAll("sequences") List<Spec> calls) {
    assertThat(align(calls, calls)).allMatch(pair -> pair.relation() == Relation.MATCHED);
  }

  @Property
  void what_is_left_out_is_missing_and_nothing_else_differs(
      @ForAll("sequences") List<Spec> left, @ForAll long choice) {
    List<Spec> part = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      if ((choice >> i & 1) == 0) {
        part.add(left.get(i));
      }
    }
    List<Pair> pairs = align(left, part);
    assertThat(count(pairs, Relation.MATCHED)).isEqualTo(part.size());
    assertThat(count(pairs, Relation.MISSING)).isEqualTo(left.size() - part.size());
  }

  @Property
  void both_ways_are_mirrored(
      @ForAll("sequences") List<Spec> left, @ForAll("sequences") List<Spec> right) {
    List<Pair> back = align(right, left).stream()
        .map(pair -> new Pair(
            switch (pair.relation()) {
              case MISSING -> Relation.ADDED;
              case ADDED -> Relation.MISSING;
              default -> pair.relation();
            },
            pair.right(),
            pair.left()))
        .toList();
    assertThat(align(left, right)).isEqualTo(back);
  }

  @Property(tries = 5)
  void every_step_occurs_once_beyond_the_limit_of_optimal_alignment(@ForAll Random random) {
    List<Spec> left = repetitive(random);
    List<Spec> right = repetitive(random);

    assertWhole(align(left, right), left, right);
  }

  @Example
  void of_several_calls_of_one_tool_the_most_similar_are_partners() {
    List<IndexedStep> left = new ArrayList<>();
    left.add(step(0, "read", JsonArray.of("src/a.txt", 1), 1));
    left.add(step(1, "read", JsonArray.of("src/b.txt", 2), 1));
    List<IndexedStep> right = List.of(step(0, "read", JsonArray.of("src/b.txt", 3), 1));

    assertThat(StepAlignment.of(left, right, null))
        .containsExactly(new Pair(Relation.MISSING, 0, -1), new Pair(Relation.CHANGED, 1, 0));
  }

  @Example
  void steps_of_different_kinds_are_not_partners() {
    IndexedStep call = step(0, "a", JsonArray.of(), 1);
    Step file = TestResults.step(
        StepKind.FILE_STATE, 0, null, "a", 2, null, null, true, "", call.step().fingerprint());
    IndexedStep state = new IndexedStep(
        file, -1, 0, hash(1), hash(2), Traits.NONE, 0, 0, new Position(2, 10), null, 1);

    assertThat(StepAlignment.of(List.of(call), List.of(state), null))
        .extracting(Pair::relation)
        .containsExactlyInAnyOrder(Relation.MISSING, Relation.ADDED);
  }

  private static void assertWhole(List<Pair> pairs, List<Spec> left, List<Spec> right) {
    assertThat(pairs.stream().filter(pair -> pair.left() >= 0).map(Pair::left).sorted())
        .doesNotHaveDuplicates()
        .hasSize(left.size());
    assertThat(pairs.stream().filter(pair -> pair.right() >= 0).map(Pair::right).sorted())
        .doesNotHaveDuplicates()
        .hasSize(right.size());
    for (Pair pair : pairs) {
      assertThat(pair.left() < 0).isEqualTo(pair.relation() == Relation.ADDED);
      assertThat(pair.right() < 0).isEqualTo(pair.relation() == Relation.MISSING);
      if (pair.left() >= 0 && pair.right() >= 0) {
        boolean equal = left.get(pair.left()).equals(right.get(pair.right()));
        assertThat(pair.relation() == Relation.CHANGED).isEqualTo(!equal);
      }
    }
  }

  private static long count(List<Pair> pairs, Relation relation) {
    return pairs.stream().filter(pair -> pair.relation() == relation).count();
  }

  private static List<Pair> align(List<Spec> left, List<Spec> right) {
    return StepAlignment.of(steps(left), steps(right), null);
  }

  private static List<IndexedStep> steps(List<Spec> specs) {
    List<IndexedStep> steps = new ArrayList<>();
    for (Spec spec : specs) {
      steps.add(step(steps.size(), spec.tool(), JsonValue.of(spec.params()), spec.output()));
    }
    return steps;
  }

  private static IndexedStep step(int index, String tool, JsonValue params, int output) {
    ContentHash request = CanonicalJson.SERDE.hash(JsonArray.of(tool, params));
    ContentHash conduct = CanonicalJson.SERDE.hash(JsonArray.of(tool, params, output));
    long line = 2 + 2L * index;
    return new IndexedStep(
        TestResults.step(
            StepKind.CALL, index, index, tool, line, line + 1, null, true, "", conduct),
        index,
        0,
        request,
        conduct,
        Traits.of(params),
        0,
        0,
        new Position(line, 100 * line),
        new Position(line + 1, 100 * line + 50),
        100);
  }

  private static ContentHash hash(Object value) {
    return CanonicalJson.SERDE.hash(JsonValue.of(value));
  }

  private static int inCommon(List<Spec> left, List<Spec> right) {
    Map<Spec, Integer> counts = new HashMap<>();
    left.forEach(spec -> counts.merge(spec, 1, Integer::sum));
    int common = 0;
    for (Spec spec : right) {
      common += counts.merge(spec, -1, Integer::sum) >= 0 ? 1 : 0;
    }
    return common;
  }

  private static int longestCommonSubsequence(List<Spec> left, List<Spec> right) {
    int[][] best = new int[left.size() + 1][right.size() + 1];
    for (int i = 1; i <= left.size(); i++) {
      for (int j = 1; j <= right.size(); j++) {
        best[i][j] = left.get(i - 1).equals(right.get(j - 1))
            ? best[i - 1][j - 1] + 1
            : Math.max(best[i - 1][j], best[i][j - 1]);
      }
    }
    return best[left.size()][right.size()];
  }

  /** So many calls, none of them only once, that they differ in more than is aligned best. */
  private static List<Spec> repetitive(Random random) {
    List<Spec> calls = new ArrayList<>();
    for (int i = 0; i < 6_000; i++) {
      calls.add(new Spec("tool-" + random.nextInt(40), random.nextInt(40), random.nextInt(2)));
    }
    return calls;
  }

  @Provide
  Arbitrary<List<Spec>> sequences() {
    Arbitrary<Integer> numbers = Arbitraries.of(1, 2);
    return Combinators.combine(Arbitraries.of("a", "b", "c"), numbers, numbers)
        .as(Spec::new)
        .list()
        .ofMaxSize(14);
  }
}
