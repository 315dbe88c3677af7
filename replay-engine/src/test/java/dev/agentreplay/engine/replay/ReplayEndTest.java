package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.echo;
import static dev.agentreplay.engine.replay.TestRecordings.hanging;
import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.record;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayEndTest {

  @TempDir
  Path directory;

  private final ReplayAgent agent = scope -> scope.call("read_file", path(1));
  private Session recording;

  @BeforeEach
  void record_a_call() throws Exception {
    recording = record(
        directory.resolve("recording"), agent, Executors.none().withTool("read_file", echo()));
  }

  private Replay live(ToolExecutor tool) {
    return Replay.of(recording).mode(ReplayMode.TOOLS_LIVE).tool("read_file", Effect.PURE, tool);
  }

  @Test
  void a_replay_waits_for_calls_of_other_threads_of_the_agent() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch isReturning = new CountDownLatch(1);
    ToolExecutor slow = call -> {
      started.countDown();
      isReturning.await();
      return echo().execute(call);
    };
    AtomicReference<Throwable> failure = new AtomicReference<>();

    ReplayReport report = live(slow).run(scope -> {
      Thread thread = new Thread(() -> {
        try {
          agent.run(scope);
        } catch (Throwable e) {
          failure.set(e);
        }
      });
      thread.start();
      started.await();
      isReturning.countDown();
    });

    assertThat(failure).hasNullValue();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    requireClosedCounts(report);
  }

  @Test
  void requests_after_the_agent_has_returned_leave_the_replay_incomplete() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch isReturning = new CountDownLatch(1);
    ToolExecutor slow = call -> {
      started.countDown();
      isReturning.await();
      return echo().execute(call);
    };
    try (ActiveReplay replay = live(slow).start()) {
      AgentScope scope = replay.scope();
      CompletableFuture<Object> answer = CompletableFuture.supplyAsync(() -> answer(scope));
      started.await();
      CompletableFuture<ReplayReport> report = new CompletableFuture<>();
      Thread ending = new Thread(() -> report.complete(finish(replay)));
      ending.start();
      while (ending.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }

      assertThat(answer(scope)).isInstanceOf(ReplayStoppedException.class);
      assertThatExceptionOfType(ReplayStoppedException.class)
          .isThrownBy(() -> scope.context().ulid());
      isReturning.countDown();

      assertThat(answer.get()).isEqualTo(path(1));
      assertThat(report.get().verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
      assertThat(report.get().incomplete())
          .containsExactly("the scope was used 2 times after the agent had returned");
      assertThat(report.get().divergences()).isEmpty();
      requireClosedCounts(report.get());
    }
  }

  private static Object answer(AgentScope scope) {
    try {
      return scope.call("read_file", path(1));
    } catch (Exception e) {
      return e;
    }
  }

  private static ReplayReport finish(ActiveReplay replay) {
    try {
      return replay.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void a_tool_that_ignores_its_interrupt_is_named() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ToolExecutor deaf = call -> {
      started.countDown();
      while (end.getCount() > 0) {
        try {
          end.await();
        } catch (InterruptedException ignored) {
          // as a tool that does not end
        }
      }
      return echo().execute(call);
    };

    Replay replay = live(deaf)
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMillis(1)))
        .listener(new TimeoutAfter(() -> started.getCount() == 0));
    replay.grace = Duration.ofMillis(200);

    ReplayReport report = replay.run(agent);
    end.countDown();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).contains("ignored the interrupt, and may still run: read_file");
  }

  @Test
  void the_time_budget_ends_a_tool_that_runs() throws Exception {
    ReplayReport report = live(hanging())
        .budget(ReplayBudget.unlimited().withTime(Duration.ofMillis(20)))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).contains("the budget of 0.02 s is exceeded");
  }

  @Test
  void a_replay_that_cannot_start_leaves_no_thread() throws Exception {
    System.Logger full = new System.Logger() {
      @Override
      public String getName() {
        return "full";
      }

      @Override
      public boolean isLoggable(Level level) {
        return level == Level.WARNING; // as is the end of the budget
      }

      @Override
      public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
        throw new IllegalStateException("the log is full");
      }

      @Override
      public void log(Level level, ResourceBundle bundle, String format, Object... fields) {
        throw new IllegalStateException("the log is full");
      }
    };
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Replay replay = Replay.of(recording)
        .mode(ReplayMode.MOCK)
        .budget(ReplayBudget.unlimited().withTime(Duration.ofNanos(1)))
        .logger(full);

    assertThatIllegalStateException().isThrownBy(() -> replay.run(agent));

    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("replay-monitor") && !before.contains(thread)) {
        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
      }
    }
    assertThat(TestRecordings.temporaryDirectories(recording)).isEmpty();
  }

  @Test
  void an_agent_that_retries_after_the_replay_was_stopped_is_interrupted() throws Exception {
    AtomicLong tries = new AtomicLong();
    ReplayAgent retrying = scope -> {
      while (!Thread.currentThread().isInterrupted()) {
        tries.incrementAndGet();
        try {
          scope.call("read_file", path(2));
        } catch (ReplayMissException | ReplayStoppedException missed) {
          // as an agent that tries again
        }
      }
    };

    ReplayReport report = Replay.of(recording).mode(ReplayMode.MOCK).run(retrying);

    assertThat(tries).hasValue(1_001);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsOnlyKeys("MISS");
    assertThat(report.incomplete())
        .containsExactly("the agent made 1000 requests after the replay was stopped");
    assertThat(report.requests()).isOne();
  }

  @Test
  void an_agent_that_ignores_the_end_of_a_replay_is_not_waited_for() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    ReplayAgent stubborn = scope -> {
      while (!isOver.get()) {
        try {
          scope.call("read_file", path(2));
        } catch (Exception ignored) {
          // as an agent that tries again
        }
      }
    };
    Replay replay = Replay.of(recording).mode(ReplayMode.MOCK);
    replay.grace = Duration.ofMillis(1);

    ReplayReport report = replay.run(stubborn);

    isOver.set(true);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.failure()).hasMessageContaining("did not return");
  }

  @Test
  void a_replay_runs_once() throws Exception {
    Path out = directory.resolve("out");
    Replay replay = Replay.of(recording).mode(ReplayMode.MOCK);
    replay.run(agent);

    assertThatIllegalStateException()
        .isThrownBy(() -> replay.directory(out).run(agent))
        .withMessageContaining("a replay runs once");
    assertThat(out).doesNotExist();
  }

  @Test
  void a_ledger_is_never_overwritten() throws Exception {
    Path out = Files.createDirectory(directory.resolve("out"));
    Path ledger = Files.writeString(out.resolve(Replay.LEDGER_NAME), "{}\n");

    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(
            () -> Replay.of(recording).mode(ReplayMode.MOCK).directory(out).run(agent));
    assertThat(ledger).hasContent("{}\n");
    assertThat(out.resolve("REPLAY.jsonl")).doesNotExist();
  }
}
