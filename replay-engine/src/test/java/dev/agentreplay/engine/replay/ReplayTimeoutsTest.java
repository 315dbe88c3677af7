package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts.OnTimeout;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Executions that are not answered in time. */
@Timeout(60)
class ReplayTimeoutsTest {

  private static final Duration TINY = Duration.ofNanos(1);

  @TempDir
  Path directory;

  private Session session;

  /** Reads two files, and continues after a time-out. */
  private final ReplayAgent agent = scope -> {
    for (int i = 0; i < 2; i++) {
      try {
        scope.call("read_file", path(i));
      } catch (TimeoutException e) {
        // the agent does without this file
      }
    }
  };

  @BeforeEach
  void record() throws Exception {
    session = TestRecordings.record(
        directory.resolve("recorded"),
        agent,
        Executors.none().withTool("read_file", TestRecordings.echo()));
  }

  private Replay live(ToolExecutor tool) {
    return Replay.of(session).mode(ReplayMode.TOOLS_LIVE).tool("read_file", Effect.PURE, tool);
  }

  private static ReplayTimeouts step(Duration step) {
    return ReplayTimeouts.defaults().withStep(step);
  }

  private static ReplayListener onTimeout(ReplayListenerAnswer answer) {
    return new ReplayListener() {
      @Override
      public @Nullable OnTimeout timedOut(String name, Duration waited) {
        return answer.to(name);
      }
    };
  }

  private static boolean isOpen(CountDownLatch latch) {
    try {
      return latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Lets the first execution time out when it has begun, and waits for the others. */
  private static ReplayListener onlyTheFirst(AtomicInteger begun) {
    AtomicBoolean hasTimedOut = new AtomicBoolean();
    return new TimeoutAfter(() -> begun.get() == 1 && !hasTimedOut.getAndSet(true));
  }

  private interface ReplayListenerAnswer {
    @Nullable
    OnTimeout to(String name);
  }

  @Test
  void each_exchange_that_is_not_answered_in_time_is_one_time_out() throws Exception {
    ReplayReport report = live(TestRecordings.hanging()).timeouts(step(TINY)).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).containsExactly("2 exchanges timed out");
    assertThat(report.divergencesByKind()).containsOnlyKeys("TIMEOUT");
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(2, 0, 2, 0));
    assertThat(report.failure()).isNull();
    requireClosedCounts(report);
  }

  @Test
  void a_retry_after_a_time_out_gets_the_same_recorded_exchange() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ToolExecutor hangingOnce = call -> calls.getAndIncrement() == 0
        ? TestRecordings.hanging().execute(call)
        : TestRecordings.echo().execute(call);
    ReplayAgent retrying = scope -> {
      try {
        scope.call("read_file", path(0));
      } catch (TimeoutException e) {
        scope.call("read_file", path(0));
      }
      scope.call("read_file", path(1));
    };

    ReplayReport report =
        live(hangingOnce).timeouts(step(TINY)).listener(onlyTheFirst(calls)).run(retrying);

    assertThat(report.divergencesByKind()).isEqualTo(Map.of("TIMEOUT", 1L));
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(2, 0, 2, 0));
    requireClosedCounts(report);
  }

  @Test
  void an_agent_that_fails_by_a_time_out_leaves_the_replay_incomplete() throws Exception {
    ReplayAgent failing = scope -> {
      scope.call("read_file", path(0));
      scope.call("read_file", path(1));
    };

    ReplayReport report = live(TestRecordings.hanging()).timeouts(step(TINY)).run(failing);

    assertThat(report.failure()).isInstanceOf(TimeoutException.class);
    assertThat(report.divergencesByKind()).containsOnlyKeys("TIMEOUT");
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.exchanges().unread()).isOne();
    requireClosedCounts(report);
  }

  @Test
  void a_tool_that_ignores_its_interrupt_does_not_add_a_late_result() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch returned = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    ToolExecutor stubborn = call -> {
      if (calls.getAndIncrement() > 0) {
        release.countDown();
        returned.await();
        return TestRecordings.echo().execute(call);
      }
      boolean isReleased = false;
      while (!isReleased) {
        try {
          release.await();
          isReleased = true;
        } catch (InterruptedException e) {
          // ignored, as a tool may do
        }
      }
      try {
        return TestRecordings.echo().execute(call);
      } finally {
        returned.countDown();
      }
    };
    Path out = directory.resolve("replayed");

    ReplayReport report = live(stubborn)
        .timeouts(step(TINY))
        .listener(onlyTheFirst(calls))
        .directory(out)
        .run(agent);

    assertThat(report.incomplete()).containsExactly("1 exchange timed out");
    assertThat(report.divergencesByKind()).containsOnlyKeys("TIMEOUT");
    List<ToolResult> results = new ArrayList<>();
    for (ReplayEvent event : TestRecordings.events(Session.open(out))) {
      if (event instanceof ToolResult result) {
        results.add(result);
      }
    }
    assertThat(results).hasSize(2);
    assertThat(results.get(0).outcome().succeeded()).isFalse();
    assertThat(results.get(1).outcome().succeeded()).isTrue();
    assertThat(TestRecordings.ledger(out))
        .extracting(entry -> entry.get("result").asString())
        .containsExactly("timed_out", "executed");
  }

  @Test
  void pieces_of_an_answer_that_are_late_are_not_streamed() throws Exception {
    List<String> pieces = new ArrayList<>();
    CountDownLatch timedOut = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicBoolean isRefused = new AtomicBoolean();
    ReplayAgent asking = scope -> {
      try {
        scope.execute(Requests.model("gpt-5", "hi", null), pieces::add);
      } catch (TimeoutException e) {
        timedOut.countDown();
        ended.await();
      }
    };
    Session asked = TestRecordings.record(
        directory.resolve("asked"), asking, Executors.none().withModel((call, stream) -> {
          stream.accept("hello");
          return ModelResult.of(call.id(), "hello");
        }));
    pieces.clear();

    CountDownLatch started = new CountDownLatch(1);
    Replay.of(asked)
        .mode(ReplayMode.MODEL_LIVE)
        .timeouts(step(TINY))
        .listener(new TimeoutAfter(() -> started.getCount() == 0))
        .model((call, stream) -> {
          started.countDown();
          while (timedOut.getCount() > 0) {
            Thread.onSpinWait();
          }
          try {
            stream.accept("late");
          } catch (RuntimeException e) {
            isRefused.set(true);
          } finally {
            ended.countDown();
          }
          return ModelResult.of(call.id(), "late");
        })
        .run(asking);

    assertThat(pieces).isEmpty();
    assertThat(isRefused).isTrue();
  }

  @Test
  void a_listener_extends_a_time_out_until_it_does_not() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    ReplayListener twice =
        onTimeout(name -> asked.incrementAndGet() % 3 == 0 ? null : OnTimeout.EXTEND);

    ReplayReport report =
        live(TestRecordings.hanging()).timeouts(step(TINY)).listener(twice).run(agent);

    assertThat(asked).hasValue(6);
    assertThat(report.divergencesByKind()).containsEntry("TIMEOUT", 2L);
  }

  @Test
  void a_time_out_is_extended_by_default_if_asked() throws Exception {
    CountDownLatch extended = new CountDownLatch(3);
    ReplayListener counting = onTimeout(name -> {
      assertThat(name).isEqualTo("read_file");
      extended.countDown();
      return null;
    });
    ToolExecutor slow = call -> {
      extended.await();
      return TestRecordings.echo().execute(call);
    };

    ReplayReport report = live(slow)
        .timeouts(step(TINY).withOnStep(OnTimeout.EXTEND))
        .listener(counting)
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(extended.getCount()).isZero();
  }

  @Test
  void a_listener_that_fails_leaves_the_decision_to_the_others() throws Exception {
    ReplayListener failing = onTimeout(name -> {
      throw new AssertionError("of the listener");
    });

    ReplayReport report = live(TestRecordings.hanging())
        .timeouts(step(TINY).withOnStep(OnTimeout.EXTEND))
        .listener(failing)
        .listener(onTimeout(name -> OnTimeout.ABORT))
        .run(agent);

    assertThat(report.incomplete()).containsExactly("2 exchanges timed out");
  }

  @Test
  void the_overall_time_out_ends_an_execution_that_hangs() throws Exception {
    ReplayReport report = live(TestRecordings.hanging())
        .timeouts(step(TINY).withOnStep(OnTimeout.EXTEND).withOverall(Duration.ofMillis(1)))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).containsExactly("the replay did not end within 0.001 s");
    assertThat(report.divergences()).isEmpty();
    requireClosedCounts(report);
  }

  @Test
  void an_execution_that_ends_while_the_replay_is_stopped_has_not_timed_out() throws Exception {
    ReplayControl control = new ReplayControl();
    Thread aborting = new Thread(() -> control.abort("by the test"));
    CountDownLatch entered = new CountDownLatch(1);
    AtomicBoolean isEntered = new AtomicBoolean();
    TestLog slow = new TestLog(Level.WARNING) {
      @Override
      public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        if (parameters[0].equals("replay.stopped")) {
          isEntered.set(isOpen(entered));
        }
      }
    };

    ReplayReport report = live(TestRecordings.hanging())
        .timeouts(step(TINY).withOnStep(OnTimeout.EXTEND))
        .control(control)
        .logger(slow)
        .listener(onTimeout(name -> {
          if (aborting.getState() == Thread.State.NEW) {
            aborting.start();
          }
          return OnTimeout.EXTEND;
        }))
        .listener(new ReplayListener() {
          @Override
          public void exchange(LedgerEntry entry) {
            entered.countDown();
          }
        })
        .run(agent);
    aborting.join();

    assertThat(isEntered).as("the execution ended within ReplayControl.abort").isTrue();
    assertThat(report.incomplete()).containsExactly("by the test");
    assertThat(report.divergences()).isEmpty();
    requireClosedCounts(report);
  }

  @ParameterizedTest
  @CsvSource({"replay.stopped, 100", "replay.progress, 50000"})
  void a_logger_that_throws_while_the_agent_runs_ends_it(String event, long overallMillis) {
    TestLog failing = new TestLog(Level.DEBUG) {
      @Override
      public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        if (parameters[0].equals(event)) {
          throw new IllegalStateException("full");
        }
      }
    };
    Replay replay = live(TestRecordings.echo())
        .timeouts(ReplayTimeouts.defaults().withOverall(Duration.ofMillis(overallMillis)))
        .logger(failing);

    assertThatIllegalStateException()
        .isThrownBy(() -> replay.run(scope -> new CountDownLatch(1).await()))
        .withMessage("full");
  }

  @Test
  void the_overall_time_out_ends_an_agent_without_requests() throws Exception {
    ReplayReport report = live(TestRecordings.echo())
        .timeouts(ReplayTimeouts.defaults().withOverall(Duration.ofMillis(1)))
        .run(scope -> new CountDownLatch(1).await());

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.failure())
        .isInstanceOf(ReplayStoppedException.class)
        .hasMessage("the replay was stopped: the replay did not end within 0.001 s");
    assertThat(report.exchanges().unread()).isEqualTo(2);
  }

  @Test
  void a_time_out_without_end_is_allowed() throws Exception {
    Duration forever = ChronoUnit.FOREVER.getDuration();

    ReplayReport report = live(TestRecordings.echo())
        .timeouts(step(forever).withOverall(forever).withOnStep(OnTimeout.EXTEND))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void time_during_a_pause_does_not_count() throws Exception {
    ReplayControl control = new ReplayControl();
    control.pause(); // before the start, so that no time counts at all
    control.step();
    control.step();
    Duration timeout = Duration.ofMillis(2);
    ToolExecutor slow = call -> {
      long start = System.nanoTime();
      while (System.nanoTime() - start < 5 * timeout.toNanos()) {
        Thread.onSpinWait();
      }
      return TestRecordings.echo().execute(call);
    };
    List<Duration> elapsed = new ArrayList<>();
    ReplayListener measuring = new ReplayListener() {
      @Override
      public void exchange(LedgerEntry entry) {
        elapsed.add(Duration.of(entry.elapsedMicros(), ChronoUnit.MICROS));
      }
    };

    ReplayReport report = live(slow)
        .control(control)
        .timeouts(step(timeout).withOverall(timeout))
        .budget(ReplayBudget.unlimited().withTime(Duration.ZERO))
        .listener(measuring)
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.duration()).isZero();
    assertThat(elapsed).containsExactly(Duration.ZERO, Duration.ZERO);
  }

  @Test
  void a_tool_that_throws_a_time_out_of_its_own_has_failed() throws Exception {
    ReplayReport report = live(call -> {
          throw new TimeoutException("of the tool");
        })
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("OUTCOME", 2L));
  }

  @Test
  void default_time_outs_are_ten_times_the_recorded_time() {
    ReplayTimeouts defaults = ReplayTimeouts.defaults();

    assertThat(defaults.step(null)).isEqualTo(Duration.ofSeconds(60));
    assertThat(defaults.step(3L)).isEqualTo(Duration.ofSeconds(5));
    assertThat(defaults.step(TimeUnit.SECONDS.toMillis(2))).isEqualTo(Duration.ofSeconds(20));
    assertThat(defaults.step(-1L)).isEqualTo(Duration.ofSeconds(5));
    assertThat(defaults.overall(0)).isEqualTo(Duration.ofSeconds(60));
    assertThat(defaults.overall(TimeUnit.MINUTES.toMillis(1))).isEqualTo(Duration.ofMinutes(10));
    assertThatThrownBy(() -> defaults.withStep(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be positive");
    assertThatThrownBy(() -> defaults.withOverall(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be positive");
  }

  @Test
  void a_decision_on_a_time_out_does_not_hold_up_other_exchanges() throws Exception {
    CountDownLatch isDeciding = new CountDownLatch(1);
    CountDownLatch isServed = new CountDownLatch(1);
    AtomicBoolean wasServed = new AtomicBoolean();
    ReplayAgent both = scope -> {
      Thread other = new Thread(() -> {
        try {
          isDeciding.await();
          scope.agent("other", null).call("read_file", path(1));
          isServed.countDown();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      });
      other.start();
      try {
        scope.call("slow", path(0));
      } catch (TimeoutException e) {
        // the agent does without it
      }
      other.join();
    };
    Session recorded = TestRecordings.record(
        directory.resolve("both"),
        scope -> {
          scope.call("slow", path(0));
          scope.agent("other", null).call("read_file", path(1));
        },
        Executors.none()
            .withTool("slow", TestRecordings.echo())
            .withTool("read_file", TestRecordings.echo()));

    Replay.of(recorded)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("slow", Effect.PURE, TestRecordings.hanging())
        .timeouts(step(TINY))
        .listener(onTimeout(name -> {
          isDeciding.countDown();
          wasServed.set(isOpen(isServed));
          return OnTimeout.ABORT;
        }))
        .run(both);

    assertThat(wasServed).isTrue();
  }
}
