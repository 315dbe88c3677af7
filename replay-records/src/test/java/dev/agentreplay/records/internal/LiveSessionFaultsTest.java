package dev.agentreplay.records.internal;

import static dev.agentreplay.records.internal.ThreeRounds.echo;
import static dev.agentreplay.records.internal.ThreeRounds.recorded;
import static dev.agentreplay.records.internal.ThreeRounds.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.agents.AgentRunner;
import dev.agentreplay.records.agents.RoundContext;
import dev.agentreplay.records.agents.RoundMessages;
import dev.agentreplay.records.agents.RoundTimeouts;
import dev.agentreplay.records.agents.SentMessage;
import dev.agentreplay.records.internal.ProgressReceiver.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Agents that fail, hang, send what they must not, or are aborted. */
@Timeout(60)
class LiveSessionFaultsTest {

  private static final RoundTimeouts SHORT =
      RoundTimeouts.defaults().withRound(Duration.ofSeconds(2));

  /** The time after which agents that ignore an interrupt are abandoned. */
  private static final Duration GRACE = Duration.ofMillis(200);

  private final CountDownLatch never = new CountDownLatch(1);

  /** Agents that fail in round 1. */
  private static AgentRunner inRound1(AgentRunner agents) {
    return context ->
        context.roundNumber() == 1 ? agents.round(context) : echo().round(context);
  }

  private RoundMessages hang(CountDownLatch started) throws InterruptedException {
    started.countDown();
    never.await();
    return RoundMessages.of(List.of());
  }

  private static void assertStoppedInRound1(ReplayedSession session, String failure) {
    assertThat(session.failure()).isEqualTo(failure);
    assertThat(session.completedRounds()).isEqualTo(1);
    assertThat(session.record().trace().rounds())
        .extracting(Round::roundNumber)
        .containsExactly(0L);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new IOException("no network"), "no network"),
        Arguments.of(new IOException(), "java.io.IOException"),
        Arguments.of(
            new IllegalStateException("no key"), "java.lang.IllegalStateException: no key"),
        Arguments.of(new StackOverflowError(), "java.lang.StackOverflowError"),
        Arguments.of(new InterruptedException(), "java.lang.InterruptedException"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void exception_of_agents_ends_the_replay(Throwable thrown, String message) throws Exception {
    ReplayedSession session = replay(inRound1(context -> {
          throw LiveSessionFaultsTest.<RuntimeException>unchecked(thrown);
        }))
        .run();

    assertStoppedInRound1(session, "round 1: " + message);
    assertThat(session.aborted()).isFalse();
  }

  @SuppressWarnings("unchecked") // to throw any exception, as agents in other languages do
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void agents_that_return_null_have_failed() throws Exception {
    assertStoppedInRound1(
        replay(inRound1(context -> null)).run(),
        "round 1: java.lang.NullPointerException: the agents returned null");
  }

  static Stream<Arguments> wrongMessages() {
    return Stream.of(
        Arguments.of(
            SentMessage.of("Ghost", Type.DELTA, "x"),
            "from: expected an agent of the roster (Blue, Green, Red), found \"Ghost\""),
        Arguments.of(
            SentMessage.of("Olga", Type.ADMIN, "x"),
            "from: expected an agent of the roster (Blue, Green, Red), found \"Olga\""),
        Arguments.of(
            SentMessage.of("Blue", Type.KICKOFF, "x"),
            "type: expected a message of an agent, found KICKOFF, which only opens a session"),
        Arguments.of(
            new SentMessage("Blue", Type.DELTA, null, null, null),
            "text: expected a text, found none"),
        Arguments.of(
            SentMessage.of("Blue", Type.DELTA, "a\ud800"),
            "text: text has a lone surrogate U+D800 at index 1"),
        Arguments.of(
            SentMessage.of("Blue", Type.DELTA, "a").withSubject("\udc00"),
            "subject: text has a lone surrogate U+DC00 at index 0"));
  }

  @ParameterizedTest
  @MethodSource("wrongMessages")
  void message_that_no_agent_may_send_ends_the_replay(SentMessage wrong, String message)
      throws Exception {
    ReplayedSession session = replay(inRound1(
            context -> RoundMessages.of(List.of(SentMessage.of("Red", Type.DELTA, "fine"), wrong))))
        .run();

    assertStoppedInRound1(session, "round 1: messages[1]." + message);
  }

  @Test
  void artifact_without_a_utf_8_form_ends_the_replay() throws Exception {
    assertStoppedInRound1(
        replay(inRound1(context -> RoundMessages.of(List.of()).withArtifact("\ud800")))
            .run(),
        "round 1: artifact: text has a lone surrogate U+D800 at index 0");
  }

  @Test
  @Tag("slow")
  void agents_that_hang_are_interrupted_at_the_time_out_of_the_round() throws Exception {
    CompletableFuture<Throwable> interrupted = new CompletableFuture<>();
    ReplayedSession session = replay(inRound1(context -> {
          interrupted.complete(catchThrowable(() -> hang(new CountDownLatch(1))));
          throw new InterruptedException();
        }))
        .timeouts(SHORT)
        .run();

    assertStoppedInRound1(
        session, "round 1: the agents did not finish in 2 s, the time-out of a round");
    assertThat(interrupted.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
  }

  @Test
  @Tag("slow")
  void agents_that_ignore_the_interrupt_are_abandoned_and_their_messages_do_not_count()
      throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicReference<Thread> thread = new AtomicReference<>();
    ReplayedSession session = replay(inRound1(context -> {
          thread.set(Thread.currentThread());
          while (release.getCount() > 0) {
            try {
              release.await();
            } catch (InterruptedException ignored) {
              // as agents that do not keep to the rules
            }
          }
          return RoundMessages.of(recorded(1));
        }))
        .timeouts(SHORT)
        .run(GRACE, Duration.ofHours(1));

    assertStoppedInRound1(
        session,
        "round 1: the agents did not finish in 2 s, the time-out of a round;"
            + " they ignored the interrupt for 0.2 s and were abandoned");
    assertThat(thread.get().isDaemon()).isTrue();
    release.countDown();
    thread.get().join();
    assertThat(session.record().trace().rounds()).hasSize(1);
  }

  @Test
  @Tag("slow")
  void time_out_of_the_replay_ends_the_round_that_runs() throws Exception {
    ReplayedSession session = replay(inRound1(context -> hang(new CountDownLatch(1))))
        .timeouts(RoundTimeouts.defaults().withOverall(Duration.ofSeconds(2)))
        .run();

    assertStoppedInRound1(
        session, "round 1: the agents did not finish in 2 s, the time-out of the replay");
  }

  @Test
  void no_round_starts_after_the_time_out_of_the_replay() throws Exception {
    ReplayedSession session = replay(echo())
        .timeouts(RoundTimeouts.defaults().withOverall(Duration.ofNanos(1)))
        .run();

    assertThat(session.completedRounds()).isZero();
    assertThat(session.failure())
        .isEqualTo("round 0: the agents did not finish in 0 s, the time-out of the replay");
  }

  @Test
  void abort_during_a_round_interrupts_the_agents() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    LiveRun replay = replay(inRound1(context -> hang(started)));
    Thread aborting = new Thread(() -> {
      assertThat(catchThrowable(started::await)).isNull();
      replay.abort("the user pressed Ctrl-C");
    });
    aborting.start();

    ReplayedSession session = replay.run();

    assertStoppedInRound1(session, "round 1: aborted: the user pressed Ctrl-C");
    assertThat(session.aborted()).isTrue();
    aborting.join();
  }

  @Test
  void abort_between_rounds_or_before_the_replay_starts_no_round() throws Exception {
    LiveRun between = replay(echo());
    between.receiver(progress -> {
      if (progress.round() == 1) {
        between.abort("enough");
      }
    });
    LiveRun before = replay(echo());
    before.abort("too late");

    assertStoppedInRound1(between.run(), "round 1: aborted: enough");
    ReplayedSession session = before.run();
    assertThat(session.failure()).isEqualTo("round 0: aborted: too late");
    assertThat(session.aborted()).isTrue();
  }

  @Test
  void interrupt_of_the_caller_interrupts_the_agents() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<Throwable> ofAgents = new CompletableFuture<>();
    CompletableFuture<Throwable> ofCaller = new CompletableFuture<>();
    LiveRun replay = replay(context -> {
      ofAgents.complete(catchThrowable(() -> hang(started)));
      throw new InterruptedException();
    });
    Thread caller = new Thread(() -> ofCaller.complete(catchThrowable(() -> replay.run())));
    caller.start();
    started.await();

    caller.interrupt();

    assertThat(ofCaller.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(ofAgents.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
  }

  @Test
  void agents_that_fail_at_the_end_leave_the_replay_incomplete() throws Exception {
    AgentRunner agents = new AgentRunner() {
      @Override
      public RoundMessages round(RoundContext context) throws IOException, InterruptedException {
        return echo().round(context);
      }

      @Override
      public void end() throws IOException {
        throw new IOException("its exit code is 3");
      }
    };
    ReplayedSession session = replay(agents).run();

    assertThat(session.failure()).isEqualTo("after the last round: its exit code is 3");
    assertThat(session.completedRounds()).isEqualTo(3);
  }

  @Test
  void receivers_get_the_start_of_each_round_although_one_of_them_fails() throws Exception {
    List<Progress> seen = new CopyOnWriteArrayList<>();
    LiveRun replay = replay(echo())
        .receiver(progress -> {
          throw new IllegalStateException("a receiver that fails");
        })
        .receiver(seen::add);
    ReplayedSession session = replay.run();

    assertThat(session.failure()).isNull();
    assertThat(seen).extracting(Progress::round).containsExactly(0L, 1L, 2L);
    assertThat(seen).extracting(Progress::completed).containsExactly(0L, 1L, 2L);
    assertThat(seen).extracting(Progress::messages).containsExactly(0L, 2L, 4L);
    assertThat(seen).extracting(Progress::expected).containsOnly(3L);
  }

  @Test
  void receivers_get_the_progress_while_a_round_runs() throws Exception {
    CountDownLatch seen = new CountDownLatch(3);
    LiveRun replay = replay(context -> {
          seen.await();
          return RoundMessages.of(List.of());
        })
        .rounds(1, 1)
        .receiver(progress -> {
          assertThat(progress.round()).isEqualTo(1);
          seen.countDown();
        });
    ReplayedSession session = replay.run(Duration.ofSeconds(5), Duration.ofMillis(10));

    assertThat(session.failure()).isNull();
  }

  @Test
  void receiver_that_does_not_return_does_not_stop_the_replay() throws Exception {
    LiveRun replay = replay(echo()).receiver(progress -> {
      assertThat(catchThrowable(never::await)).isInstanceOf(InterruptedException.class);
    });

    assertThat(replay.run(GRACE, Duration.ofHours(1)).completedRounds()).isEqualTo(3);
  }
}
