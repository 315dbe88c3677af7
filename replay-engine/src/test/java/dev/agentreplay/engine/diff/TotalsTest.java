package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The totals of sessions, and values that are left out of their comparison. */
class TotalsTest {

  @TempDir
  private Path directory;

  @Test
  void latencies_of_calls_are_added_up_and_every_event_is_counted() throws IOException {
    TestLog one = new TestLog();
    answer(one, 20);
    answer(one, 22);
    Session left = one.write(directory.resolve("left"));
    TestLog other = new TestLog().add(SessionStart.of("s1"));
    answer(other, 5);
    Session right = other.write(directory.resolve("right"));

    SessionDiff diff = SessionDiff.between(left, right);
    assertThat(diff.left())
        .isEqualTo(TestResults.comparedSession(left.log().toString(), null, 5, 42));
    assertThat(diff.right())
        .isEqualTo(TestResults.comparedSession(right.log().toString(), "s1", 4, 5));
  }

  @Test
  void latencies_of_models_and_none_at_all_add_nothing() throws IOException {
    SessionDiff diff = compare(TestEvents.EVERY, TestEvents.EVERY.without("ToolResult"));

    assertThat(diff.left().latencyMillis()).isEqualTo(40);
    assertThat(diff.right().latencyMillis()).isZero();
    assertThat(diff.left().events()).isEqualTo(TestEvents.EVERY.types().size());
    assertThat(diff.right().events()).isEqualTo(TestEvents.EVERY.types().size() - 1);
  }

  @Test
  void sum_of_latencies_does_not_overflow() throws IOException {
    TestLog log = new TestLog();
    answer(log, Long.MAX_VALUE);
    answer(log, 5);
    Session session = log.write(directory.resolve("left"));

    assertThat(SessionDiff.between(session, session).left().latencyMillis())
        .isEqualTo(EventRules.addTotal(Long.MAX_VALUE, 5L))
        .isPositive();
  }

  private static void answer(TestLog log, long latencyMillis) {
    String id = log.start("t", 1);
    log.add(ToolResult.of(id, "out").withLatencyMillis(latencyMillis));
  }

  @ParameterizedTest
  @CsvSource({
    "SessionEnd,Success,success",
    "SessionEnd,Failed,failure",
    "SessionEnd,failed,Failure",
    "SessionEnd,Cancelled,canceled",
    "SessionEnd,Timeout,timeout",
    "StepComplete,Success,success",
    "StepComplete,Failed,failure",
    "StepComplete,Skipped,skipped",
    "StepComplete,MaxIterationsReached,max_iterations_reached",
    "Payment,Success,success",
    "Payment,failed,failure",
  })
  void status_in_another_spelling_is_equal(String type, String status, String other)
      throws IOException {
    SessionDiff diff = compare(
        TestEvents.EVERY.with(type, "status", JsonValue.of(status)),
        TestEvents.EVERY.with(type, "status", JsonValue.of(other)));

    assertThat(diff.divergences()).isEmpty();
    assertThat(diff.isIdentical()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"SessionEnd,odd,Odd", "StepComplete,Skipped,Failed", "Payment,Timeout,Cancelled"})
  void status_that_means_something_else_differs(String type, String status, String other)
      throws IOException {
    SessionDiff diff = compare(
        TestEvents.EVERY.with(type, "status", JsonValue.of(status)),
        TestEvents.EVERY.with(type, "status", JsonValue.of(other)));

    assertThat(diff.divergences())
        .extracting(one -> one.firstChange().pointer())
        .containsExactly("/status");
  }

  @Test
  void gap_in_one_recording_is_a_missing_step() throws IOException {
    SessionDiff diff = SessionDiff.between(
        new TestLog()
            .calls("t", 0, 2)
            .add(RecordingGap.of(3))
            .calls("t", 2, 4)
            .write(directory.resolve("left")),
        new TestLog().calls("t", 0, 4).write(directory.resolve("right")));

    assertThat(diff.divergences()).hasSize(1);
    Divergence gap = diff.divergences().get(0);
    assertThat(gap.kind()).isEqualTo(DivergenceKind.MISSING);
    assertThat(gap.left().kind()).isEqualTo(StepKind.OTHER);
    assertThat(gap.left().name()).isEqualTo("RecordingGap");
    assertThat(gap.left().summary()).isEqualTo("3 events not recorded");
    assertThat(diff.summary().calls().matched()).isEqualTo(4);
    assertThat(diff.first()).isNull();
  }

  @Test
  void calls_of_an_ignored_tool_are_counted_and_their_results_belong_to_them() throws IOException {
    TestLog left = new TestLog().call("a", 1, "out").call("noise", 1, "one");
    String open = left.start("noise", 2);
    left.call("b", 1, "out").result(open, "late");
    TestLog right = new TestLog().call("a", 1, "out").call("b", 1, "changed");
    DiffOptions options = DiffOptions.defaults().plus(Ignore.tool("noise"));

    SessionDiff diff = SessionDiff.between(
        left.write(directory.resolve("left")), right.write(directory.resolve("right")), options);

    assertThat(diff.summary().ignoredCalls()).isEqualTo(2);
    assertThat(diff.summary().byKind()).containsOnlyKeys(StepKind.CALL);
    assertThat(diff.summary().byTool()).containsOnlyKeys("a", "b");
    assertThat(diff.summary().calls()).isEqualTo(TestResults.stepCounts(2, 2, 1, 1, 0, 0, 0));
    assertThat(diff.left().latencyMillis()).as("of all its calls").isEqualTo(4);
    Divergence one = diff.divergences().get(0);
    assertThat(one.left().call()).as("its number in the log").isEqualTo(3);
    assertThat(one.left().index()).isEqualTo(1);
    assertThat(diff.first().call()).as("its number of those compared").isEqualTo(1);
  }

  @Test
  void result_without_a_call_is_a_step_of_its_own() throws IOException {
    SessionDiff diff = SessionDiff.between(
        new TestLog().calls("t", 0, 1).result("orphan", "x").write(directory.resolve("left")),
        new TestLog().calls("t", 0, 1).write(directory.resolve("right")));

    assertThat(diff.divergences()).hasSize(1);
    assertThat(diff.divergences().get(0).left().kind()).isEqualTo(StepKind.OTHER);
    assertThat(diff.divergences().get(0).left().name()).isEqualTo("ToolResult");
    assertThat(diff.divergences().get(0).kind()).isEqualTo(DivergenceKind.MISSING);
  }

  @Test
  void steps_say_what_they_are() throws IOException {
    Session session = TestEvents.EVERY.write(directory.resolve("left"));

    assertThat(SessionDiff.between(session, session).alignment())
        .extracting(pair -> pair.left().kind().id() + " " + pair.left().name() + ": "
            + pair.left().summary() + " " + pair.left().latencyMillis() + " "
            + pair.left().succeeded() + " " + pair.left().line() + " "
            + pair.left().resultLine())
        .containsExactly(
            "start SessionStart: mend null true 2 null",
            "settings Settings: {\"depth\":{\"value\":3,\"source\":\"file\"}} null true 3 null",
            "plan PlanStart: 2 steps null true 4 null",
            "turn opus: hello 30 false 5 6",
            "call read: {\"path\":\"a\"} 40 false 7 8",
            "file_state a.txt: changed, 10 bytes null true 9 null",
            "verification Verification: mvn test null true 10 null",
            "step StepComplete: Success null true 11 null",
            "payment Payment: 100 msats null true 12 null",
            "runtime_event tick:  null true 13 null",
            "other RecordingGap: 3 events not recorded null true 14 null",
            "other Weather: {\"sky\":\"blue\"} null true 15 null",
            "end SessionEnd: Success null true 18 null");
  }

  @ParameterizedTest
  @CsvSource({"120,false", "121,true"})
  void long_summary_is_cut_between_characters(int length, boolean isCut) throws IOException {
    String text = "x".repeat(length - 2) + "\ud83d\ude00";
    Session session = new TestLog().call("t", text, 1).write(directory.resolve("left"));

    assertThat(SessionDiff.between(session, session).alignment().get(0).left().summary())
        .isEqualTo(isCut ? "x".repeat(119) + "…" : text);
  }

  private SessionDiff compare(TestEvents left, TestEvents right) throws IOException {
    return SessionDiff.between(
        left.write(directory.resolve("left")), right.write(directory.resolve("right")));
  }
}
