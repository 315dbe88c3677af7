package dev.agentreplay.engine.agreement;

import static dev.agentreplay.engine.agreement.Stability.FLAKY;
import static dev.agentreplay.engine.agreement.Stability.REGRESSION;
import static dev.agentreplay.engine.agreement.Stability.STABLE;
import static dev.agentreplay.engine.agreement.Stability.UNSTABLE;
import static dev.agentreplay.engine.diff.TestRuns.agreement;
import static dev.agentreplay.engine.diff.TestRuns.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.agentreplay.engine.agreement.StepStability.Run;
import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.TestResults;
import dev.agentreplay.engine.diff.TestRuns;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlakinessReportTest {

  @ParameterizedTest
  @CsvSource({
    "=,     =,     =,     STABLE,     0 0 0",
    "=,     ~x,    =,     FLAKY,      0 1 0",
    "~x,    =,     ~y,    FLAKY,      1 0 2",
    "-,     =,     >,     FLAKY,      1 0 2",
    "~x,    ~x,    ~x,    REGRESSION, 1 1 1",
    "-,     -,     -,     REGRESSION, 1 1 1",
    ">,     >,     >,     REGRESSION, 1 1 1",
    "~x,    ~y,    ~x,    UNSTABLE,   1 2 1",
    "-,     ~x,    -,     UNSTABLE,   1 2 1",
    ">,     ~a,    -,     UNSTABLE,   1 2 3",
    "~x0,   =,     >0,    STABLE,     0 0 0",
    "~x0,   ~x,    ~x,    FLAKY,      0 1 1",
  })
  void step_is_as_stable_as_the_runs_agree(
      String one, String two, String three, Stability stability, String variants) {
    FlakinessReport agreement = agreement(one, two, three);

    assertThat(agreement.steps()).hasSize(1);
    StepStability step = agreement.steps().get(0);
    assertThat(step.stability()).isEqualTo(stability);
    assertThat(variants(step)).isEqualTo(variants);
    assertThat(agreement.verdict()).isEqualTo(stability);
    assertThat(agreement.cause()).isEqualTo(stability == STABLE ? null : step);
  }

  @ParameterizedTest
  @CsvSource({
    "= +n:x =,          = +n:x =,          REGRESSION, 1 1",
    "= +n:x =,          = +n:y =,          UNSTABLE,   1 2",
    "= +n:x =,          = =,               FLAKY,      1 0",
    "= =,               = +n:x0 =,         STABLE,     0 0",
  })
  void step_that_only_runs_have_is_one_step_where_they_have_it(
      String one, String two, Stability stability, String variants) {
    FlakinessReport agreement = agreement(one, two);

    assertThat(agreement.steps()).hasSize(3);
    StepStability added = agreement.steps().get(1);
    assertThat(added.left()).isNull();
    assertThat(added.stability()).isEqualTo(stability);
    assertThat(variants(added)).isEqualTo(variants);
  }

  @Test
  void added_steps_elsewhere_or_of_another_name_are_others() {
    assertThat(agreement("+n:x =", "= +n:x").counts()).containsEntry(FLAKY, 2);
    assertThat(agreement("+n:x =", "+m:x =").counts()).containsEntry(FLAKY, 2);
  }

  @Test
  void added_steps_that_are_equal_belong_together_before_those_of_one_name() {
    FlakinessReport agreement = agreement("= +n:x +n:y", "= +n:y", "= +n:z +n:y");

    assertThat(agreement.steps())
        .extracting(FlakinessReportTest::variants)
        .containsExactly("0 0 0", "1 0 2", "1 1 1");
  }

  @Test
  void moved_step_that_is_listed_before_its_place_leaves_the_others_in_theirs() {
    SessionDiff plain = run("= +n:x = = =");
    SessionDiff moved = run("= +n:x = > =");
    List<AlignedStep> pairs = moved.alignment();
    SessionDiff listedEarly = TestResults.sessionDiff(
        moved.left(),
        moved.right(),
        moved.summary(),
        null,
        moved.divergences(),
        List.of(pairs.get(0), pairs.get(3), pairs.get(1), pairs.get(2), pairs.get(4)),
        List.of());

    FlakinessReport agreement = FlakinessReport.of(List.of(plain, listedEarly));

    assertThat(agreement.steps())
        .extracting(FlakinessReportTest::variants)
        .containsExactly("0 0", "1 1", "0 0", "0 1", "0 0");
  }

  @Test
  void agreement_is_the_share_of_steps_and_runs_that_agree() {
    FlakinessReport agreement = agreement("= ~x", "= ~x +n:x", "= =");

    assertThat(agreement.agreement()).isCloseTo(100.0 * 6 / 9, within(1e-9));
    assertThat(agreement.counts())
        .containsOnly(
            Map.entry(STABLE, 1),
            Map.entry(FLAKY, 2),
            Map.entry(UNSTABLE, 0),
            Map.entry(REGRESSION, 0));
    assertThat(agreement.runs())
        .extracting(ComparedSession::name)
        .containsExactly("run = ~x", "run = ~x +n:x", "run = =");
  }

  @Test
  void what_follows_from_a_flaky_step_makes_no_regression() {
    FlakinessReport agreement = agreement("~x ~y! =", "~x ~y! ~z", "= = =");
    assertThat(agreement.steps())
        .extracting(StepStability::downstream)
        .containsExactly(false, true, false);

    FlakinessReport downstream = agreement("~x ~z!", "~y ~z!");
    assertThat(downstream.steps().get(1).stability()).isEqualTo(REGRESSION);
    assertThat(downstream.verdict()).isEqualTo(UNSTABLE);
    assertThat(downstream.cause()).isEqualTo(downstream.steps().get(0));
  }

  @Test
  void step_that_follows_in_one_run_only_is_not_downstream() {
    assertThat(agreement("~x ~z!", "= ~z").steps().get(1).downstream()).isFalse();
  }

  @Test
  void divergence_that_is_not_listed_matters_and_follows_from_nothing() {
    FlakinessReport agreement =
        FlakinessReport.of(List.of(run("~x ~y!", 1), run("~x ~y0", 1), run("~x ~y!", 1)));

    assertThat(agreement.steps().get(1).stability()).isEqualTo(REGRESSION);
    assertThat(agreement.steps().get(1).downstream()).isFalse();
  }

  @Test
  void cause_is_the_first_of_the_worst() {
    FlakinessReport agreement = agreement("~x = -", "= ~x -");

    assertThat(agreement.verdict()).isEqualTo(REGRESSION);
    assertThat(agreement.cause()).isEqualTo(agreement.steps().get(2));
    assertThat(agreement.unstable()).hasSize(3);
  }

  @Test
  void one_run_agrees_or_is_a_regression() {
    assertThat(agreement("= =").verdict()).isEqualTo(STABLE);
    assertThat(agreement("= ~x").verdict()).isEqualTo(REGRESSION);
    assertThat(agreement("= ~x").agreement()).isEqualTo(50);
  }

  @Test
  void no_run_or_runs_of_other_sessions_are_refused() {
    assertThatThrownBy(() -> FlakinessReport.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected at least one comparison");
    assertThatThrownBy(() -> agreement("= =", "="))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("left session or rules: expected the step at line 4, found no step");
    assertThatThrownBy(() -> agreement("=", "= ="))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("left session or rules: expected no step, found the step at line 4");
  }

  @Provide
  Arbitrary<List<String>> runs() {
    Arbitrary<String> step = Arbitraries.of("=", "~x", "~y", ">", "-");
    Arbitrary<String> added = Arbitraries.of("", "", "+n:x ", "+n:y ", "+m:x ");
    Arbitrary<String> run = Combinators.combine(
            step.list().ofSize(4), added.list().ofSize(5))
        .as((steps, more) -> {
          StringBuilder text = new StringBuilder(more.get(4));
          for (int i = 0; i < steps.size(); i++) {
            text.append(more.get(i)).append(steps.get(i)).append(' ');
          }
          return text.toString().strip();
        });
    return run.list().ofMinSize(2).ofMaxSize(5);
  }

  @Property
  void every_step_of_every_run_is_in_the_agreement_once(@ForAll("runs") List<String> runs) {
    List<SessionDiff> diffs = runs.stream().map(TestRuns::run).toList();

    FlakinessReport agreement = FlakinessReport.of(diffs);

    for (int i = 0; i < diffs.size(); i++) {
      int run = i;
      Stream<Step> expected =
          diffs.get(i).alignment().stream().map(AlignedStep::right).filter(step -> step != null);
      assertThat(agreement.steps().stream()
              .map(step -> step.runs().get(run).step())
              .filter(step -> step != null))
          .containsExactlyInAnyOrderElementsOf(expected.toList());
    }
    assertThat(agreement.steps().stream().filter(step -> step.left() != null))
        .extracting(step -> step.left().index())
        .containsExactly(0, 1, 2, 3);
    assertThat(agreement.counts().values().stream().mapToInt(n -> n).sum())
        .isEqualTo(agreement.steps().size());
    assertThat(agreement.agreement() == 100).isEqualTo(agreement.verdict() == STABLE);
    for (StepStability step : agreement.steps()) {
      assertThat(step.runs()).allSatisfy(r -> {
        assertThat(r.agrees()).isEqualTo(r.relation() == Relation.MATCHED);
        assertThat(r.divergence() == null).isEqualTo(r.relation() == Relation.MATCHED);
      });
    }
  }

  private static String variants(StepStability step) {
    return step.runs().stream()
        .map(Run::variant)
        .map(String::valueOf)
        .reduce((a, b) -> a + " " + b)
        .orElseThrow();
  }
}
