package dev.agentreplay.records.internal;

import static dev.agentreplay.records.AgentRosterEntry.Role.ADVERSARIAL_CRITIC;
import static dev.agentreplay.records.AgentRosterEntry.Role.HYPOTHESIS_GENERATOR;
import static dev.agentreplay.records.AgentRosterEntry.Role.TEST_DESIGNER;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.OperatorIntervention.Reversal;
import dev.agentreplay.records.OperatorIntervention.Severity;
import dev.agentreplay.records.OperatorIntervention.Target;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.agents.AgentRunner;
import dev.agentreplay.records.agents.RoundMessages;
import dev.agentreplay.records.agents.SentMessage;
import dev.agentreplay.records.store.RecordTexts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * A session of three agents and an operator in three rounds, one hour each, whose messages follow
 * each other by a minute. The text of a message is its subject in words.
 */
public final class ThreeRounds {

  public static final AgentRosterEntry BLUE =
      AgentRosterEntry.of("Blue", HYPOTHESIS_GENERATOR, "codex-cli", "gpt-5.2");
  public static final AgentRosterEntry GREEN =
      AgentRosterEntry.of("Green", TEST_DESIGNER, "claude-code", "opus-4.5");
  public static final AgentRosterEntry RED =
      AgentRosterEntry.of("Red", ADVERSARIAL_CRITIC, "gemini-cli", "gemini-3");

  public static final Instant START = Instant.parse("2026-01-01T10:00:00Z");

  /** The time at which replays run. */
  public static final InstantSource NOW =
      InstantSource.fixed(Instant.parse("2026-03-01T00:00:00Z"));

  private static final List<String> TEXTS = new ArrayList<>();

  /** The record. */
  public static final SessionRecord RECORD = record();

  private ThreeRounds() {}

  private static SessionRecord record() {
    SessionRecord empty = SessionRecord.createEmpty("RS1", RecordTime.of(START));
    SessionInputs inputs = empty.inputs().withAgentRoster(List.of(BLUE, GREEN, RED));
    List<Round> rounds = List.of(
        round(
            0,
            message(0, 1, "Olga", Type.KICKOFF, "Why?"),
            message(0, 2, "Blue", Type.DELTA, "H1"),
            message(0, 3, "Red", Type.CRITIQUE, "H1 is vague"),
            message(0, 4, "Blue", Type.ACK, "Noted")),
        round(
            1,
            message(1, 1, "Omar", Type.EVIDENCE, "A paper"),
            message(1, 2, "Green", Type.DELTA, "T1"),
            message(1, 3, "Ghost", Type.RESULT, "A stranger"),
            message(1, 4, "Blue", Type.DELTA, "H2")),
        round(
            2,
            message(2, 1, "Red", Type.CRITIQUE, "H2 is bold"),
            message(2, 2, "Green", Type.COMPILE, "All"),
            message(2, 3, "Blue", Type.ADMIN, "Done")));
    return empty
        .withInputs(inputs)
        .withTrace(empty
            .trace()
            .withRounds(rounds)
            .withInterventions(
                List.of(intervention(1, 0, 30), intervention(2, 0, 90), intervention(3, 2, 10))));
  }

  private static Round round(int number, TraceMessage... messages) {
    return Round.of(number, time(number, 0), List.of(messages))
        .withEndedAt(time(number, 60))
        .withDurationMillis(Duration.ofHours(1).toMillis());
  }

  private static TraceMessage message(int round, int minute, String from, Type type, String text) {
    TEXTS.add(text);
    return TraceMessage.of(time(round, minute), from, type, text).withSubject(type + ": " + text);
  }

  /** The time of a minute in a round. */
  public static RecordTime time(int round, int minute) {
    return RecordTime.of(START.plus(Duration.ofMinutes(60L * round + minute)));
  }

  private static OperatorIntervention intervention(int number, int round, int minute) {
    return new OperatorIntervention(
        OperatorIntervention.createId("RS1", number),
        "RS1",
        time(round, minute),
        "Omar",
        OperatorIntervention.Type.ARTIFACT_EDIT,
        Severity.MINOR,
        Target.SESSION,
        null,
        "A typing error.",
        Reversal.POSSIBLE,
        JsonObject.EMPTY);
  }

  /** The texts of the messages. */
  public static RecordTexts texts() {
    return RecordTexts.of(TEXTS);
  }

  /** A replay of the record at a fixed time. */
  public static LiveRun replay(AgentRunner agents) {
    return new LiveRun(agents);
  }

  /** Agents that send their recorded messages again. */
  public static AgentRunner echo() {
    return context -> RoundMessages.of(recorded(context.roundNumber()));
  }

  /** The recorded messages of agents in a round. */
  public static List<SentMessage> recorded(long round) {
    InputMessages rule = InputMessages.of(RECORD);
    List<SentMessage> messages = new ArrayList<>();
    for (TraceMessage message : RECORD.trace().rounds().get((int) round).messages()) {
      String subject = message.subject();
      if (!rule.isInput(message) && !message.from().equals("Ghost") && subject != null) {
        String text = subject.substring(subject.indexOf(": ") + 2);
        messages.add(SentMessage.of(message.from(), message.type(), text).withSubject(subject));
      }
    }
    return messages;
  }
}
