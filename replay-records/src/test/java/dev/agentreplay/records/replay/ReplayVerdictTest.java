package dev.agentreplay.records.replay;

import static dev.agentreplay.records.replay.TestSession.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.agents.RoundMessages;
import dev.agentreplay.records.replay.MessageDivergence.Kind;
import dev.agentreplay.records.replay.SessionReplayRefusedException.Reason;
import dev.agentreplay.records.store.AlteredTextException;
import dev.agentreplay.records.store.RecordTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Verdicts that would be wrong if a replay compared nothing, or less than it says. */
@Timeout(60)
class ReplayVerdictTest {

  private static final TestSession SESSION = TestSession.example();
  private static final ReplayThresholds ALL = ReplayThresholds.defaults().withSimilarity(100);
  private static final ReplayThresholds ARTIFACT = ReplayThresholds.defaults().withArtifact(80.0);

  private static TestSession ofOneRound(TestSession.Said... messages) {
    return TestSession.of(List.of(List.of(messages)));
  }

  @Test
  void rounds_that_the_record_does_not_have_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SESSION.against(SESSION).rounds(7, 9))
        .withMessage("no round of the record is from 7 to 9; it has rounds from 0 to 1");
  }

  @Test
  void sessions_without_a_message_to_compare_are_undecided() throws Exception {
    TestSession original =
        ofOneRound(said("Boss", Type.KICKOFF, "Begin."), said("Boss", Type.RESULT, "It is so."));
    TestSession other =
        ofOneRound(said("Boss", Type.KICKOFF, "Begin."), said("Boss", Type.RESULT, "It is not."));

    SessionReplayResult result = original.against(other).run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.UNDECIDED);
    assertThat(result.report().matches()).isFalse();
    assertThat(result.report().conclusion())
        .isEqualTo("Not decided: neither session has a message of an agent to compare.");
  }

  @Test
  void texts_that_are_missing_are_undecided_if_they_can_still_be_the_same() throws Exception {
    TestSession other =
        SESSION.with(0, 3, said("Red", Type.CRITIQUE, SESSION.at(0, 3).text() + "\n"));

    SessionReplayResult without = SessionReplay.of(SESSION.record())
        .against(other.record(), RecordTexts.none())
        .thresholds(ALL)
        .run();
    SessionReplayResult with = SESSION.against(other).thresholds(ALL).run();

    assertThat(without.verdict()).isEqualTo(SessionReplayVerdict.UNDECIDED);
    assertThat(with.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
  }

  @Test
  void hashes_that_are_not_sha_256_are_not_called_different() throws Exception {
    SessionRecord record = SESSION.record();
    List<Round> rounds = record.trace().rounds().stream()
        .map(round -> Round.of(
            round.roundNumber(),
            round.startedAt(),
            round.messages().stream()
                .map(message -> new TraceMessage(
                    message.messageId(),
                    message.timestamp(),
                    message.from(),
                    message.type(),
                    new RecordHash("md5"),
                    message.contentLength(),
                    message.subject(),
                    message.acknowledged(),
                    message.extra()))
                .toList()))
        .toList();
    SessionRecord unknown = record.withTrace(record.trace().withRounds(rounds));

    SessionReplayResult result =
        SessionReplay.of(unknown).against(unknown, RecordTexts.none()).run();

    assertThat(result.divergences())
        .hasSize(7)
        .extracting(divergence -> divergence.reported().explanation())
        .containsOnly("undecided: a hash is not a SHA-256, and both texts are missing");
  }

  @Test
  void replay_without_an_artifact_diverges_from_a_threshold_of_artifacts() throws Exception {
    SessionRecord record = SESSION.record();
    SessionRecord other =
        record.withOutputs(record.outputs().withFinalArtifactHash(RecordHash.NONE));

    SessionReplayResult result = SessionReplay.of(record)
        .texts(SESSION.texts())
        .against(other, SESSION.texts())
        .thresholds(ARTIFACT)
        .run();

    assertThat(result.isArtifactCompared()).isTrue();
    assertThat(result.report().similarity().artifact()).isZero();
    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.DIVERGED);
  }

  @Test
  void artifact_of_the_first_rounds_is_the_last_one_compiled_in_them() throws Exception {
    SessionRecord record = SESSION.record();
    List<Round> rounds = record.trace().rounds();
    RecordHash first = RecordHash.ofContent("first");
    SessionRecord original = record.withTrace(record
        .trace()
        .withRounds(List.of(rounds.get(0).withCompiledArtifactHash(first), rounds.get(1))));
    SessionRecord stopped = original
        .withTrace(original.trace().withRounds(original.trace().rounds().subList(0, 1)))
        .withOutputs(original.outputs().withFinalArtifactHash(first));

    SessionReplayResult result = SessionReplay.of(original)
        .texts(SESSION.texts())
        .against(stopped, SESSION.texts())
        .rounds(0, 0)
        .thresholds(ARTIFACT)
        .run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
    assertThat(result.report().similarity().artifact()).isEqualTo(100);
  }

  @Test
  void altered_artifact_is_reported_and_no_trace_matches_with_it() throws Exception {
    RecordHash artifact = RecordHash.ofContent(SESSION.artifact());
    RecordTexts altered = hash -> {
      if (hash.equals(artifact)) {
        throw new AlteredTextException("content/" + hash, hash);
      }
      return SESSION.texts().text(hash);
    };

    SessionReplayResult trace =
        SessionReplay.of(SESSION.record()).texts(altered).trace();
    SessionReplayResult verified = SessionReplay.of(SESSION.record())
        .texts(altered)
        .against(SESSION.record(), SESSION.texts())
        .run();

    assertThat(trace.verdict()).isEqualTo(SessionReplayVerdict.DIVERGED);
    assertThat(trace.report().conclusion())
        .endsWith("match their hashes. 1 more text was altered that no message shown has.");
    for (SessionReplayResult result : List.of(trace, verified)) {
      assertThat(result.inputs())
          .extracting(InputDifference::name)
          .containsExactly("outputs.final_artifact_hash");
    }
  }

  @Test
  void different_messages_of_operators_are_inputs_that_differ() throws Exception {
    TestSession other = SESSION
        .with(0, 0, said("Operator", Type.KICKOFF, "A different question?"))
        .with(1, 4);
    SessionReplay replay = SESSION.against(other);

    SessionReplayResult result = replay.run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
    assertThat(result.inputs())
        .extracting(InputDifference::name)
        .containsExactly("round 0, KICKOFF of Operator", "round 1, PUBLISH of Operator");
    assertThatExceptionOfType(SessionReplayRefusedException.class)
        .isThrownBy(() -> SESSION.against(other).onInputs(OnInputs.REFUSE).run())
        .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.INPUTS));
  }

  @Test
  void altered_text_of_an_input_is_missing_in_the_record_of_a_replay() throws Exception {
    RecordHash kickoff = RecordHash.ofContent(SESSION.at(0, 0).text());
    RecordTexts altered = hash -> {
      if (hash.equals(kickoff)) {
        throw new AlteredTextException("content/" + hash, hash);
      }
      return SESSION.texts().text(hash);
    };

    SessionReplayResult result = SessionReplay.of(SESSION.record())
        .texts(altered)
        .agents(context -> RoundMessages.of(List.of()))
        .force(true)
        .run();

    assertThat(result.replayedTexts().text(kickoff)).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"ORDER", "SENDER", "ROUND"})
  void white_space_does_not_hide_that_a_message_is_the_same(Kind kind) throws Exception {
    TestSession.Said message = SESSION.at(1, 0);
    String text = message.text() + "\n";
    TestSession.Said same = said("Blue", message.type(), text);
    TestSession without = SESSION.with(1, 0);
    TestSession other =
        switch (kind) {
          case ORDER -> without.with(1, 0, SESSION.at(1, 1), same);
          case SENDER -> SESSION.with(1, 0, said("Green", message.type(), text));
          default -> without.with(0, 4, SESSION.at(0, 4), same);
        };

    SessionReplayResult result = SESSION.against(other).run();

    assertThat(result.divergences()).singleElement().satisfies(divergence -> {
      assertThat(divergence.kind()).isEqualTo(kind);
      assertThat(divergence.measure()).isEqualTo(MessageMeasure.NORMALIZED);
    });
  }

  @Test
  void abort_of_a_replay_that_only_compares_makes_it_incomplete() throws Exception {
    SessionReplay replay = SESSION.against(SESSION);
    replay.abort("by the user");

    SessionReplayResult result = replay.run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.INCOMPLETE);
    assertThat(result.isAborted()).isTrue();
    assertThat(result.failure()).isEqualTo("aborted: by the user");
  }

  @Test
  void abort_interrupts_a_judge_and_the_rest_is_compared_without_it() throws Exception {
    TestSession other = SESSION
        .with(0, 1, said("Blue", Type.DELTA, "Hypothesis: none."))
        .with(1, 3, said("Red", Type.CRITIQUE, "No sample."));
    SessionReplay replay = SESSION.against(other);
    AtomicInteger judged = new AtomicInteger();
    replay.comparedBy(MessageRules.defaults().withJudge(texts -> {
      judged.incrementAndGet();
      replay.abort("by the user");
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException("interrupted");
    }));

    SessionReplayResult result = replay.run();

    assertThat(judged).hasValue(1);
    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.INCOMPLETE);
    assertThat(result.isAborted()).isTrue();
    assertThat(result.report().progress().messagesMatched()).isEqualTo(5);
  }

  @Test
  void judge_that_returns_nothing_leaves_a_message_undecided() throws Exception {
    TestSession other = SESSION.with(0, 1, said("Blue", Type.DELTA, "Hypothesis: none."));

    SessionReplayResult result = SESSION
        .against(other)
        .comparedBy(MessageRules.defaults().withJudge(texts -> null))
        .run();

    assertThat(result.divergences()).singleElement().satisfies(divergence -> {
      assertThat(divergence.kind()).isEqualTo(Kind.UNDECIDED);
      assertThat(divergence.reported().explanation()).contains("the judge returned null");
    });
  }

  @Test
  void a_session_whose_messages_are_all_in_a_different_round_diverges() throws Exception {
    List<TestSession.Said> messages = SESSION.rounds().get(0);
    TestSession first = TestSession.of(List.of(messages, List.of()));
    TestSession second = TestSession.of(List.of(List.of(), messages));

    SessionReplayResult result = first.against(second).run();

    assertThat(result.divergences()).extracting(MessageDivergence::kind).containsOnly(Kind.ROUND);
    assertThat(result.report().similarity().percentage()).isEqualTo(50);
    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.DIVERGED);
  }

  @Test
  void inputs_that_only_the_replay_has_are_in_the_alignment() throws Exception {
    TestSession other =
        SESSION.with(0, 1, said("Operator", Type.ADMIN, "Hurry."), SESSION.at(0, 1));

    SessionReplayResult result = SESSION.against(other).run();

    assertThat(result.divergences()).isEmpty();
    assertThat(result.alignment().stream().filter(MessagePair::isInput))
        .hasSize(4)
        .filteredOn(pair -> pair.original() == null)
        .hasSize(1);
  }

  @Test
  void agents_with_one_name_are_reported() throws Exception {
    List<AgentRosterEntry> roster = new ArrayList<>(SESSION.roster());
    roster.add(AgentRosterEntry.of("Blue", Role.TEST_DESIGNER, "program", "model"));
    TestSession session = SESSION.withRoster(roster);

    assertThat(session.against(session).run().inputs())
        .extracting(InputDifference::message)
        .contains(
            "agent_roster[Blue]: the recorded session has several agents with this name",
            "agent_roster[Blue]: the replay has several agents with this name");
  }
}
