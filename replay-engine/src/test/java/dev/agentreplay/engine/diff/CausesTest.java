package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.Divergence.Link;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Root causes and their downstream divergences. */
class CausesTest {

  @TempDir
  Path directory;

  @Test
  void id_that_was_returned_and_then_used_follows_from_the_one_that_returned_it()
      throws IOException {
    SessionDiff diff = diff(
        new TestLog()
            .call("create", 1, "created issue I-17")
            .calls("x", 0, 5)
            .call("close", JsonObject.of("issue", "I-17"), "closed"),
        new TestLog()
            .call("create", 1, "created issue I-18")
            .calls("x", 0, 5)
            .call("close", JsonObject.of("issue", "I-18"), "closed"));

    assertThat(diff.divergences()).hasSize(2);
    assertThat(diff.divergences().get(0).cause())
        .isEqualTo(TestResults.cause(Role.ROOT, null, null, 1));
    assertThat(diff.divergences().get(1).cause())
        .isEqualTo(TestResults.cause(Role.DOWNSTREAM, 0, Link.VALUE, 0));
  }

  @Test
  void what_was_written_is_read_again() throws IOException {
    SessionDiff diff = diff(
        new TestLog()
            .call("write", JsonObject.of("path", "a", "text", "colour"), "ok")
            .calls("x", 0, 5)
            .call("read", JsonObject.of("path", "a"), "the colour"),
        new TestLog()
            .call("write", JsonObject.of("path", "a", "text", "color"), "ok")
            .calls("x", 0, 5)
            .call("read", JsonObject.of("path", "a"), "the color"));

    assertThat(diff.divergences().get(1).cause())
        .isEqualTo(TestResults.cause(Role.DOWNSTREAM, 0, Link.VALUE, 0));
  }

  @Test
  void outputs_of_equal_calls_are_independent_of_one_another() throws IOException {
    SessionDiff diff = diff(
        new TestLog().call("ls", ".", "Nov 21 a").call("ls", "src", "Nov 21 b"),
        new TestLog().call("ls", ".", "Nov 22 a").call("ls", "src", "Nov 22 b"));

    assertThat(diff.divergences())
        .extracting(Divergence::role)
        .containsExactly(Role.ROOT, Role.INDEPENDENT);
  }

  @Test
  void calls_behind_another_follow_until_the_sessions_meet_again() throws IOException {
    SessionDiff diff = diff(
        new TestLog()
            .call("a", "one", 1)
            .call("b", "two", 2)
            .calls("x", 0, 3)
            .call("c", "three", 3)
            .add(SessionEnd.of(Status.SUCCESS)),
        new TestLog()
            .call("d", "four", 4)
            .call("e", "five", 5)
            .calls("x", 0, 3)
            .call("f", "six", 6)
            .add(SessionEnd.of(Status.FAILED)));

    assertThat(diff.divergences())
        .extracting(Divergence::cause)
        .containsExactly(
            TestResults.cause(Role.ROOT, null, null, 1),
            TestResults.cause(Role.DOWNSTREAM, 0, Link.ADJACENT, 0),
            TestResults.cause(Role.INDEPENDENT, null, null, 1),
            TestResults.cause(Role.DOWNSTREAM, 2, Link.END, 0));
  }

  @Test
  void step_that_fails_behind_other_calls_follows_from_them() throws IOException {
    SessionDiff diff = diff(
        new TestLog().calls("x", 0, 3).add(StepComplete.of("1", Status.FAILED, 1)),
        new TestLog()
            .calls("x", 0, 3)
            .call("mend", "it", "done")
            .add(StepComplete.of("1", Status.SUCCESS, 1)));

    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.ADDED, DivergenceKind.OUTCOME);
    assertThat(diff.divergences().get(1).cause())
        .isEqualTo(TestResults.cause(Role.DOWNSTREAM, 0, Link.ADJACENT, 0));
  }

  @Test
  void another_prompt_follows_from_what_was_before_and_another_answer_to_an_equal_one_from_nothing()
      throws IOException {
    SessionDiff diff = diff(
        new TestLog()
            .add(ModelCall.of("1", "m", Prompt.of("hello")))
            .add(answer("1", "hi"))
            .calls("x", 0, 3)
            .add(ModelCall.of("2", "m", Prompt.of("hello, hi, and now?")))
            .add(answer("2", "done"))
            .calls("x", 3, 6)
            .add(ModelCall.of("3", "m", Prompt.of("again")))
            .add(answer("3", "yes")),
        new TestLog()
            .add(ModelCall.of("4", "m", Prompt.of("hello")))
            .add(answer("4", "good day"))
            .calls("x", 0, 3)
            .add(ModelCall.of("5", "m", Prompt.of("hello, good day, and now?")))
            .add(answer("5", "done"))
            .calls("x", 3, 6)
            .add(ModelCall.of("6", "m", Prompt.of("again")))
            .add(answer("6", "no")));

    assertThat(diff.first()).isNull();
    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.RESPONSE, DivergenceKind.PROMPT, DivergenceKind.RESPONSE);
    assertThat(diff.divergences())
        .extracting(Divergence::cause)
        .containsExactly(
            TestResults.cause(Role.ROOT, null, null, 1),
            TestResults.cause(Role.DOWNSTREAM, 0, Link.PROMPT, 0),
            TestResults.cause(Role.INDEPENDENT, null, null, 0));
  }

  @Test
  void divergence_that_does_not_matter_is_not_the_root_cause() throws IOException {
    SeverityPolicy policy = change -> change.step().name().equals("think")
        ? new SeverityRating(DivergenceSeverity.NONE, "test")
        : SeverityPolicy.defaults().judge(change);
    SessionDiff diff = SessionDiff.between(
        new TestLog().call("think", 7, "one").call("ls", 8, "two").write(directory.resolve("left")),
        new TestLog()
            .call("think", 7, "six")
            .call("ls", 8, "ten")
            .write(directory.resolve("right")),
        DiffOptions.defaults().withSeverity(policy));

    assertThat(diff.divergences())
        .extracting(Divergence::role)
        .containsExactly(Role.INDEPENDENT, Role.ROOT);
  }

  private static ModelResult answer(String id, String text) {
    return ModelResult.of(id, text).withLatencyMillis(1L);
  }

  private SessionDiff diff(TestLog left, TestLog right) throws IOException {
    return SessionDiff.between(
        left.write(directory.resolve("left")), right.write(directory.resolve("right")));
  }
}
