package dev.agentreplay.junit;

import static dev.agentreplay.junit.BddReplayAssertions.thenRuns;
import static dev.agentreplay.junit.Recordings.call;
import static dev.agentreplay.junit.ReplayAssertions.assertThatRuns;
import static dev.agentreplay.junit.ReplayAssertions.comparing;
import static dev.agentreplay.junit.ReplayAssertions.ignoring;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several runs of an agent: they agree, or the message has the steps in which they do not. */
class RunsAssertTest {

  @TempDir
  private Path directory;

  private int runs;

  /** A run that calls a tool for each of these outputs. */
  private Session run(String... outputs) throws IOException {
    String name = "run-" + runs++;
    return Recordings.record(directory.resolve(name), recorder -> {
      for (int i = 0; i < outputs.length; i++) {
        call(recorder, name + "-" + i, "read", JsonObject.of("n", i), outputs[i]);
      }
    });
  }

  private AbstractThrowableAssert<?, ?> failure(ThrowingCallable assertion) {
    return assertThatThrownBy(assertion).isInstanceOf(AssertionError.class);
  }

  @Test
  void runs_that_do_the_same_agree() throws IOException {
    List<Session> same = List.of(run("a", "b"), run("a", "b"), run("a", "b"));

    assertThatRuns(same).agree().agreeInAtLeast(1).agree(ignoring());
    assertThatRuns(same.get(0), same.get(1)).agree();
    Collection<Session> set = new LinkedHashSet<>(same);
    thenRuns(set).agree();
    thenRuns(same.get(1), same.get(0)).agreeInAtLeast(0.5);
  }

  @Test
  void runs_that_differ_fail_with_the_steps_that_are_flaky() throws IOException {
    List<Session> several = List.of(run("a", "b"), run("a", "b"), run("a", "c"), run("a", "b"));

    failure(() -> assertThatRuns(several).agree())
        .hasMessageStartingWith(
            "the runs do not agree: 83.3% agreement of 4 runs in their calls\nflaky at #1: ")
        .hasMessageContaining("2 of 3 match  flaky")
        .hasMessageContaining("\n\nrun 2: diverged at call #1: read returned")
        .hasMessageContaining("- b\n")
        .hasMessageContaining("+ c\n");
  }

  @Test
  void two_runs_that_differ_fail_with_their_differences() throws IOException {
    List<Session> two = List.of(run("a", "b"), run("a", "c"));

    failure(() -> assertThatRuns(two).agree())
        .hasMessageStartingWith(
            "the runs do not agree: 50.0% agreement of 2 runs in their calls\ndiverged at ")
        .hasMessageContaining("- b\n")
        .hasMessageContaining("+ c");
  }

  @Test
  void share_is_that_of_the_calls_of_all_runs_but_the_first() throws IOException {
    // two calls in 2 runs, one of which differs in one; the start of the session does not count
    List<Session> several = List.of(run("a", "b"), run("a", "b"), run("a", "c"));

    assertThatRuns(several).agreeInAtLeast(0.75).agreeInAtLeast(0.01);
    failure(() -> assertThatRuns(several).agreeInAtLeast(0.76))
        .hasMessageStartingWith(
            "the runs agree too little, expected 76.0%: 75.0% agreement of 3 runs in their calls\n"
                + "flaky");
  }

  @Test
  void steps_that_only_some_runs_have_count() throws IOException {
    List<Session> several = List.of(run("a"), run("a", "b"));

    failure(() -> assertThatRuns(several).agree()).hasMessageContaining("50.0% agreement");
    assertThatRuns(several).agreeInAtLeast(0.5);
  }

  @Test
  void runs_without_calls_have_no_share() throws IOException {
    Session first =
        Recordings.record(directory.resolve("first"), recorder -> recorder.end(Status.SUCCESS, 1));
    Session second =
        Recordings.record(directory.resolve("second"), recorder -> recorder.end(Status.SUCCESS, 1));

    assertThatRuns(first, second).agree();
    failure(() -> assertThatRuns(first, second).agreeInAtLeast(0.1))
        .hasMessageStartingWith("the runs have no tool or model calls");
  }

  @Test
  void rules_and_the_threshold_of_the_options_apply() throws IOException {
    List<Session> similar =
        List.of(run("There are four files in it."), run("There are five files in it."));

    failure(() -> assertThatRuns(similar).agree(comparing(FuzzyText.atLeast(0.7))));
    failure(() -> assertThatRuns(similar).agreeInAtLeast(1, comparing(FuzzyText.atLeast(0.7))));
    assertThatRuns(similar)
        .agree(comparing(FuzzyText.atLeast(0.7)).failingFrom(DivergenceSeverity.MODERATE))
        .agreeInAtLeast(
            1, comparing(FuzzyText.atLeast(0.7)).failingFrom(DivergenceSeverity.MODERATE))
        .agree(ignoring(Ignore.at("/output")));
  }

  @Test
  void run_without_events_or_with_a_gap_agrees_with_nothing() throws IOException {
    Session whole = run("a");
    Session blank = run();
    Session gap = Recordings.record(directory.resolve("gap"), recorder -> {
      call(recorder, "x", "read", JsonObject.of("n", 0), "a");
      recorder.emit(RecordingGap.of(3));
    });

    failure(() -> assertThatRuns(whole, blank).agree())
        .hasMessageContaining("nothing was recorded");
    failure(() -> assertThatRuns(blank, whole).agreeInAtLeast(0.1))
        .hasMessageContaining("nothing was recorded");
    failure(() -> assertThatRuns(whole, gap).agreeInAtLeast(0.1))
        .hasMessageStartingWith("3 events not recorded before line");
    Files.delete(blank.log());
    failure(() -> assertThatRuns(whole, blank).agree())
        .hasMessageContaining("the session cannot be read: " + blank.log() + ": no such file");
    failure(() -> assertThatRuns((Collection<Session>) null).agree())
        .hasMessageContaining("actual not to be null");
  }

  @Test
  void fewer_than_two_runs_or_one_of_them_twice_compare_nothing() throws IOException {
    Session run = run("a");
    Session other = run("a");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThatRuns(List.of()).agree())
        .withMessage("expected at least two runs, found 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThatRuns(run).agreeInAtLeast(0.1))
        .withMessage("expected at least two runs, found 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThatRuns(run, other, run).agree())
        .withMessage("a run is given twice: " + run.log());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1.01, 90, Double.NaN})
  void share_is_above_zero_and_at_most_one(double share) throws IOException {
    List<Session> same = List.of(run("a"), run("a"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThatRuns(same).agreeInAtLeast(share))
        .withMessage("share must be above 0 and at most 1: " + share);
  }

  @Test
  void soft_assertions_collect_the_failures() throws IOException {
    List<Session> different = new ArrayList<>(List.of(run("a", "b"), run("a", "c")));
    ReplaySoftAssertions softly = new ReplaySoftAssertions();

    softly.assertThatRuns(different).agree().agreeInAtLeast(0.9).agreeInAtLeast(0.5);
    softly.thenRuns(different.get(0), different.get(1)).agree();
    softly.assertThatRuns(different.get(0), different.get(1)).agreeInAtLeast(0.5);
    softly.thenRuns(new LinkedHashSet<>(different)).agreeInAtLeast(0.5);
    softly.assertThatRuns((Collection<Session>) null).agree();

    assertThat(softly.assertionErrorsCollected()).hasSize(4);
  }
}
