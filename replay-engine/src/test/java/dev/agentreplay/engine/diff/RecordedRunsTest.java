package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.Stability;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs of one task, as they were recorded, against the first of them. */
class RecordedRunsTest {

  @Test
  void flaky_step_of_recorded_runs_is_distinguished_from_stable_ones() throws IOException {
    FlakinessReport agreement =
        agreement(TestSessions.directories(TestSessions.bundled("sessions")).stream()
            .filter(session -> session.endsWith("task-01_trial-0")
                || session.endsWith("task-01_trial-1")
                || session.endsWith("task-01_trial-3"))
            .toList());

    assertThat(agreement.verdict()).isEqualTo(Stability.FLAKY);
    assertThat(agreement.cause().step().name()).isEqualTo("get_user_details");
    assertThat(agreement.cause().agreeing()).isOne();
  }

  @Test
  void session_agrees_with_itself_and_a_change_in_every_run_is_a_regression() throws IOException {
    Path one = TestSessions.bundled("sessions").resolve("task-18_trial-0");
    Path other = TestSessions.bundled("sessions").resolve("task-18_trial-1");

    assertThat(agreement(List.of(one, one, one)).verdict()).isEqualTo(Stability.STABLE);
    assertThat(agreement(List.of(one, one, one)).agreement()).isEqualTo(100);
    FlakinessReport agreement = agreement(List.of(one, other, other));
    SessionDiff diff = SessionDiff.between(Session.open(one), Session.open(other));
    assertThat(agreement.unstable())
        .isNotEmpty()
        .allMatch(step -> step.stability() == Stability.REGRESSION)
        .hasSize((int) diff.alignment().stream()
            .filter(pair -> pair.relation() != AlignedStep.Relation.MATCHED)
            .count());
  }

  @TestFactory
  Stream<DynamicTest> trials_of_the_corpus() {
    return TestSessions.directories(TestSessions.corpus().resolve("tau-bench")).stream()
        .collect(Collectors.groupingBy(
            session -> session.getFileName().toString().replaceFirst("_trial-.*", ""),
            TreeMap::new,
            Collectors.toList()))
        .entrySet()
        .stream()
        .map(task -> DynamicTest.dynamicTest(task.getKey(), () -> check(task.getValue())));
  }

  private static void check(List<Path> trials) throws IOException {
    assertThat(trials).hasSize(4);
    FlakinessReport agreement = agreement(trials);

    for (int i = 0; i < 3; i++) {
      int run = i;
      SessionDiff diff =
          SessionDiff.between(Session.open(trials.get(0)), Session.open(trials.get(i + 1)));
      assertThat(agreement.steps().stream()
              .map(step -> step.runs().get(run).step())
              .filter(Objects::nonNull))
          .hasSize(diff.summary().steps().right())
          .doesNotHaveDuplicates();
      assertThat(
              agreement.steps().stream().allMatch(step -> step.runs().get(run).agrees()))
          .isEqualTo(diff.isIdentical());
    }
    assertThat(agreement.cause() == null).isEqualTo(agreement.unstable().isEmpty());
  }

  private static FlakinessReport agreement(List<Path> sessions) throws IOException {
    List<SessionDiff> diffs = new ArrayList<>();
    Session left = Session.open(sessions.get(0));
    for (Path run : sessions.subList(1, sessions.size())) {
      diffs.add(SessionDiff.between(left, Session.open(run)));
    }
    return FlakinessReport.of(diffs);
  }
}
