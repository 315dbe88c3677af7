package dev.agentreplay.records.internal;

import static dev.agentreplay.records.internal.ThreeRounds.BLUE;
import static dev.agentreplay.records.internal.ThreeRounds.NOW;
import static dev.agentreplay.records.internal.ThreeRounds.RECORD;
import static dev.agentreplay.records.internal.ThreeRounds.RED;
import static dev.agentreplay.records.internal.ThreeRounds.echo;
import static dev.agentreplay.records.internal.ThreeRounds.recorded;
import static dev.agentreplay.records.internal.ThreeRounds.replay;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.agents.AgentRunner;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.agents.RoundContext;
import dev.agentreplay.records.agents.RoundMessages;
import dev.agentreplay.records.agents.SentMessage;
import dev.agentreplay.records.store.AlteredTextException;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The messages that agents are given, and the record of those that they send. */
@Timeout(60)
class LiveSessionTest {

  private final List<RoundContext> contexts = new ArrayList<>();

  private RoundMessages keep(RoundContext context) {
    contexts.add(context);
    return RoundMessages.of(recorded(context.roundNumber()));
  }

  private String given() {
    return contexts.stream().map(LiveSessionTest::describe).collect(Collectors.joining());
  }

  private static String describe(RoundContext context) {
    StringBuilder text = new StringBuilder("round " + context.roundNumber() + "\n");
    text.append("  given: ").append(describe(context.given())).append('\n');
    for (RoundContext.Turn turn : context.turns()) {
      text.append("  %s %s after: %s%n"
          .formatted(turn.agent().agentName(), turn.type(), describe(turn.before())));
    }
    context
        .interventions()
        .forEach(each -> text.append("  intervention: ").append(each.id()).append('\n'));
    return text.toString();
  }

  private static String describe(List<SentMessage> messages) {
    return messages.stream()
        .map(message -> message.from() + " \"" + message.text() + '"')
        .collect(Collectors.joining(", "));
  }

  @Test
  void recorded_feed_gives_each_message_once_and_before_the_turns_that_follow_it()
      throws Exception {
    replay(this::keep).run();

    assertThat(given())
        .isEqualTo(
            """
            round 0
              given:\s
              Blue DELTA after: Olga "Why?"
              Red CRITIQUE after: Blue "H1"
              intervention: INT-RS1-001
            round 1
              given: Red "H1 is vague", Blue "Noted"
              Green DELTA after: Omar "A paper"
              Blue DELTA after: Green "T1", Ghost "A stranger"
              intervention: INT-RS1-002
            round 2
              given: Blue "H2"
              Red CRITIQUE after:\s
              Green COMPILE after: Red "H2 is bold"
              intervention: INT-RS1-003
            """);
  }

  @Test
  void replayed_feed_gives_the_messages_of_the_round_before_and_the_inputs_before_its_end()
      throws Exception {
    replay(context -> {
          contexts.add(context);
          String text = "New " + context.roundNumber();
          return RoundMessages.of(List.of(SentMessage.of("Red", TraceMessage.Type.DELTA, text)));
        })
        .feed(Feed.REPLAYED)
        .run();

    assertThat(given())
        .isEqualTo(
            """
            round 0
              given: Olga "Why?"
              intervention: INT-RS1-001
            round 1
              given: Red "New 0", Blue "Noted", Omar "A paper"
              intervention: INT-RS1-002
            round 2
              given: Red "New 1"
              intervention: INT-RS1-003
            """);
  }

  @Test
  void first_round_that_runs_is_given_everything_before_it() throws Exception {
    ReplayedSession session = replay(this::keep).rounds(2, 2).run();

    assertThat(given())
        .isEqualTo(
            """
            round 2
              given: Olga "Why?", Blue "H1", Red "H1 is vague", Blue "Noted", Omar "A paper",\
             Green "T1", Ghost "A stranger", Blue "H2"
              Red CRITIQUE after:\s
              Green COMPILE after: Red "H2 is bold"
              intervention: INT-RS1-001
              intervention: INT-RS1-002
              intervention: INT-RS1-003
            """);
    assertThat(session.completedRounds()).isEqualTo(1);
    assertThat(session.record().trace().rounds())
        .extracting(Round::roundNumber)
        .containsExactly(2L);
  }

  @Test
  void rounds_after_the_last_one_do_not_run() throws Exception {
    ReplayedSession session = replay(this::keep).rounds(0, 1).run();

    assertThat(contexts).extracting(RoundContext::roundNumber).containsExactly(0L, 1L);
    assertThat(session.completedRounds()).isEqualTo(2);
    assertThat(session.failure()).isNull();
  }

  @Test
  void interventions_are_not_given_if_they_are_skipped() throws Exception {
    ReplayedSession session =
        replay(this::keep).onInterventions(OnInterventions.SKIP).run();

    assertThat(contexts).allSatisfy(each -> assertThat(each.interventions()).isEmpty());
    assertThat(session.record().trace().interventions()).isEmpty();
  }

  @Test
  void agents_of_another_roster_run_in_the_turns_of_their_role() throws Exception {
    AgentRosterEntry pink = AgentRosterEntry.of("Pink", RED.role(), "codex-cli", "gpt-6");
    AgentRosterEntry navy = AgentRosterEntry.of("Navy", BLUE.role(), "codex-cli", "gpt-6");
    SessionInputs inputs = RECORD.inputs().withAgentRoster(List.of(pink, navy));

    ReplayedSession session = replay(context -> {
          contexts.add(context);
          return RoundMessages.of(context.turns().stream()
              .map(turn -> SentMessage.of(turn.agent().agentName(), turn.type(), "Mine"))
              .toList());
        })
        .comparison(inputs)
        .run();

    assertThat(contexts)
        .extracting(context ->
            context.turns().stream().map(turn -> turn.agent().agentName()).toList())
        .containsExactly(List.of("Navy", "Pink"), List.of("Navy"), List.of("Pink"));
    assertThat(contexts.get(0).inputs()).isEqualTo(inputs);
    assertThat(session.failure()).isNull();
    assertThat(session.record().inputs().agentRoster()).containsExactly(pink, navy);
  }

  @Test
  void record_of_agents_that_repeat_themselves_has_the_recorded_messages() throws Exception {
    ReplayedSession session = replay(echo()).run();

    assertThat(session.failure()).isNull();
    assertThat(session.aborted()).isFalse();
    assertThat(session.completedRounds()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      List<TraceMessage> replayed = session.record().trace().rounds().get(i).messages();
      List<TraceMessage> original = RECORD.trace().rounds().get(i).messages().stream()
          .filter(message -> !message.from().equals("Ghost"))
          .toList();
      assertThat(replayed)
          .usingRecursiveComparison()
          .ignoringFields("timestamp")
          .isEqualTo(original);
    }
    assertThat(session.record().problems()).isEmpty();
    assertThat(session.record().sessionId()).isEqualTo("RS1");
    assertThat(session.record().id()).isEqualTo("REC-RS1-" + NOW.instant().toEpochMilli());
  }

  @Test
  void replayed_record_has_times_of_the_replay_unless_agents_state_theirs() throws Exception {
    RecordTime stated = RecordTime.parse("2026-03-01T00:00:00.5Z");
    ReplayedSession session = replay(context -> RoundMessages.of(List.of(
            new SentMessage("Blue", TraceMessage.Type.DELTA, null, "a", stated),
            SentMessage.of("Blue", TraceMessage.Type.DELTA, "b"))))
        .run();

    RecordTime now = RecordTime.of(NOW.instant());
    Round round = session.record().trace().rounds().get(0);
    assertThat(round.messages())
        .extracting(TraceMessage::timestamp)
        .containsExactly(now, stated, now, now);
    assertThat(round.startedAt()).isEqualTo(now);
    assertThat(round.endedAt()).isEqualTo(now);
    assertThat(session.record().trace().interventions())
        .extracting(OperatorIntervention::timestamp)
        .containsOnly(now);
    assertThat(session.record().trace().interventionSummary())
        .isEqualTo(InterventionSummary.of(session.record().trace().interventions()));
  }

  @Test
  void messages_of_agents_that_run_free_are_between_the_inputs_before_and_after_them()
      throws Exception {
    ReplayedSession session = replay(echo()).feed(Feed.REPLAYED).run();

    assertThat(session.record().trace().rounds().get(0).messages())
        .extracting(TraceMessage::subject)
        .containsExactly("KICKOFF: Why?", "DELTA: H1", "CRITIQUE: H1 is vague", "ACK: Noted");
  }

  @Test
  void texts_and_artifacts_of_the_replay_are_found_by_hash() throws Exception {
    ReplayedSession session = replay(context -> RoundMessages.of(
                List.of(SentMessage.of("Blue", TraceMessage.Type.DELTA, "New")))
            .withArtifact(context.roundNumber() == 1 ? "# Artifact" : null))
        .run();

    RecordHash artifact = RecordHash.ofContent("# Artifact");
    assertThat(session.record().trace().rounds())
        .extracting(Round::compiledArtifactHash)
        .containsExactly(null, artifact, null);
    assertThat(session.record().outputs().finalArtifactHash()).isEqualTo(artifact);
    assertThat(session.texts().text(artifact)).isEqualTo("# Artifact");
    assertThat(session.texts().text(RecordHash.ofContent("New"))).isEqualTo("New");
    assertThat(session.texts().text(RecordHash.ofContent("Why?"))).isEqualTo("Why?");
  }

  @Test
  void message_without_a_recorded_text_is_given_without_one() throws Exception {
    replay(this::keep).texts(RecordTexts.none()).rounds(0, 0).run();

    assertThat(contexts.get(0).turns().get(0).before())
        .extracting(SentMessage::text)
        .containsOnlyNulls();
  }

  @Test
  void altered_text_is_not_given_to_agents() throws Exception {
    RecordHash altered = RecordHash.ofContent("A paper");
    replay(this::keep)
        .texts(hash -> {
          if (hash.equals(altered)) {
            throw new AlteredTextException("content/1", altered);
          }
          return ThreeRounds.texts().text(hash);
        })
        .run();

    assertThat(contexts.get(1).turns().get(0).before())
        .extracting(SentMessage::text)
        .containsOnlyNulls();
  }

  @Test
  void text_that_cannot_be_read_ends_the_replay() throws Exception {
    RecordHash unreadable = RecordHash.ofContent("A paper");
    ReplayedSession session = replay(this::keep)
        .texts(hash -> {
          if (hash.equals(unreadable)) {
            throw new IOException("content/1: Input/output error");
          }
          return ThreeRounds.texts().text(hash);
        })
        .run();

    assertThat(session.completedRounds()).isEqualTo(1);
    assertThat(session.failure()).isEqualTo("round 1: content/1: Input/output error");
    assertThat(contexts).hasSize(1);
  }

  @Test
  void context_has_the_same_values_in_each_replay_and_others_in_each_round() throws Exception {
    List<UUID> ids = new ArrayList<>();
    AgentRunner drawing = context -> {
      assertThat(context.context().clock().instant())
          .isEqualTo(ThreeRounds.time((int) context.roundNumber(), 0).instant());
      ids.add(context.context().uuidV4());
      return keep(context);
    };
    replay(drawing).run();
    replay(drawing).run();
    replay(drawing).seed(7L).run();

    assertThat(ids.subList(0, 3)).doesNotHaveDuplicates().isEqualTo(ids.subList(3, 6));
    assertThat(ids.subList(6, 9)).doesNotContainAnyElementsOf(ids.subList(0, 3));
    assertThat(contexts).extracting(RoundContext::seed).startsWith(42L).endsWith(7L);
  }

  @Test
  void agents_are_ended_after_the_last_round() throws Exception {
    List<String> calls = new ArrayList<>();
    AgentRunner agents = new AgentRunner() {
      @Override
      public RoundMessages round(RoundContext context) {
        calls.add("round " + context.roundNumber());
        return RoundMessages.of(List.of());
      }

      @Override
      public void end() {
        calls.add("end");
      }
    };
    replay(agents).rounds(0, 1).run();

    assertThat(calls).containsExactly("round 0", "round 1", "end");
  }
}
