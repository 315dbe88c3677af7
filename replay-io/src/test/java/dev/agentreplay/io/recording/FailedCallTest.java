package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that failed: the error, and whether their effects are known. */
class FailedCallTest {

  @TempDir
  private Path directory;

  @SuppressWarnings("serial")
  private static class ReadTimeoutException extends RuntimeException {}

  @Test
  void causes_of_an_exception_are_recorded_without_its_stack() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      assertThatThrownBy(() -> recorder.run("tool", JsonObject.EMPTY, () -> {
            throw new IOException("no route", new IllegalStateException("down"));
          }))
          .isInstanceOf(IOException.class);
    }
    ToolResult result = result();
    assertThat(result.output().value()).isEqualTo(JsonValue.of("no route"));
    assertThat(result.outcome().error().causes())
        .containsExactly(Failure.of("java.lang.IllegalStateException", "down"));
    assertThat(result.outcome().error().stack()).isNull();
    assertThat(result.outcome().isKnown()).isTrue();
  }

  @Test
  void effects_of_a_call_that_was_interrupted_are_unknown() throws IOException {
    List<Exception> unknown = List.of(
        new TimeoutException("late"),
        new SocketTimeoutException("late"),
        new HttpTimeoutException("late"),
        new ReadTimeoutException() {},
        new InterruptedException(),
        new CancellationException(),
        new ExecutionException(new TimeoutException("late")));
    List<Exception> known = List.of(new IOException("late"), new IllegalStateException());
    for (Exception each : unknown) {
      assertThat(recorded(each).isKnown()).as("%s", each).isFalse();
    }
    for (Exception each : known) {
      assertThat(recorded(each).isKnown()).as("%s", each).isTrue();
      assertThat(recorded(each).known()).isNull();
    }
  }

  @Test
  void exception_that_causes_itself_is_recorded() throws IOException {
    IOException first = new IOException("first");
    first.initCause(new IOException("second", first));

    assertThat(recorded(first).error().causes()).hasSize(1);
  }

  @Test
  void exception_whose_own_methods_fail_is_recorded() throws IOException {
    @SuppressWarnings("serial")
    class Hostile extends RuntimeException {
      @Override
      public synchronized Throwable getCause() {
        throw new IllegalStateException("no cause");
      }
    }

    assertThat(recorded(new Hostile()).error().name()).isEqualTo(Hostile.class.getName());
  }

  @Test
  void caller_states_more_of_a_failure_than_its_exception_does() throws IOException {
    IOException thrown = new IOException("busy");
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      recorder.call("tool", null).failed(Failure.of(thrown).withRetryable(true).withStack(thrown));
    }
    Failure error = result().outcome().error();
    assertThat(error.retryable()).isTrue();
    assertThat(error.stack()).contains("FailedCallTest");
    assertThat(result().output().value()).isEqualTo(JsonValue.of("busy"));
  }

  @Test
  void failure_without_a_message_has_a_null_output() throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      recorder.call("tool", null).failed(new Failure(JsonObject.of("name", "E")));
    }
    assertThat(result().output().value()).isEqualTo(JsonValue.of(null));
  }

  private Outcome recorded(Exception failure) throws IOException {
    Path session = directory.resolve("s" + directory.toFile().list().length);
    try (SessionRecorder recorder = SessionRecorder.start(session, "s")) {
      recorder.call("tool", null).failed(failure);
    }
    return result(session).outcome();
  }

  private ToolResult result() throws IOException {
    return result(directory);
  }

  private static ToolResult result(Path session) throws IOException {
    try (ReplayReader reader = ReplayReader.open(session.resolve("REPLAY.jsonl"))) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ToolResult result) {
          return result;
        }
      }
    }
    throw new AssertionError("there is no result in " + session);
  }
}
