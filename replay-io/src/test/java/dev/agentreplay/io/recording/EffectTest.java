package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that have an effect are in the log, with its id, before their tools run. */
@ExtendWith(QuietLogger.class)
class EffectTest {

  private static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  private static final Path LOG = DIRECTORY.resolve(Session.LOG_NAME);
  private static final JsonObject PARAMS = JsonObject.of("cents", 1200);

  private SimulatedDisk disk = new SimulatedDisk(DIRECTORY);

  @Test
  void attempts_of_one_effect_have_its_id_and_their_own_numbers() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      PendingCall first = recorder.effect("charge", PARAMS);
      first.timedOut("no answer after 30 s");
      PendingCall second = first.retry();
      second.failed(Failure.of("Refused", "try later").withRetryable(true));
      PendingCall third = second.retry();
      third.result("charged");

      assertThat(List.of(second.effectId(), third.effectId())).containsOnly(first.effectId());
      assertThat(UUID.fromString(first.effectId()).version()).isEqualTo(4);
      assertThat(recorder.effect("charge", PARAMS).effectId()).isNotEqualTo(first.effectId());
    }
    List<ToolCall> calls = events(ToolCall.class);
    assertThat(calls)
        .extracting(ToolCall::id)
        .containsExactly("call-1", "call-2", "call-3", "call-4");
    assertThat(calls).extracting(call -> call.attempt().number()).containsExactly(1L, 2L, 3L, 1L);
    assertThat(calls.subList(0, 3))
        .extracting(call -> call.attempt().effectId())
        .containsOnly(calls.get(0).attempt().effectId());
    assertThat(calls).extracting(call -> call.params().value()).containsOnly(PARAMS);
    List<ToolResult> results = events(ToolResult.class);
    assertThat(results)
        .extracting(result -> result.outcome().isKnown())
        .containsExactly(false, true, true);
    assertThat(results.get(1).outcome().error().retryable()).isTrue();
    assertThat(results.get(1).output().value()).isEqualTo(JsonValue.of("try later"));
  }

  @Test
  void call_without_an_effect_has_neither_id_nor_retry() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      PendingCall call = recorder.call("read", PARAMS);
      assertThatIllegalStateException()
          .isThrownBy(call::effectId)
          .withMessage(
              "call call-1 has no id of an effect: record it with effect() instead of call()");
      assertThatIllegalStateException().isThrownBy(call::retry);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> recorder.retry(ToolCall.of("c", "read", PARAMS)))
          .withMessage("call \"c\" has no id of an effect, so that it cannot be repeated");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> recorder.call(ToolCall.of("c", "read", PARAMS).withAttempt(Attempt.first(" "))))
          .withMessage("ToolCall: effect_id must not be blank: \" \"");
    }
    assertThat(events(ToolCall.class)).extracting(ToolCall::attempt).containsExactly(Attempt.NONE);
  }

  @Test
  void id_that_the_caller_has_chosen_is_recorded() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      ToolCall mine = ToolCall.of("c", "charge", PARAMS).withAttempt(Attempt.first("order-7"));
      assertThat(recorder.call(mine).retry().effectId()).isEqualTo("order-7");
    }
    assertThat(events(ToolCall.class))
        .extracting(ToolCall::attempt)
        .containsExactly(Attempt.first("order-7"), new Attempt(2L, "order-7"));
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void call_is_in_the_file_before_the_tool_runs(Durability durability) throws IOException {
    SessionRecorder recorder = start(options(durability));
    recorder.emit(StepComplete.of("before", Status.SUCCESS, 1)); // buffered, and before it in order
    recorder.effect("charge", PARAMS);
    disk = durability == Durability.FSYNC ? disk.losePower(new SplittableRandom(1)) : disk.kill();

    assertThat(events(StepComplete.class)).hasSize(1);
    assertThat(events(ToolCall.class)).hasSize(1);
  }

  @Test
  void buffered_call_without_an_effect_is_not_in_the_file() throws IOException {
    start(options(Durability.BUFFERED)).call("read", PARAMS);
    disk = disk.kill();

    assertThat(events(ToolCall.class)).isEmpty();
  }

  @Test
  void call_that_cannot_be_written_is_not_in_the_log_later() throws IOException {
    try (SessionRecorder recorder = start(options(Durability.BUFFERED))) {
      disk.limit(disk.content(LOG).length + 10L);
      assertThatThrownBy(() -> recorder.effect("charge", PARAMS))
          .isInstanceOf(ReplayWriteException.class);
      disk.limit(Long.MAX_VALUE);
      recorder.effect("charge", PARAMS).result("charged");
    }
    assertThat(events(ToolCall.class)).extracting(ToolCall::id).containsExactly("call-2");
  }

  @Test
  void agent_that_degrades_gets_an_id_of_an_effect_that_is_not_in_the_log() throws IOException {
    try (SessionRecorder recorder =
        start(RecorderOptions.defaults().withFailurePolicy(FailurePolicy.DEGRADE))) {
      disk.limit(disk.content(LOG).length + 10L);
      PendingCall call = recorder.effect("charge", PARAMS);
      assertThat(call.effectId()).isNotBlank();
      assertThat(recorder.unrecordedEvents()).isEqualTo(1);
      disk.limit(Long.MAX_VALUE);
      assertThat(call.retry().effectId()).isEqualTo(call.effectId());
    }
    assertThat(events(ToolCall.class))
        .extracting(call -> call.attempt().number())
        .containsExactly(2L);
  }

  @Test
  void open_call_of_a_crashed_process_is_repeated_with_its_id() throws IOException {
    SessionRecorder crashed = start(RecorderOptions.defaults());
    String effectId = crashed.effect("charge", PARAMS).effectId();
    disk = disk.kill();

    ToolCall open = events(ToolCall.class).get(0);
    try (SessionRecorder recorder =
        SessionRecorder.resume(disk, DIRECTORY, RecorderOptions.defaults())) {
      PendingCall again = recorder.retry(open);
      assertThat(again.id()).isEqualTo("call-2");
      assertThat(again.effectId()).isEqualTo(effectId);
      again.result("charged");
    }
    assertThat(events(ToolCall.class).get(1).attempt()).isEqualTo(new Attempt(2L, effectId));
    assertThat(events(ToolCall.class).get(1).params()).isEqualTo(open.params());
  }

  @Test
  void attempts_of_a_call_that_was_refused_leave_gaps_if_it_degrades() throws IOException {
    RecorderOptions degrading = RecorderOptions.defaults().withFailurePolicy(FailurePolicy.DEGRADE);
    try (SessionRecorder recorder = start(degrading)) {
      PendingCall call = recorder.effect("charge", Map.of("cents", new Object()));
      call.failed(Failure.of("Refused", "try later"));
      PendingCall again = call.retry();
      again.result("charged");

      assertThat(call.call().params()).isEqualTo(Content.NONE);
      assertThat(again.isWritten()).isFalse();
      assertThat(again.effectId()).isEqualTo(call.effectId());
      assertThat(recorder.unrecordedEvents()).isEqualTo(4);
    }
    assertThat(events(ToolCall.class)).isEmpty();
    assertThat(events(ToolResult.class)).isEmpty();
  }

  @Test
  void derived_ids_depend_on_session_and_number_alone() throws IOException {
    List<String> ids = derived("s", "charge");

    assertThat(ids).doesNotHaveDuplicates();
    assertThat(UUID.fromString(ids.get(0)).version()).isEqualTo(8);
    assertThat(UUID.fromString(ids.get(0)).variant()).isEqualTo(2);
    assertThat(derived("s", "transfer")).isEqualTo(ids);
    assertThat(derived("t", "charge")).doesNotContainAnyElementsOf(ids);
  }

  @Test
  void derived_ids_of_a_resumed_session_are_new_ones() throws IOException {
    RecorderOptions options =
        RecorderOptions.defaults().withContext(ContextOptions.deterministic());
    List<String> ids = new ArrayList<>();
    try (SessionRecorder recorder = start(options)) {
      ids.add(recorder.effect("charge", PARAMS).effectId());
    }
    for (int i = 0; i < 2; i++) {
      try (SessionRecorder recorder = SessionRecorder.resume(disk, DIRECTORY, options)) {
        ids.add(recorder.effect("charge", PARAMS).effectId());
        ids.add(recorder.effect("charge", PARAMS).effectId());
      }
    }
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void derived_ids_of_an_agent_do_not_depend_on_other_agents() throws IOException {
    List<String> one = new ArrayList<>();
    List<String> other = new ArrayList<>();
    for (boolean isFirst : List.of(true, false)) {
      disk = new SimulatedDisk(DIRECTORY);
      try (SessionRecorder recorder =
          start(RecorderOptions.defaults().withContext(ContextOptions.deterministic()))) {
        AgentRecorder a = recorder.agent("a", null);
        AgentRecorder b = recorder.agent("b", null);
        if (isFirst) {
          one.add(a.effect("charge", PARAMS).effectId());
        }
        other.add(b.effect("mail", PARAMS).effectId());
        if (!isFirst) {
          one.add(a.effect("charge", PARAMS).effectId());
        }
      }
    }
    assertThat(one.get(0)).isEqualTo(one.get(1)).isNotEqualTo(other.get(0));
    assertThat(other.get(0)).isEqualTo(other.get(1));
  }

  @Test
  void each_retry_of_the_same_call_is_one_more_attempt() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      PendingCall first = recorder.effect("charge", PARAMS);
      first.retry();
      first.retry();
    }
    try (SessionRecorder recorder =
        SessionRecorder.resume(disk, DIRECTORY, RecorderOptions.defaults())) {
      recorder.retry(events(ToolCall.class).get(0));
    }
    assertThat(events(ToolCall.class))
        .extracting(call -> call.attempt().number())
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void effect_that_is_not_written_says_so() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withFailurePolicy(FailurePolicy.DEGRADE);
    try (SessionRecorder recorder = start(options)) {
      assertThat(recorder.effect("charge", PARAMS).isWritten()).isTrue();
      disk.limit(0);
      assertThat(recorder.effect("charge", PARAMS).isWritten()).isFalse();
    }
  }

  @Test
  void effect_needs_a_tool_and_parameters_with_a_json_form() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      assertThatIllegalArgumentException().isThrownBy(() -> recorder.effect(" ", PARAMS));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> recorder.effect("charge", Map.of("a", new Thread())));
      assertThat(recorder.effect("charge", null).id()).isNotBlank();
    }
  }

  private List<String> derived(String session, String tool) throws IOException {
    disk = new SimulatedDisk(DIRECTORY);
    List<String> ids = new ArrayList<>();
    RecorderOptions options =
        RecorderOptions.defaults().withContext(ContextOptions.deterministic());
    try (SessionRecorder recorder =
        SessionRecorder.start(disk, DIRECTORY, SessionStart.of(session), options)) {
      for (int i = 0; i < 3; i++) {
        ids.add(recorder.effect(tool, JsonObject.of("text", tool + i)).effectId());
      }
    }
    return ids;
  }

  private static RecorderOptions options(Durability durability) {
    return RecorderOptions.defaults()
        .withWriter(WriterOptions.defaults().withDurability(durability));
  }

  private SessionRecorder start(RecorderOptions options) throws IOException {
    return SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options);
  }

  private <E extends ReplayEvent> List<E> events(Class<E> type) throws IOException {
    List<E> events = new ArrayList<>();
    LogRecovery.of(disk, LOG).inspect(line -> {
      if (type.isInstance(line.event())) {
        events.add(type.cast(line.event()));
      }
    });
    return events;
  }
}
