package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.awaitWaiting;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.io.session.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replays that are paused, stepped and aborted from other threads. */
@Timeout(60)
class ReplayControlTest {

  private static final int EXCHANGES = 6;

  @TempDir
  Path directory;

  private Session session;
  private final ReplayControl control = new ReplayControl();
  private final Semaphore exchanged = new Semaphore(0);
  private final AtomicReference<Thread> agentThread = new AtomicReference<>();

  /** Calls one tool for each exchange. */
  private final ReplayAgent agent = scope -> {
    agentThread.set(Thread.currentThread());
    for (int i = 0; i < EXCHANGES; i++) {
      scope.call("read_file", TestRecordings.path(i));
    }
  };

  @BeforeEach
  void record() throws Exception {
    session = TestRecordings.record(
        directory.resolve("recorded"),
        agent,
        Executors.none().withTool("read_file", TestRecordings.echo()));
  }

  private Replay mock(ReplayControl own) {
    return Replay.of(session).mode(ReplayMode.MOCK).control(own);
  }

  private static ReplayListener after(Runnable action) {
    return new ReplayListener() {
      @Override
      public void exchange(LedgerEntry entry) {
        action.run();
      }
    };
  }

  private static void inOtherThread(Runnable action) {
    CompletableFuture.runAsync(action).join();
  }

  @Test
  void an_abort_at_each_exchange_leaves_a_partial_report() throws Exception {
    byte[] before = Files.readAllBytes(session.log());
    for (int exchanges = 1; exchanges <= EXCHANGES; exchanges++) {
      ReplayControl own = new ReplayControl();
      int last = exchanges;
      ReplayListener aborting = new ReplayListener() {
        @Override
        public void exchange(LedgerEntry entry) {
          if (entry.number() == last) {
            inOtherThread(() -> own.abort("that is enough"));
          }
        }
      };
      Path out = directory.resolve("aborted-" + exchanges);

      ReplayReport report = mock(own).listener(aborting).directory(out).run(agent);

      assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
      assertThat(report.incomplete()).containsExactly("that is enough");
      assertThat(report.divergences()).isEmpty();
      assertThat(report.exchanges())
          .isEqualTo(new ReplayReport.ExchangeCounts(EXCHANGES, last, 0, EXCHANGES - last));
      assertThat(report.requests()).isEqualTo(last);
      requireClosedCounts(report);
      assertThat(TestRecordings.ledger(out)).hasSize(last);
    }
    assertThat(Files.readAllBytes(session.log())).isEqualTo(before);
  }

  @Test
  void an_abort_before_the_start_lets_no_request_through() throws Exception {
    control.abort("never");
    control.abort("later");

    ReplayReport report = mock(control).run(agent);

    assertThat(report.incomplete()).containsExactly("never");
    assertThat(report.requests()).isZero();
    assertThat(report.failure()).isInstanceOf(ReplayStoppedException.class);
  }

  @Test
  void an_abort_before_the_start_starts_no_agent() throws Exception {
    AtomicBoolean isStarted = new AtomicBoolean();
    control.abort("never");

    ReplayReport report = mock(control).run(scope -> isStarted.set(true));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(isStarted).isFalse();
  }

  @Test
  void a_paused_replay_continues_after_each_exchange_only_when_it_is_resumed() throws Exception {
    ReplayListener pausing = after(() -> {
      control.pause();
      exchanged.release();
    });
    CompletableFuture<ReplayReport> report = inBackground(mock(control).listener(pausing));

    for (int exchange = 1; exchange < EXCHANGES; exchange++) {
      exchanged.acquire();
      awaitWaiting(agentThread.get());
      assertThat(control.isPaused()).isTrue();
      assertThat(exchanged.availablePermits()).isZero();
      control.resume();
    }

    assertThat(report.get().verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.get().exchanges().served()).isEqualTo(EXCHANGES);
  }

  @Test
  void a_step_lets_one_exchange_through() throws Exception {
    control.pause();
    ReplayListener counting = after(exchanged::release);
    CompletableFuture<ReplayReport> report = inBackground(mock(control).listener(counting));

    for (int exchange = 1; exchange < EXCHANGES; exchange++) {
      control.step();
      exchanged.acquire();
      awaitWaiting(agentThread.get());
      assertThat(exchanged.availablePermits()).isZero();
    }
    control.step();

    assertThat(report.get().verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(control.isPaused()).isTrue();
  }

  @Test
  void an_abort_ends_a_pause_on_all_threads() throws Exception {
    control.pause();
    List<Thread> threads = new ArrayList<>();
    List<CompletableFuture<Object>> results = new ArrayList<>();
    try (ActiveReplay replay = mock(control).start()) {
      for (int i = 0; i < EXCHANGES; i++) {
        int number = i;
        CompletableFuture<Object> result = new CompletableFuture<>();
        results.add(result);
        threads.add(new Thread(() -> {
          try {
            result.complete(replay.scope().call("read_file", TestRecordings.path(number)));
          } catch (Exception e) {
            result.complete(e);
          }
        }));
      }
      threads.forEach(Thread::start);
      threads.forEach(TestRecordings::awaitWaiting);

      control.abort("no more");

      for (CompletableFuture<Object> result : results) {
        assertThat(result.get()).isInstanceOf(ReplayStoppedException.class);
      }
      ReplayReport report = replay.finish();
      assertThat(report.incomplete()).containsExactly("no more");
      assertThat(report.exchanges().unread()).isEqualTo(EXCHANGES);
    }
  }

  @Test
  void the_end_of_a_replay_ends_a_pause() throws Exception {
    control.pause();
    AtomicReference<Exception> thrown = new AtomicReference<>();
    try (ActiveReplay replay = mock(control).start()) {
      Thread waiting = new Thread(() -> {
        try {
          replay.scope().call("read_file", TestRecordings.path(0));
        } catch (Exception e) {
          thrown.set(e);
        }
      });
      waiting.start();
      awaitWaiting(waiting);

      replay.finish();

      waiting.join();
    }
    assertThat(thrown.get()).isInstanceOf(ReplayStoppedException.class);
  }

  @Test
  void an_abort_interrupts_what_is_executed() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    Replay live = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, TestRecordings.hanging(started))
        .control(control);
    CompletableFuture<ReplayReport> running = inBackground(live);
    started.await();

    control.abort("it hangs");

    ReplayReport report = running.get();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).containsExactly("it hangs");
    assertThat(report.failure()).isInstanceOf(ReplayStoppedException.class);
    assertThat(report.requests()).isOne();
    requireClosedCounts(report);
  }

  @Test
  void an_abort_ends_an_agent_that_waits_after_a_miss() throws Exception {
    CountDownLatch missed = new CountDownLatch(1);
    ReplayAgent waiting = scope -> {
      try {
        scope.call("read_file", TestRecordings.path(99));
      } catch (ReplayMissException e) {
        missed.countDown();
        new CountDownLatch(1).await();
      }
    };
    CompletableFuture<ReplayReport> running = inBackground(mock(control), waiting);
    missed.await();

    control.abort("it waits");

    assertThat(running.get().verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(running.get().divergencesByKind()).containsOnlyKeys("MISS");
  }

  @Test
  void the_overall_time_out_ends_an_agent_that_ignores_the_end_of_a_replay() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    ReplayAgent stubborn = scope -> {
      try {
        scope.call("read_file", TestRecordings.path(99));
      } catch (Exception missed) {
        control.resume(); // the time-out counts from here
      }
      while (ended.getCount() > 0) {
        Thread.onSpinWait();
      }
    };
    control.pause();
    control.step();
    Replay replay =
        mock(control).timeouts(ReplayTimeouts.defaults().withOverall(Duration.ofMillis(1)));
    replay.grace = Duration.ofMillis(1);

    ReplayReport report = replay.run(stubborn);

    ended.countDown();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.incomplete()).first().asString().contains("did not end within 0.001 s");
    assertThat(report.failure()).hasMessageContaining("did not return");
  }

  @Test
  void a_control_is_for_one_replay() throws Exception {
    mock(control).run(agent);

    assertThatThrownBy(() -> mock(control).run(agent))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a replay runs once");
    assertThat(TestRecordings.temporaryDirectories(session)).isEmpty();
  }

  @Test
  void an_interrupt_of_the_caller_aborts_the_replay() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    AtomicReference<Throwable> agentThrew = new AtomicReference<>();
    AtomicReference<Throwable> callerThrew = new AtomicReference<>();
    Thread caller = new Thread(() -> {
      try {
        mock(control).run(scope -> {
          started.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            agentThrew.set(e);
          }
        });
      } catch (Exception e) {
        callerThrew.set(e);
      }
    });
    caller.start();
    started.await();

    caller.interrupt();

    caller.join();
    assertThat(callerThrew.get()).isInstanceOf(InterruptedException.class);
    assertThat(agentThrew.get()).isInstanceOf(InterruptedException.class);
    assertThat(TestRecordings.temporaryDirectories(session)).isEmpty();
  }

  private CompletableFuture<ReplayReport> inBackground(Replay replay) {
    return inBackground(replay, agent);
  }

  private static CompletableFuture<ReplayReport> inBackground(Replay replay, ReplayAgent runs) {
    CompletableFuture<ReplayReport> report = new CompletableFuture<>();
    Thread thread = new Thread(() -> {
      try {
        report.complete(replay.run(runs));
      } catch (Throwable e) {
        report.completeExceptionally(e);
      }
    });
    thread.setDaemon(true);
    thread.start();
    return report;
  }
}
