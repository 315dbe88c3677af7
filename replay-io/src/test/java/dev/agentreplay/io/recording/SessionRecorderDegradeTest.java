package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.DiskCall;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The disk fails, and the agent continues or not, depending on the failure policy. */
class SessionRecorderDegradeTest {

  private static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  private static final Path LOG = DIRECTORY.resolve(Session.LOG_NAME);
  private static final Path RECEIPT = DIRECTORY.resolve(Session.RECEIPT_NAME);
  private static final StepComplete STEP = StepComplete.of("s", Status.SUCCESS, 1);
  private static final long ROOM = 1 << 20;

  private final SimulatedDisk disk = new SimulatedDisk(DIRECTORY);

  @Test
  void without_the_policy_the_agent_gets_the_exception() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      fill();
      assertThatThrownBy(() -> session.emit(STEP)).isInstanceOf(ReplayWriteException.class);
      assertThatThrownBy(() -> session.call("t", JsonObject.EMPTY))
          .isInstanceOf(ReplayWriteException.class);
      disk.limit(ROOM);
      session.emit(STEP);
      assertThat(session.unrecordedEvents()).isZero();
    }
    assertThat(kinds())
        .containsExactly(EventKind.REPLAY_HEADER, EventKind.SESSION_START, EventKind.STEP_COMPLETE);
  }

  @Test
  void without_the_policy_a_result_of_a_tool_that_has_run_is_reported_by_the_next_call()
      throws Exception {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      String returned = session.run("t", JsonObject.EMPTY, () -> {
        fill();
        return "returned";
      });
      assertThat(returned).isEqualTo("returned");
      assertThat(session.unrecordedEvents()).isEqualTo(1);
      disk.limit(ROOM);
      assertThatThrownBy(() -> session.call("t", JsonObject.EMPTY))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("the result of call \"call-1\" was not recorded")
          .hasMessageContaining(SimulatedDisk.FULL);
      session.call("t", JsonObject.EMPTY).result("told once");
      session.end(Status.SUCCESS, 1.0);
    }
    assertThat(kinds())
        .containsExactly(
            EventKind.REPLAY_HEADER,
            EventKind.SESSION_START,
            EventKind.TOOL_CALL,
            EventKind.RECORDING_GAP,
            EventKind.TOOL_CALL,
            EventKind.TOOL_RESULT,
            EventKind.SESSION_END);
  }

  @Test
  void a_result_that_no_call_follows_is_reported_by_the_end_and_by_closing() throws Exception {
    for (boolean ends : new boolean[] {true, false}) {
      SimulatedDisk empty = new SimulatedDisk(DIRECTORY);
      SessionRecorder session =
          SessionRecorder.start(empty, DIRECTORY, SessionStart.of("s"), RecorderOptions.defaults());
      session.run("t", JsonObject.EMPTY, () -> {
        empty.limit(empty.content(LOG).length + 20);
        return "returned";
      });
      empty.limit(ROOM);
      if (ends) {
        assertThatThrownBy(() -> session.end(Status.SUCCESS, 1.0))
            .hasMessageContaining("\"call-1\" was not recorded");
        session.end(Status.SUCCESS, 1.0);
        session.close();
      } else {
        assertThatThrownBy(session::close).hasMessageContaining("\"call-1\" was not recorded");
      }
    }
  }

  @Test
  void the_tool_runs_whatever_is_wrong_with_its_call() throws Exception {
    JsonValue deep = JsonValue.of(1);
    for (int i = 0; i < JsonValue.MAX_DEPTH; i++) {
      deep = JsonArray.of(deep);
    }
    JsonValue tooDeep = deep;
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      assertThat(session.run("t", tooDeep, () -> "returned")).isEqualTo("returned");
      assertThat(session.unrecordedEvents()).isEqualTo(2);
      session.end(Status.SUCCESS, 1.0);
      assertThat(session.run("t", JsonObject.EMPTY, () -> "late")).isEqualTo("late");
      assertThat(session.unrecordedEvents()).isEqualTo(4);
    }
    assertThat(kinds())
        .containsExactly(
            EventKind.REPLAY_HEADER,
            EventKind.SESSION_START,
            EventKind.RECORDING_GAP,
            EventKind.SESSION_END);
  }

  @Test
  void the_answer_of_a_model_call_that_is_missing_is_missing_too() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      fill();
      session.emit(ModelCall.of("model-1", "m", Prompt.of("?")));
      disk.limit(ROOM);
      assertThat(session.emit(ModelResult.of("model-1", "!")).isWritten()).isFalse();
      session.emit(STEP);
      assertThat(session.unrecordedEvents()).isEqualTo(2);
    }
    assertThat(kinds()).doesNotContain(EventKind.MODEL_RESULT);
  }

  @Test
  void what_is_missing_is_counted_and_marked_as_soon_as_there_is_room() throws IOException {
    SessionReceipt receipt;
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      assertThat(session.emit(STEP).isWritten()).isTrue();
      fill();
      assertThat(session.emit(STEP).isWritten()).isFalse();
      assertThat(session.emit(STEP).isWritten()).isFalse();
      assertThat(session.lastFailure()).hasMessageContaining(SimulatedDisk.FULL);
      disk.limit(ROOM);
      assertThat(session.emit(STEP).isWritten()).isTrue();
      fill();
      assertThat(session.emit(STEP).isWritten()).isFalse();
      disk.limit(ROOM);
      assertThat(session.unrecordedEvents()).isEqualTo(3);
      receipt = session.end(Status.SUCCESS, 1.0);
    }
    List<ReplayLine> lines = lines();
    assertThat(lines)
        .extracting(line -> line.event().kind())
        .containsExactly(
            EventKind.REPLAY_HEADER,
            EventKind.SESSION_START,
            EventKind.STEP_COMPLETE,
            EventKind.RECORDING_GAP,
            EventKind.STEP_COMPLETE,
            EventKind.RECORDING_GAP,
            EventKind.SESSION_END);
    RecordingGap gap = (RecordingGap) lines.get(3).event();
    assertThat(gap.events()).isEqualTo(2);
    assertThat(gap.reason()).isEqualTo(SimulatedDisk.FULL);
    assertThat(gap.since().instant())
        .isBetween(lines.get(2).event().time().instant(), gap.time().instant());
    assertThat(((RecordingGap) lines.get(5).event()).events()).isEqualTo(1);
    assertThat(receipt.extra().get("unrecorded_events")).isEqualTo(JsonNumber.of(3));
    assertThat(disk.names()).contains(Session.RECEIPT_NAME);
  }

  @Test
  void the_result_of_a_call_that_is_missing_is_missing_too() throws Exception {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      fill();
      PendingCall lost = session.call("t", JsonObject.EMPTY);
      assertThat(session.call(ToolCall.of("mine", "t", JsonObject.EMPTY)).id()).isEqualTo("mine");
      disk.limit(ROOM);
      assertThat(lost.result("out").isWritten()).isFalse();
      assertThat(session.emit(ToolResult.of("mine", "out")).isWritten()).isFalse();
      assertThat(session.run("t", JsonObject.EMPTY, () -> "returned")).isEqualTo("returned");
      session.end(Status.SUCCESS, 1.0);
      assertThat(session.unrecordedEvents()).isEqualTo(4);
    }
    List<ReplayLine> lines = lines();
    assertThat(lines)
        .filteredOn(line -> line.event() instanceof ToolResult)
        .extracting(line -> ((ToolResult) line.event()).id())
        .containsExactly("call-2");
    assertThat(((RecordingGap) lines.get(2).event()).events()).isEqualTo(4);
  }

  @Test
  void the_agent_continues_when_nothing_can_be_written_any_more() throws Exception {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      disk.inject((number, call, file) -> DiskFault.FAIL_HALF);
      assertThat(session.run("t", JsonObject.EMPTY, () -> "returned")).isEqualTo("returned");
      assertThat(session.end(Status.SUCCESS, 1.0)).isNotNull();
      assertThat(session.unrecordedEvents()).isEqualTo(3);
      assertThat(disk.names()).doesNotContain(Session.RECEIPT_NAME);
      disk.inject((number, call, file) -> DiskFault.NONE);
    }
    assertThat(TestLogs.readAll(disk.content(LOG))).hasSize(3); // the last one is torn
  }

  @Test
  void a_receipt_that_cannot_be_written_may_be_written_later() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      disk.inject(
          (number, call, file) -> call == DiskCall.CREATE ? DiskFault.FAIL_BEFORE : DiskFault.NONE);
      SessionReceipt receipt = session.end(Status.SUCCESS, 1.0);
      assertThat(session.lastFailure()).hasMessageContaining(SimulatedDisk.INJECTED);
      assertThat(disk.names()).doesNotContain(Session.RECEIPT_NAME);
      disk.inject((number, call, file) -> DiskFault.NONE);
      assertThat(session.end(Status.SUCCESS, 1.0)).isEqualTo(receipt);
    }
    assertThat(disk.content(RECEIPT)).isNotEmpty();
  }

  @Test
  void a_mistake_of_the_caller_is_still_said() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      session.call(ToolCall.of("a", "t", JsonObject.EMPTY));
      assertThatThrownBy(() -> session.call(ToolCall.of("a", "t", JsonObject.EMPTY)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(session.unrecordedEvents()).isZero();
    }
  }

  @Test
  void what_is_missing_at_the_end_is_marked_when_recording_stops() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      fill();
      session.emit(STEP);
      disk.limit(ROOM);
    }
    SessionReceipt receipt;
    try (SessionRecorder session =
        SessionRecorder.resume(disk, DIRECTORY, RecorderOptions.defaults())) {
      receipt = session.end(Status.SUCCESS, 1.0);
    }
    assertThat(kinds()).contains(EventKind.RECORDING_GAP);
    assertThat(receipt.extra().get("unrecorded_events")).isEqualTo(JsonNumber.of(1));
  }

  @Test
  void sync_marks_what_is_missing() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      fill();
      session.emit(STEP);
      disk.limit(ROOM);
      session.sync();
      assertThat(kinds()).endsWith(EventKind.RECORDING_GAP);
    }
  }

  @Test
  void a_receipt_that_is_not_written_says_what_is_missing_too() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      fill();
      session.emit(STEP);
      SessionReceipt receipt = session.end(Status.SUCCESS, 1.0);
      assertThat(receipt.extra().get("unrecorded_events")).isEqualTo(JsonNumber.of(2));
    }
  }

  @Test
  void an_id_may_be_used_again_after_its_call_or_its_result_was_lost() throws IOException {
    ToolCall call = ToolCall.of("x", "t", JsonObject.EMPTY);
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      fill();
      session.call(call); // lost, and never answered
      disk.limit(ROOM);
      PendingCall again = session.call(call);
      fill();
      assertThat(again.result("lost").isWritten()).isFalse();
      disk.limit(ROOM);
      assertThat(session.call(call).result("kept").isWritten()).isTrue();
      assertThat(session.unrecordedEvents()).isEqualTo(2);
    }
    assertThat(lines()).filteredOn(line -> line.event() instanceof ToolResult).hasSize(1);
  }

  @Test
  void closing_does_not_disturb_the_agent_either() throws IOException {
    RecorderOptions options = RecorderOptions.defaults()
        .withFailurePolicy(FailurePolicy.DEGRADE)
        .withWriter(WriterOptions.defaults().withDurability(Durability.BUFFERED));
    SessionRecorder session = SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options);
    session.emit(STEP);
    fill();
    session.close();
    assertThat(session.lastFailure()).hasMessageContaining(SimulatedDisk.FULL);
    session.close();
  }

  @Test
  void event_that_cannot_be_forced_is_in_the_log_and_not_counted() throws IOException {
    RecorderOptions options = RecorderOptions.defaults()
        .withFailurePolicy(FailurePolicy.DEGRADE)
        .withWriter(WriterOptions.defaults().withDurability(Durability.FSYNC));
    try (SessionRecorder session =
        SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options)) {
      disk.inject(
          (number, call, file) -> call == DiskCall.FORCE ? DiskFault.FAIL_BEFORE : DiskFault.NONE);
      assertThat(session.emit(STEP).isWritten()).isTrue();
      assertThat(session.lastFailure()).hasMessageContaining(SimulatedDisk.INJECTED);
      assertThat(session.unrecordedEvents()).isZero();
      assertThat(session.emit(STEP).isWritten()).isFalse();
      assertThat(session.unrecordedEvents()).isEqualTo(1);
    }
    assertThat(kinds()).endsWith(EventKind.STEP_COMPLETE).hasSize(3);
  }

  @Test
  void event_after_a_gap_that_cannot_be_forced_is_counted() throws IOException {
    RecorderOptions options = RecorderOptions.defaults()
        .withFailurePolicy(FailurePolicy.DEGRADE)
        .withWriter(WriterOptions.defaults().withDurability(Durability.FSYNC));
    try (SessionRecorder session =
        SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options)) {
      fill();
      assertThat(session.emit(STEP).isWritten()).isFalse();
      disk.limit(ROOM);
      disk.inject(
          (number, call, file) -> call == DiskCall.FORCE ? DiskFault.FAIL_BEFORE : DiskFault.NONE);
      assertThat(session.emit(STEP).isWritten()).isFalse();
      assertThat(session.unrecordedEvents()).isEqualTo(2);
    }
    assertThat(kinds()).endsWith(EventKind.RECORDING_GAP);
  }

  @Test
  void end_that_cannot_be_forced_has_no_receipt() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      disk.inject(
          (number, call, file) -> call == DiskCall.FORCE ? DiskFault.FAIL_DROPPED : DiskFault.NONE);
      SessionReceipt receipt = session.end(Status.SUCCESS, 1.0);
      assertThat(receipt.extra().get("unrecorded_events")).isNull();
      disk.inject((number, call, file) -> DiskFault.NONE);
      assertThat(session.lastFailure()).hasMessageContaining(SimulatedDisk.INJECTED);
      assertThat(session.unrecordedEvents()).isZero();
      assertThat(disk.names()).doesNotContain(Session.RECEIPT_NAME);
    }
  }

  @Test
  void events_that_are_lost_with_the_buffer_are_counted() throws IOException {
    RecorderOptions options = RecorderOptions.defaults()
        .withFailurePolicy(FailurePolicy.DEGRADE)
        .withWriter(WriterOptions.defaults().withDurability(Durability.BUFFERED));
    SessionRecorder session = SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options);
    fill();
    session.emit(STEP);
    session.emit(STEP);
    assertThat(session.unrecordedEvents()).isZero();
    session.close();
    assertThat(session.unrecordedEvents()).isEqualTo(2);
    assertThat(kinds()).hasSize(2);
  }

  @Test
  void a_receipt_whose_name_cannot_be_forced_is_absent_and_may_be_written_again()
      throws IOException {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      disk.inject((number, call, file) ->
          call == DiskCall.FORCE_DIRECTORY ? DiskFault.FAIL_BEFORE : DiskFault.NONE);
      assertThatThrownBy(() -> session.end(Status.SUCCESS, 1.0)).isInstanceOf(IOException.class);
      assertThat(disk.names()).doesNotContain(Session.RECEIPT_NAME);
      disk.inject((number, call, file) -> DiskFault.NONE);
      session.end(Status.SUCCESS, 1.0);
      assertThat(disk.names()).contains(Session.RECEIPT_NAME);
    }
  }

  @Test
  void a_session_that_cannot_be_started_leaves_nothing() {
    RecorderOptions options =
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withMaxSegmentBytes(1));
    disk.inject((number, call, file) ->
        call == DiskCall.WRITE && number > 5 ? DiskFault.FAIL_BEFORE : DiskFault.NONE);
    assertThatThrownBy(() -> SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options))
        .isInstanceOf(ReplayWriteException.class);
    assertThat(disk.names()).isEmpty();
  }

  @Test
  void a_result_that_was_rolled_back_may_be_given_again() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      PendingCall call = session.call("t", JsonObject.EMPTY);
      fill();
      assertThatThrownBy(() -> call.result("out"))
          .isInstanceOfSatisfying(
              ReplayWriteException.class, e -> assertThat(e.isRetryable()).isTrue());
      disk.limit(ROOM);
      call.result("out");
      assertThatThrownBy(() -> call.result("out")).isInstanceOf(IllegalStateException.class);
    }
  }

  private SessionRecorder start(FailurePolicy policy) throws IOException {
    return SessionRecorder.start(
        disk,
        DIRECTORY,
        SessionStart.of("s"),
        RecorderOptions.defaults().withFailurePolicy(policy));
  }

  /** Leaves room for less than a line. */
  private void fill() throws IOException {
    disk.limit(disk.content(LOG).length + 20);
  }

  private List<EventKind> kinds() throws IOException {
    return lines().stream().map(line -> line.event().kind()).toList();
  }

  private List<ReplayLine> lines() throws IOException {
    List<ReplayLine> lines = new ArrayList<>();
    try (ReplayReader reader = TestLogs.reader(disk.content(LOG))) {
      reader.forEach(lines::add);
    }
    return lines;
  }
}
