package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.PendingModelCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts, errors and streams in a comparison. */
class RepeatedCallsTest {

  @TempDir
  private Path directory;

  private interface Recording {
    void to(SessionRecorder session) throws IOException;
  }

  @Test
  void ids_of_effects_are_not_compared() throws IOException {
    Recording recording = session -> session.effect("charge", JsonObject.EMPTY).result("done");
    Session left = record("left", recording);
    Session right = record("right", recording);

    assertIdentical(SessionDiff.between(left, right));
    SessionDiff strict = SessionDiff.between(left, right, DiffOptions.defaults().withStrict(true));
    assertThat(strict.divergences())
        .isNotEmpty()
        .allMatch(each -> each.severity() != DivergenceSeverity.NONE);
  }

  @Test
  void first_attempt_is_the_same_as_a_call_that_states_none() throws IOException {
    Session left =
        record("left", session -> session.effect("charge", JsonObject.EMPTY).result("done"));
    Session right =
        record("right", session -> session.call("charge", JsonObject.EMPTY).result("done"));

    assertIdentical(SessionDiff.between(left, right));
  }

  @Test
  void retry_is_one_more_call() throws IOException {
    Session left = record("left", session -> {
      PendingCall call = session.effect("charge", JsonObject.EMPTY);
      call.timedOut("late");
      call.retry().result("done");
    });
    Session right = record("right", session -> {
      session.effect("charge", JsonObject.EMPTY).timedOut("late");
    });

    SessionDiff diff = SessionDiff.between(left, right);
    assertThat(diff.divergences()).singleElement().satisfies(only -> assertThat(only.kind())
        .isEqualTo(DivergenceKind.MISSING));
  }

  @Test
  void number_of_an_attempt_is_compared() throws IOException {
    ToolCall call = ToolCall.of("c", "charge", JsonObject.EMPTY);
    Session left = record(
        "left", session -> session.call(call.withAttempt(new Attempt(2L, "e"))).result("done"));
    Session right = record(
        "right", session -> session.call(call.withAttempt(new Attempt(3L, "e"))).result("done"));

    assertThat(SessionDiff.between(left, right).divergences()).hasSize(1);
  }

  @Test
  void stack_of_an_error_is_not_compared_and_its_effects_are() throws IOException {
    IOException thrown = new IOException("no");
    Failure plain = Failure.of(thrown);
    Session left = record(
        "left",
        session -> session.call("t", null).result("no", Outcome.failed(plain.withStack(thrown))));
    Session same =
        record("same", session -> session.call("t", null).result("no", Outcome.failed(plain)));
    Session unknown = record(
        "unknown",
        session -> session.call("t", null).result("no", Outcome.failed(plain).withKnown(false)));
    Session retryable = record(
        "retryable",
        session -> session.call("t", null).result("no", Outcome.failed(plain.withRetryable(true))));

    assertIdentical(SessionDiff.between(left, same));
    for (Session other : new Session[] {unknown, retryable}) {
      assertThat(SessionDiff.between(left, other).divergences())
          .singleElement()
          .satisfies(only -> assertThat(only.kind()).isEqualTo(DivergenceKind.OUTCOME));
    }
  }

  @Test
  void pieces_of_a_stream_are_compared_only_strictly() throws IOException {
    Session left = record("left", session -> stream(session, "src/", "auth.rs"));
    Session right = record("right", session -> stream(session, "src/auth", ".rs"));
    Session whole = record("whole", session -> stream(session, "src/auth.rs"));

    for (Session other : new Session[] {right, whole}) {
      assertIdentical(SessionDiff.between(left, other));
      assertThat(SessionDiff.between(left, other, DiffOptions.defaults().withStrict(true))
              .divergences())
          .anyMatch(each -> each.kind() == DivergenceKind.TIMING);
    }
  }

  private static void stream(SessionRecorder session, String... pieces) throws IOException {
    PendingModelCall asked = session.modelCall("m", "?");
    for (String piece : pieces) {
      asked.chunk(piece);
    }
    asked.answer();
  }

  private static void assertIdentical(SessionDiff diff) {
    assertThat(diff.divergences()).allMatch(each -> each.severity() == DivergenceSeverity.NONE);
    assertThat(diff.isIdentical()).isTrue();
  }

  private Session record(String name, Recording recording) throws IOException {
    Path path = directory.resolve(name);
    try (SessionRecorder session = SessionRecorder.start(path, "s")) {
      recording.to(session);
      session.end(Status.SUCCESS, 1);
    }
    return Session.open(path);
  }
}
