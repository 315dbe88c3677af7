package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The calls of a session that is resumed which have no result. */
class InterruptedCallsTest {

  private static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  private static final Instant CRASHED = Instant.parse("2026-01-01T00:00:00Z");
  private static final JsonObject PARAMS = JsonObject.of("cents", 1200);

  private SimulatedDisk disk = new SimulatedDisk(DIRECTORY);

  @Test
  void unanswered_calls_are_found_in_order_and_take_their_results() throws IOException {
    SessionRecorder crashed = start();
    crashed.call("read", PARAMS).result("read");
    crashed.call("write", PARAMS);
    crashed.modelCall("gpt-5", "Which file?");
    crashed.agent("researcher", "call-2").call("search", PARAMS);
    disk = disk.kill();

    try (SessionRecorder recorder = resume(Duration.ofHours(1))) {
      List<PendingCall> calls = recorder.interruptedCalls();
      assertThat(calls).extracting(call -> call.call().tool()).containsExactly("write", "search");
      assertThat(calls).allMatch(PendingCall::isWritten);
      calls.get(1).result("found");
      calls.get(0).cancelled("the process ended");
      assertThat(recorder.interruptedModelCalls()).hasSize(1);
      recorder.interruptedModelCalls().get(0).answer("auth.rs");

      assertThat(recorder.interruptedCalls()).isEmpty();
      assertThat(recorder.interruptedModelCalls()).isEmpty();
      assertThatIllegalStateException()
          .isThrownBy(() -> calls.get(0).result("again"))
          .withMessage("call call-2 has a result already");
    }
    List<ToolResult> results = events(ToolResult.class);
    assertThat(results).extracting(ToolResult::id).containsExactly("call-1", "call-3", "call-2");
    assertThat(results.get(1).meta().agent()).isEqualTo("researcher");
    assertThat(results.get(1).meta().parent()).isEqualTo("call-2");
    assertThat(results.get(1).latencyMillis()).isLessThan(3_600_000);
    assertThat(results.get(2).outcome()).isEqualTo(Outcome.cancelled("the process ended"));
    assertThat(events(ModelResult.class)).hasSize(1);
    try (SessionRecorder recorder = resume(Duration.ZERO)) {
      assertThat(recorder.interruptedCalls()).isEmpty();
      assertThat(recorder.interruptedModelCalls()).isEmpty();
    }
  }

  @Test
  void effect_of_a_crashed_process_is_retried_with_its_id() throws Exception {
    String effectId = start().effect("charge", PARAMS).effectId();
    disk = disk.kill();

    List<String> keys = new ArrayList<>();
    try (SessionRecorder recorder = resume(Duration.ofHours(1))) {
      PendingCall again = recorder.interruptedCalls().get(0).retry();
      assertThat(again.run(() -> "charged" + keys.add(again.effectId()))).isEqualTo("chargedtrue");
    }
    assertThat(keys).containsExactly(effectId);
    assertThat(events(ToolCall.class).get(1).attempt()).isEqualTo(new Attempt(2L, effectId));
    assertThat(events(ToolCall.class).get(1).params().value()).isEqualTo(PARAMS);
    assertThat(events(ToolResult.class).get(0).output().value())
        .isEqualTo(JsonValue.of("chargedtrue"));
    assertThat(events(ToolResult.class).get(0).latencyMillis()).isLessThan(3_600_000);
  }

  @Test
  void time_of_a_call_is_measured_from_the_resume_or_from_its_run() throws Exception {
    SessionRecorder crashed = start();
    crashed.call("read", PARAMS);
    crashed.call("write", PARAMS);
    disk = disk.kill();

    AtomicLong seconds = new AtomicLong(100);
    try (SessionRecorder recorder = new RecordingStart(
            disk, DIRECTORY, options(Duration.ofHours(1)))
        .resume(() -> TimeUnit.SECONDS.toNanos(seconds.get()))) {
      List<PendingCall> calls = recorder.interruptedCalls();
      seconds.addAndGet(3);
      calls.get(0).result("read");
      calls.get(1).run(() -> seconds.addAndGet(2));
    }
    assertThat(events(ToolResult.class))
        .extracting(ToolResult::latencyMillis)
        .containsExactly(3_000L, 2_000L);
  }

  @Test
  void prompts_are_not_kept() {
    InterruptedCalls calls = new InterruptedCalls();
    calls.add(ModelCall.of("model-1", "gpt-5", Prompt.of("x".repeat(1_000))), 1_100);

    assertThat(calls.models())
        .singleElement()
        .extracting(ModelCall::prompt)
        .isEqualTo(Content.NONE);
  }

  @Test
  void session_that_was_started_has_none() throws IOException {
    try (SessionRecorder recorder = start()) {
      recorder.call("read", PARAMS);
      assertThat(recorder.interruptedCalls()).isEmpty();
      assertThat(recorder.interruptedModelCalls()).isEmpty();
    }
  }

  @Test
  void latency_is_zero_without_the_clock_of_the_system() throws IOException {
    start().call("read", PARAMS);
    disk = disk.kill();

    RecorderOptions frozen =
        options(Duration.ofHours(1)).withContext(ContextOptions.deterministic());
    try (SessionRecorder recorder = SessionRecorder.resume(disk, DIRECTORY, frozen)) {
      recorder.interruptedCalls().get(0).result("late");
    }
    assertThat(events(ToolResult.class).get(0).latencyMillis()).isZero();
  }

  @Test
  void last_calls_are_kept_up_to_a_maximum() throws IOException {
    SessionRecorder crashed = start();
    for (int i = 0; i < InterruptedCalls.MAX + 1; i++) {
      crashed.call("read", Map.of());
    }
    disk = disk.kill();

    try (SessionRecorder recorder = resume(Duration.ZERO)) {
      assertThat(recorder.interruptedCalls()).hasSize(InterruptedCalls.MAX);
      assertThat(recorder.interruptedCalls().get(0).id()).isEqualTo("call-2");
    }
  }

  @Test
  @Tag("slow")
  void parameters_are_kept_up_to_a_maximum_size() throws IOException {
    String large = "x".repeat(InterruptedCalls.MAX_BYTES / 4);
    SessionRecorder crashed = SessionRecorder.start(
        disk,
        DIRECTORY,
        SessionStart.of("s"),
        options(Duration.ZERO).withBlobThreshold(InterruptedCalls.MAX_BYTES));
    for (int i = 0; i < 5; i++) {
      crashed.effect("write", Map.of("text", large));
    }
    disk = disk.kill();

    try (SessionRecorder recorder = resume(Duration.ZERO)) {
      List<PendingCall> calls = recorder.interruptedCalls();
      assertThat(calls)
          .extracting(call -> call.call().params().value() != null)
          .containsExactly(true, true, true, false, false);
      assertThat(calls.get(4).call().params().hash())
          .isEqualTo(calls.get(0).call().params().hash());
      assertThat(calls.get(4).retry().isWritten()).isTrue();
    }
    assertThat(events(ToolCall.class).get(5).params().hash())
        .isEqualTo(events(ToolCall.class).get(0).params().hash());
  }

  private SessionRecorder start() throws IOException {
    return SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options(Duration.ZERO));
  }

  private SessionRecorder resume(Duration later) throws IOException {
    return SessionRecorder.resume(disk, DIRECTORY, options(later));
  }

  private static RecorderOptions options(Duration later) {
    Clock clock = Clock.fixed(CRASHED.plus(later), ZoneOffset.UTC);
    return RecorderOptions.defaults().withWriter(WriterOptions.defaults().withClock(clock));
  }

  private <E extends ReplayEvent> List<E> events(Class<E> type) throws IOException {
    List<E> events = new ArrayList<>();
    LogRecovery.of(disk, DIRECTORY.resolve(Session.LOG_NAME)).inspect(line -> {
      if (type.isInstance(line.event())) {
        events.add(type.cast(line.event()));
      }
    });
    return events;
  }
}
