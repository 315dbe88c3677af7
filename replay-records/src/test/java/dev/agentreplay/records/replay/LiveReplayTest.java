package dev.agentreplay.records.replay;

import static dev.agentreplay.records.internal.ThreeRounds.RECORD;
import static dev.agentreplay.records.internal.ThreeRounds.echo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.agents.AgentRunner;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.agents.RoundContext;
import dev.agentreplay.records.agents.RoundMessages;
import dev.agentreplay.records.internal.ThreeRounds;
import dev.agentreplay.records.replay.SessionReplayListener.Progress;
import dev.agentreplay.records.replay.SessionReplayRefusedException.Reason;
import dev.agentreplay.records.store.RecordCheck;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replays whose agents run, from the check of the inputs to the verdict. */
@Timeout(60)
class LiveReplayTest {

  private static final SessionRecord WITHOUT_STRANGER = withoutStranger();

  /** The record without the message of a sender that no agent replays. */
  private static SessionRecord withoutStranger() {
    return RECORD
        .withTrace(RECORD
            .trace()
            .withRounds(RECORD.trace().rounds().stream()
                .map(round -> new Round(
                    round.roundNumber(),
                    round.startedAt(),
                    round.endedAt(),
                    round.messages().stream()
                        .filter(message -> !message.from().equals("Ghost"))
                        .toList(),
                    null,
                    round.durationMillis(),
                    round.extra()))
                .toList()))
        .withOutputs(RECORD.outputs().withFinalArtifactHash(RecordHash.ofContent("# A")));
  }

  private static SessionReplay of(AgentRunner agents) {
    return SessionReplay.of(WITHOUT_STRANGER).texts(ThreeRounds.texts()).agents(agents);
  }

  /** Agents that repeat their messages and the artifact. */
  private static RoundMessages repeat(RoundContext context)
      throws IOException, InterruptedException {
    return echo().round(context).withArtifact("# A");
  }

  @Test
  void agents_that_repeat_their_messages_match() throws Exception {
    for (Feed feed : Feed.values()) {
      SessionReplayResult result = of(LiveReplayTest::repeat).feed(feed).run();

      assertThat(result.failure()).isNull();
      assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
      assertThat(result.divergences()).isEmpty();
      assertThat(result.report().similarity().percentage()).isEqualTo(100);
    }
  }

  @Test
  void messages_of_operators_are_inputs_although_their_kickoff_or_interventions_are_not_replayed()
      throws Exception {
    SessionReplayResult part = of(LiveReplayTest::repeat).rounds(1, 2).run();
    SessionReplayResult skipped =
        of(LiveReplayTest::repeat).onInterventions(OnInterventions.SKIP).run();

    assertThat(part.divergences()).isEmpty();
    assertThat(skipped.divergences()).isEmpty();
    assertThat(skipped.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
  }

  @Test
  void agents_that_run_free_need_the_texts_of_the_inputs_only() throws Exception {
    RecordTexts all = ThreeRounds.texts();
    RecordTexts inputs = RecordTexts.of(List.of("Why?", "Noted", "A paper", "Done"));
    RecordTexts lacking = RecordTexts.of(List.of("Why?", "Noted", "Done"));

    assertThat(
            of(LiveReplayTest::repeat).texts(inputs).feed(Feed.REPLAYED).run().failure())
        .isNull();
    assertRefused(of(LiveReplayTest::repeat).texts(lacking).feed(Feed.REPLAYED), Reason.TEXTS);
    assertRefused(of(LiveReplayTest::repeat).texts(inputs), Reason.TEXTS);
    assertRefused(
        of(LiveReplayTest::repeat).texts(inputs).feed(Feed.REPLAYED).rounds(1, 2), Reason.TEXTS);
    assertThat(of(LiveReplayTest::repeat).texts(all).run().failure()).isNull();
  }

  @Test
  void replay_whose_cost_is_not_known_is_refused_before_anything_runs() {
    AtomicInteger rounds = new AtomicInteger();
    ReplayBudget budget = ReplayBudget.unlimited().withMoney(BigDecimal.ONE, Prices.NONE);

    assertRefused(
        of(context -> {
              rounds.incrementAndGet();
              return repeat(context);
            })
            .budget(budget),
        Reason.BUDGET);
    assertThat(rounds).hasValue(0);
  }

  private static void assertRefused(SessionReplay replay, Reason reason) {
    assertThatExceptionOfType(SessionReplayRefusedException.class)
        .isThrownBy(replay::run)
        .extracting(SessionReplayRefusedException::reason)
        .isEqualTo(reason);
  }

  @Test
  void failing_listener_of_the_inputs_does_not_affect_the_replay() throws Exception {
    SessionReplayResult result = of(LiveReplayTest::repeat)
        .listener(new SessionReplayListener() {
          @Override
          public void inputs(List<InputDifference> differences) {
            throw new IllegalStateException("a listener that fails");
          }
        })
        .run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
  }

  @Test
  void listeners_get_the_progress_of_each_round_although_one_of_them_fails() throws Exception {
    List<Progress> seen = new CopyOnWriteArrayList<>();
    SessionReplayResult result = of(LiveReplayTest::repeat)
        .listener(new SessionReplayListener() {
          @Override
          public void progress(Progress progress) {
            throw new IllegalStateException("a listener that fails");
          }
        })
        .listener(new SessionReplayListener() {
          @Override
          public void progress(Progress progress) {
            seen.add(progress);
          }
        })
        .rounds(1, 2)
        .run();

    assertThat(result.failure()).isNull();
    assertThat(seen)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("elapsed")
        .containsSubsequence(
            new Progress(1, 0, 2, 0, Duration.ZERO), new Progress(2, 1, 2, 2, Duration.ZERO));
    assertThat(seen).extracting(Progress::elapsed).noneMatch(Duration::isNegative);
  }

  @Test
  void replay_whose_agents_fail_is_incomplete_and_has_its_completed_rounds() throws Exception {
    SessionReplayResult result = of(context -> {
          if (context.roundNumber() == 1) {
            throw new IOException("the connection was lost");
          }
          return repeat(context);
        })
        .run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.INCOMPLETE);
    assertThat(result.isAborted()).isFalse();
    assertThat(result.report().progress().roundsCompleted()).isEqualTo(1);
    assertThat(result.failure()).isEqualTo("round 1: the connection was lost");
  }

  @Test
  void record_of_a_replay_is_consistent() throws Exception {
    for (Feed feed : Feed.values()) {
      AtomicInteger seconds = new AtomicInteger();
      SessionReplayResult result = of(LiveReplayTest::repeat)
          .feed(feed)
          .clock(() -> ThreeRounds.START.plusSeconds(seconds.incrementAndGet()))
          .run();

      SessionRecord replayed = result.replayed();
      assertThat(replayed).isNotNull();
      assertThat(RecordCheck.of(replayed, result.replayedTexts()).problems()).isEmpty();
      assertThat(replayed.isReplayable()).isTrue();
    }
  }
}
