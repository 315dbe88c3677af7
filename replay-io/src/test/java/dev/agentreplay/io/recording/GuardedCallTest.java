package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the policy to degrade, a value that cannot be recorded leaves a gap, and no exception. */
class GuardedCallTest {

  private static final RecorderOptions GUARDED =
      RecorderOptions.defaults().withFailurePolicy(FailurePolicy.DEGRADE);

  /** Longer than a line of a log may be. */
  private static final String TOO_LONG = "x".repeat(17 << 20);

  @TempDir
  private Path directory;

  @Test
  void calls_with_values_without_a_json_form_leave_gaps() throws IOException {
    try (SessionRecorder session = start(GUARDED)) {
      assertThat(session.call("t", new Object()).result("x").isWritten()).isFalse();
      assertThat(session.call(" ", null).failed(new IOException()).isWritten()).isFalse();
      assertThat(session.modelCall("m", 1).answer("x").isWritten()).isFalse();
      assertThat(session.modelCall("m", "?", "hot").failed(new IOException()).isWritten())
          .isFalse();
      assertThat(session.call("t", Map.of("a", 1)).result("x").isWritten()).isTrue();
      session.end(Status.SUCCESS);
      assertThat(session.unrecordedEvents()).isEqualTo(8);
    }
    assertThat(lost()).isEqualTo(8);
    assertThat(events(ToolCall.class)).hasSize(1);
    assertThat(events(ToolResult.class)).hasSize(1);
  }

  @Test
  void tool_is_run_whatever_it_is_called_with() throws Exception {
    try (SessionRecorder session = start(GUARDED.withBlobThreshold(Long.MAX_VALUE))) {
      assertThat(session.<String>run(" ", null, () -> "ran")).isEqualTo("ran");
      assertThat(session.<String>run("t", Double.NaN, () -> "ran")).isEqualTo("ran");
      assertThat(session.<String>run("t", TOO_LONG, () -> "ran")).isEqualTo("ran");
      assertThatThrownBy(() -> session.run("t", new Object(), () -> {
            throw new IOException("the tool's");
          }))
          .hasMessage("the tool's")
          .hasNoSuppressedExceptions();
      assertThat(session.unrecordedEvents()).isEqualTo(8);
    }
  }

  @Test
  void call_that_is_too_long_is_lost_with_its_result() throws IOException {
    try (SessionRecorder session = start(GUARDED.withBlobThreshold(Long.MAX_VALUE))) {
      assertThat(session.call("t", TOO_LONG).result("x").isWritten()).isFalse();
      assertThat(session.unrecordedEvents()).isEqualTo(2);
    }
    assertThat(lost()).isEqualTo(2);
  }

  @Test
  void result_that_is_refused_states_the_reason() throws IOException {
    try (SessionRecorder session = start(GUARDED.withBlobThreshold(Long.MAX_VALUE))) {
      PendingCall call = session.call("t", null);
      assertThat(call.result(TOO_LONG).isWritten()).isTrue();
      assertThat(session.unrecordedEvents()).isZero();
      assertThat(session.modelCall("m", "?").answer(TOO_LONG).isWritten()).isFalse();
      assertThat(session.unrecordedEvents()).isEqualTo(1);
      session.end(Status.SUCCESS);
    }
    ToolResult result = events(ToolResult.class).get(0);
    assertThat(result.output().value()).isEqualTo(JsonNull.NULL);
    assertThat(result.meta().extra().get("output_unrecorded").asString())
        .contains("is longer than 16 MiB");
    assertThat(events(ModelResult.class)).isEmpty();
    assertThat(lost()).isEqualTo(1);
  }

  @Test
  void session_that_has_ended_loses_what_follows() throws Exception {
    try (SessionRecorder session = start(GUARDED)) {
      PendingCall open = session.call("t", null);
      PendingModelCall asked = session.modelCall("m", "?");
      session.end(Status.SUCCESS);
      assertThat(open.result("x").isWritten()).isFalse();
      assertThat(asked.answer("x").isWritten()).isFalse();
      assertThat(session.call("t", null).result("x").isWritten()).isFalse();
      assertThat(session.modelCall("m", "?").answer("x").isWritten()).isFalse();
      assertThat(session.<String>run("t", null, () -> "ran")).isEqualTo("ran");
      assertThat(session.unrecordedEvents()).isEqualTo(8);
    }
    assertThat(lost()).isZero();
  }

  @Test
  void events_that_would_make_the_session_invalid_are_refused() throws IOException {
    try (SessionRecorder session = start(GUARDED)) {
      PendingCall call = session.call("t", null);
      List<ReplayEvent> invalid = List.of(
          SessionStart.of("other"), ToolResult.of("none", 1), ModelResult.of(call.id(), "x"));
      for (ReplayEvent event : invalid) {
        assertThatThrownBy(() -> session.emit(event)).isInstanceOf(IllegalArgumentException.class);
      }
      ToolCall same = ToolCall.of(call.id(), "t", JsonObject.EMPTY);
      assertThatThrownBy(() -> session.call(same)).isInstanceOf(IllegalArgumentException.class);
      assertThat(session.unrecordedEvents()).isZero();
    }
  }

  @Test
  void without_the_policy_the_caller_gets_the_exception() throws IOException {
    try (SessionRecorder session = start(RecorderOptions.defaults())) {
      assertThatThrownBy(() -> session.call(" ", null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a call needs the name of a tool");
      assertThatThrownBy(() -> session.call("t", new Object()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> session.modelCall("m", 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(session.unrecordedEvents()).isZero();
    }
    assertThat(lost()).isZero();
  }

  private SessionRecorder start(RecorderOptions options) throws IOException {
    return SessionRecorder.start(directory, SessionStart.of("s"), options);
  }

  private long lost() throws IOException {
    return events(RecordingGap.class).stream().mapToLong(RecordingGap::events).sum();
  }

  private <E extends ReplayEvent> List<E> events(Class<E> type) throws IOException {
    List<E> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (type.isInstance(line.event())) {
          events.add(type.cast(line.event()));
        }
      }
    }
    return events;
  }
}
