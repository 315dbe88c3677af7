package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.awaitWaiting;
import static dev.agentreplay.engine.replay.TestRecordings.echo;
import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.record;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests on a thread that is, or was, interrupted. */
@Timeout(60)
class InterruptedAgentTest {

  @TempDir
  Path directory;

  private final AtomicBoolean stayedInterrupted = new AtomicBoolean();

  private final ReplayAgent agent = scope -> {
    scope.call("read", path(1));
    Thread.currentThread().interrupt();
    scope.call("read", path(2));
    stayedInterrupted.set(Thread.interrupted());
  };

  private Session session;

  @BeforeEach
  void record_an_agent_that_is_interrupted() throws Exception {
    session =
        record(directory.resolve("recording"), agent, Executors.none().withTool("read", echo()));
    stayedInterrupted.set(false);
  }

  private Replay mock() {
    return Replay.of(session).mode(ReplayMode.MOCK);
  }

  @Test
  void an_interrupted_thread_gets_its_answer_and_stays_interrupted() throws Exception {
    ReplayReport report = mock().run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(stayedInterrupted).isTrue();
  }

  @Test
  void an_interrupted_thread_executes_a_tool_and_its_check() throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read", Effect.PURE, echo())
        .check("read", params -> List.of())
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(stayedInterrupted).isTrue();
  }

  @Test
  void an_added_request_of_an_interrupted_thread_is_a_miss() throws Exception {
    ReplayReport report = mock().run(scope -> {
      agent.run(scope);
      Thread.currentThread().interrupt();
      try {
        scope.call("read", path(3));
      } catch (Exception swallowed) {
        // as an agent that treats it as the error of a tool
      }
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.missed()).isOne();
    requireClosedCounts(report);
  }

  @Test
  void an_interrupt_during_a_pause_cancels_the_request() throws Exception {
    ReplayControl control = new ReplayControl();
    CountDownLatch isPaused = new CountDownLatch(1);
    Path out = directory.resolve("out");

    ReplayReport report = mock().control(control).directory(out).run(scope -> {
      scope.call("read", path(1));
      Thread waiting = Thread.currentThread();
      Thread other = new Thread(() -> {
        awaitUnchecked(isPaused);
        awaitWaiting(waiting);
        waiting.interrupt();
      });
      other.start();
      control.pause();
      isPaused.countDown();
      try {
        scope.call("read", path(2));
      } catch (InterruptedException swallowed) {
        // as an agent that ignores it
      }
      other.join();
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .containsExactly("1 request cancelled by an interrupt of the agent");
    assertThat(report.divergences()).isEmpty();
    assertThat(report.exchanges().unread()).isOne();
    assertThat(report.requests()).isEqualTo(2);
    requireClosedCounts(report);
    assertThat(TestRecordings.ledger(out))
        .extracting(entry -> entry.at("/result").asString())
        .containsExactly("served", "cancelled");
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
