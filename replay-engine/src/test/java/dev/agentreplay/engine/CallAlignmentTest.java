package dev.agentreplay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.CallAlignment.Pair;
import dev.agentreplay.engine.CallIndex.Call;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for the alignment of any two sequences of calls. */
class CallAlignmentTest {

  /** What is compared of a call. */
  private record Spec(String tool, Integer params, Integer output) {}

  @Property(tries = 3_000)
  void countsCloseAndKindsAreTrue(
      @ForAll("sequences") List<Spec> left, @ForAll("sequences") List<Spec> right) {
    CallAlignment alignment = CallAlignment.of(calls(left), calls(right));
    int changed = 0;
    int missing = 0;
    int added = 0;
    int lastLeft = -1;
    int lastRight = -1;
    for (Pair pair : alignment.divergent()) {
      switch (pair.kind()) {
        case MISSING -> missing++;
        case ADDED -> added++;
        default -> changed++;
      }
      assertThat(pair.left() == null).isEqualTo(pair.kind() == DivergenceKind.ADDED);
      assertThat(pair.right() == null).isEqualTo(pair.kind() == DivergenceKind.MISSING);
      if (pair.left() != null) {
        assertThat(pair.left().number).isGreaterThan(lastLeft);
        lastLeft = pair.left().number;
      }
      if (pair.right() != null) {
        assertThat(pair.right().number).isGreaterThan(lastRight);
        lastRight = pair.right().number;
      }
      if (pair.left() != null && pair.right() != null) {
        assertThat(pair.kind()).isEqualTo(kind(pair.left(), pair.right()));
      }
    }
    assertThat(alignment.matched() + changed + missing).isEqualTo(left.size());
    assertThat(alignment.matched() + changed + added).isEqualTo(right.size());
    assertThat(alignment.matched()).isEqualTo(longestCommonSubsequence(left, right));
  }

  @Property
  void commonPrefixIsThatOfANaiveLoop(
      @ForAll("sequences") List<Spec> left, @ForAll("sequences") List<Spec> right) {
    int naive = 0;
    while (naive < left.size()
        && naive < right.size()
        && left.get(naive).equals(right.get(naive))) {
      naive++;
    }
    assertThat(CallAlignment.commonPrefix(calls(left), calls(right))).isEqualTo(naive);
    List<Pair> divergent = CallAlignment.of(calls(left), calls(right)).divergent();
    if (!divergent.isEmpty()) {
      Pair first = divergent.get(0);
      Call firstCall = first.left() == null ? first.right() : first.left();
      assertThat(firstCall.number).as("nothing diverges before").isGreaterThanOrEqualTo(naive);
    } else {
      assertThat(left).isEqualTo(right);
    }
  }

  @Property
  void sequenceAndItselfAreAllMatched(@ForAll("sequences") List<Spec> calls) {
    CallAlignment alignment = CallAlignment.of(calls(calls), calls(calls));
    assertThat(alignment.matched()).isEqualTo(calls.size());
    assertThat(alignment.divergent()).isEmpty();
  }

  @Property
  void whatIsMissingOneWayIsAddedTheOther(
      @ForAll("sequences") List<Spec> left, @ForAll long choice) {
    List<Spec> part = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      if ((choice >> i & 1) == 0) {
        part.add(left.get(i));
      }
    }
    int rest = left.size() - part.size();
    assertThat(CallAlignment.of(calls(left), calls(part)).divergent())
        .hasSize(rest)
        .allSatisfy(pair -> assertThat(pair.kind()).isEqualTo(DivergenceKind.MISSING));
    assertThat(CallAlignment.of(calls(part), calls(left)).divergent())
        .hasSize(rest)
        .allSatisfy(pair -> assertThat(pair.kind()).isEqualTo(DivergenceKind.ADDED));
  }

  @Property
  void asManyCallsAreMatchedEitherWay(
      @ForAll("sequences") List<Spec> left, @ForAll("sequences") List<Spec> right) {
    assertThat(CallAlignment.of(calls(left), calls(right)).matched())
        .isEqualTo(CallAlignment.of(calls(right), calls(left)).matched());
  }

  @Property(tries = 10)
  void kindsAreTrueBeyondWhatIsAlignedBest(@ForAll Random random) {
    List<Spec> left = repetitive(random);
    List<Spec> right = repetitive(random);
    CallAlignment alignment = CallAlignment.of(calls(left), calls(right));

    assertThat(alignment.divergent())
        .filteredOn(pair -> pair.left() != null && pair.right() != null)
        .isNotEmpty()
        .allSatisfy(pair -> assertThat(pair.kind()).isEqualTo(kind(pair.left(), pair.right())));
    long missing =
        alignment.divergent().stream().filter(pair -> pair.right() == null).count();
    long added =
        alignment.divergent().stream().filter(pair -> pair.left() == null).count();
    assertThat(left.size() - missing).isEqualTo(right.size() - added);
  }

  @Example
  void equalCallsThatAreFarApartAreNoDivergenceOfEachOther() {
    Spec far = new Spec("far", 1, 1);
    Spec near = new Spec("near", 1, 1);
    List<Spec> left = new ArrayList<>(List.of(far, far));
    List<Spec> right = new ArrayList<>();
    twice("left", 29, left);
    twice("right", 33, right);
    left.add(near);
    right.add(far);
    right.add(near);
    twice("left rest", 1_500, left);
    twice("right rest", 1_500, right);
    left.add(near);
    CallAlignment alignment = CallAlignment.of(calls(left), calls(right));

    assertThat(alignment.divergent())
        .filteredOn(pair -> pair.left() != null && pair.right() != null)
        .allSatisfy(pair -> assertThat(pair.kind()).isEqualTo(kind(pair.left(), pair.right())));
  }

  /** So many calls, each twice, so that none is an anchor. */
  private static void twice(String name, int count, List<Spec> calls) {
    for (int i = 0; i < 2 * count; i++) {
      calls.add(new Spec(name + i / 2, 1, 1));
    }
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
    return Combinators.combine(Arbitraries.of("a", "b", "c"), numbers, numbers.injectNull(0.1))
        .as(Spec::new)
        .list()
        .ofMaxSize(14);
  }

  private static List<Call> calls(List<Spec> specs) {
    List<Call> calls = new ArrayList<>();
    for (Spec spec : specs) {
      Call call = new Call(calls.size(), calls.size() + 2, spec.tool(), hash(spec.params()));
      call.output = hash(spec.output());
      calls.add(call);
    }
    return calls;
  }

  private static ContentHash hash(Integer value) {
    return value == null ? null : CanonicalJson.SERDE.hash(JsonValue.of(value));
  }

  private static DivergenceKind kind(Call left, Call right) {
    if (!left.tool.equals(right.tool)) {
      return DivergenceKind.TOOL;
    }
    if (!Objects.equals(left.params, right.params)) {
      return DivergenceKind.PARAMS;
    }
    return Objects.equals(left.output, right.output) ? null : DivergenceKind.OUTPUT;
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
}
