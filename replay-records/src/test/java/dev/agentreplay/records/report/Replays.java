package dev.agentreplay.records.report;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionOutputs;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.replay.SessionReplay;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.records.store.AlteredTextException;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Replays to look at: a session of three rounds and three agents, and what became of it. */
final class Replays {

  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-05T09:30:00Z"));

  static final AgentRosterEntry LAKE = AgentRosterEntry.of(
          "BlueLake", Role.HYPOTHESIS_GENERATOR, "codex-cli", "gpt-5.2")
      .withTemperature(0.7);
  static final AgentRosterEntry STONE =
      AgentRosterEntry.of("GreenStone", Role.TEST_DESIGNER, "claude-code", "opus-4.5");
  static final AgentRosterEntry HILL =
      AgentRosterEntry.of("RedHill", Role.ADVERSARIAL_CRITIC, "gemini-cli", "gemini-3");
  static final List<AgentRosterEntry> ROSTER = List.of(LAKE, STONE, HILL);

  private static final String KICKOFF =
      """
      # Why do sister cells choose different fates?

      Start from §42 (asymmetric divisions). Each agent proposes at most three changes a round.
      Hypotheses need a test that can refute them.
      """;

  private static final String HYPOTHESES =
      """
      ADD H1: Fate is inherited: a determinant is placed at one pole before the division.
      ADD H2: Fate is decided after the division, by signals of the neighbors.

      H1 predicts that isolated daughters keep their fates; H2 predicts that they do not.
      """;

  private static final String TEST =
      "ADD T1: Isolate both daughters within 5 minutes and grow them apart; count the neurons"
          + " after 48 hours.\n";

  private static final String ARTIFACT =
      """
      # Hypotheses

      - H1: Fate is inherited.

      # Tests

      - T1: Isolate both daughters within 5 minutes, and count the neurons after 48 hours.
      """;

  private Replays() {}

  /** A message. */
  record Said(String from, Type type, String text) {}

  /** A session with its texts. */
  record Session(
      List<AgentRosterEntry> roster,
      List<List<Said>> rounds,
      String artifact,
      SessionInputs.ProtocolVersions versions,
      SessionOutputs outputs) {

    SessionRecord record() {
      RecordTime created = RecordTime.of(START);
      SessionRecord empty = SessionRecord.createEmpty("RS20260101-cell-fate", created);
      List<SessionTrace.Round> traced = new ArrayList<>();
      Instant time = START;
      for (int r = 0; r < rounds.size(); r++) {
        Instant start = time;
        List<TraceMessage> messages = new ArrayList<>();
        for (Said said : rounds.get(r)) {
          TraceMessage message =
              TraceMessage.of(RecordTime.of(time), said.from(), said.type(), said.text());
          messages.add(
              said.type() == Type.KICKOFF
                  ? message.withSubject("KICKOFF: [RS20260101] cell fate")
                  : message);
          time = time.plusSeconds(75);
        }
        traced.add(SessionTrace.Round.of(r, RecordTime.of(start), messages)
            .withEndedAt(RecordTime.of(time))
            .withDurationMillis(Duration.between(start, time).toMillis())
            .withCompiledArtifactHash(
                r == rounds.size() - 1 ? RecordHash.ofContent(artifact) : null));
      }
      SessionInputs inputs = new SessionInputs(
          Kickoff.of("RS20260101-cell-fate")
              .withQuestion("Why do sister cells choose different fates?"),
          List.of(),
          roster,
          versions,
          empty.inputs().extra());
      return empty
          .withInputs(inputs)
          .withTrace(empty
              .trace()
              .withRounds(traced)
              .withTotalDurationMillis(Duration.between(START, time).toMillis())
              .withEndedAt(RecordTime.of(time)))
          .withOutputs(outputs.withFinalArtifactHash(RecordHash.ofContent(artifact)));
    }

    RecordTexts texts() {
      List<String> texts = new ArrayList<>(List.of(artifact));
      rounds.forEach(messages -> messages.forEach(said -> texts.add(said.text())));
      return RecordTexts.of(texts);
    }

    /** A copy in which a message is replaced by others. */
    Session with(int round, int index, Said... replacements) {
      List<List<Said>> changed = new ArrayList<>();
      rounds.forEach(messages -> changed.add(new ArrayList<>(messages)));
      changed.get(round).remove(index);
      changed.get(round).addAll(index, List.of(replacements));
      return new Session(roster, changed, artifact, versions, outputs);
    }

    Session withRoster(List<AgentRosterEntry> newRoster) {
      return new Session(newRoster, rounds, artifact, versions, outputs);
    }

    Session withArtifact(String newArtifact) {
      return new Session(roster, rounds, newArtifact, versions, outputs);
    }

    Session withOutputs(SessionOutputs newOutputs) {
      return new Session(roster, rounds, artifact, versions, newOutputs);
    }

    Session withRounds(List<List<Said>> newRounds) {
      return new Session(roster, newRounds, artifact, versions, outputs);
    }

    /** A copy in which a sender has a different name. */
    Session renamed(String from, String to) {
      return withRounds(rounds.stream()
          .map(messages -> messages.stream()
              .map(said -> said.from().equals(from) ? new Said(to, said.type(), said.text()) : said)
              .toList())
          .toList());
    }

    SessionReplay against(Session other) {
      return SessionReplay.of(record())
          .texts(texts())
          .against(other.record(), other.texts())
          .clock(CLOCK);
    }
  }

  private static Said said(String from, Type type, String text) {
    return new Said(from, type, text);
  }

  /** Twelve messages, of which those of the operator are inputs. */
  static Session session() {
    return new Session(
        ROSTER,
        List.of(
            List.of(
                said("Operator", Type.KICKOFF, KICKOFF),
                said("BlueLake", Type.DELTA, HYPOTHESES),
                said("GreenStone", Type.DELTA, TEST),
                said(
                    "RedHill",
                    Type.CRITIQUE,
                    "H1 and H2 are not exclusive. A third alternative: both, in this order.")),
            List.of(
                said("GreenStone", Type.EVIDENCE, "EV-001: 41 of 43 daughters keep their fate."),
                said("GreenStone", Type.RESULT, "T1: 38 of 40 daughters kept their fates."),
                said("BlueLake", Type.DELTA, "KILL H2: T1 refutes it."),
                said("RedHill", Type.CRITIQUE, "Agreed, if the isolation was complete.")),
            List.of(
                said(
                    "BlueLake", Type.DELTA, "EDIT H1: the determinant is placed in the last hour."),
                said("GreenStone", Type.DELTA, "ADD T2: remove the determinant in the last hour."),
                said("RedHill", Type.ACK, "No objections."),
                said("Operator", Type.PUBLISH, "Publish the artifact."))),
        ARTIFACT,
        SessionInputs.ProtocolVersions.defaults(),
        SessionOutputs.EMPTY
            .withCounts(new Counts(2, 2, 1L, 0L, 3L))
            .withLintResult(LintResult.of(List.of(), List.of("no third alternative")))
            .withScorecard(new Scorecard("B+", 81.5)));
  }

  /** A session with a different word, a different critique, a message less and one more. */
  private static Session changed() {
    return session()
        .with(0, 2, said("GreenStone", Type.DELTA, TEST.replace("5 minutes", "10 minutes")))
        .with(
            0,
            3,
            said(
                "RedHill",
                Type.CRITIQUE,
                "T1 cannot refute H2, since isolation may itself change the fate of a cell."))
        .with(1, 2)
        .with(
            1,
            2,
            said("RedHill", Type.CRITIQUE, "Agreed, if the isolation was complete."),
            said("RedHill", Type.CRITIQUE, "Count again, blind."))
        .withArtifact(ARTIFACT.replace("5 minutes", "10 minutes"));
  }

  static SessionReplayResult matched() {
    return run(session().against(session()));
  }

  /** A verification that diverged, with a text of the replay that is missing. */
  static SessionReplayResult verified() {
    Session other = changed()
        .with(2, 1, said("GreenStone", Type.DELTA, "ADD T2: block the signals of the neighbors."));
    SessionInputs.ProtocolVersions versions = new SessionInputs.ProtocolVersions(
        "9b2e771", "v0.1", "v0.1", null, null, other.versions().extra());
    Session present =
        new Session(other.roster(), other.rounds(), other.artifact(), versions, other.outputs());
    RecordTexts without =
        hash -> hash.equals(RecordHash.ofContent("ADD T2: block the signals of the neighbors."))
            ? null
            : present.texts().text(hash);
    return run(session().against(present).against(present.record(), without));
  }

  /** A verification in which a text of the replay is missing, and nothing else differs. */
  static SessionReplayResult undecided() {
    Session other = session().with(2, 1, said("GreenStone", Type.DELTA, "ADD T3."));
    RecordHash missing = RecordHash.ofContent("ADD T3.");
    return run(session()
        .against(other)
        .against(
            other.record(), hash -> hash.equals(missing) ? null : other.texts().text(hash)));
  }

  /** A verification of which two rounds were completed. */
  static SessionReplayResult incomplete() {
    return run(session().against(session().withRounds(session().rounds().subList(0, 2))));
  }

  /** A comparison with a different model and a different agent. */
  static SessionReplayResult compared() {
    List<AgentRosterEntry> roster = List.of(
        LAKE.withTemperature(1.0),
        STONE,
        AgentRosterEntry.of("WhitePeak", Role.ADVERSARIAL_CRITIC, "codex-cli", "gpt-5.2"));
    Session other = changed()
        .renamed("RedHill", "WhitePeak")
        .withRoster(roster)
        .withOutputs(SessionOutputs.EMPTY
            .withCounts(new Counts(3, 2, 1L, null, 4L))
            .withLintResult(LintResult.of(List.of("H3 has no test"), List.of()))
            .withScorecard(new Scorecard("B", 74.25)));
    return run(session().against(other).roster(roster));
  }

  /** A comparison in which the other agents said the same. */
  static SessionReplayResult same() {
    List<AgentRosterEntry> roster = List.of(LAKE, STONE, HILL.withModelVersion("2026-01"));
    return run(session().against(session().withRoster(roster)).roster(roster));
  }

  /** A comparison that is not decided. */
  static SessionReplayResult undecidedComparison() {
    Session other = session().with(2, 1, said("GreenStone", Type.DELTA, "ADD T3."));
    return run(session().against(other).roster(ROSTER).against(other.record(), RecordTexts.none()));
  }

  static SessionReplayResult traced() {
    return trace(session(), session().texts());
  }

  /** A trace with a text that was altered and one that is missing. */
  static SessionReplayResult altered() {
    RecordHash altered = RecordHash.ofContent("KILL H2: T1 refutes it.");
    RecordHash missing = RecordHash.ofContent("No objections.");
    RecordTexts texts = session().texts();
    return trace(session(), hash -> {
      if (hash.equals(altered)) {
        throw new AlteredTextException("content/" + hash, hash);
      }
      return hash.equals(missing) ? null : texts.text(hash);
    });
  }

  static SessionReplayResult trace(Session session, RecordTexts texts) {
    try {
      return SessionReplay.of(session.record()).texts(texts).clock(CLOCK).trace();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A verification in which all recorded texts and names are hostile. */
  static SessionReplayResult hostile(List<String> texts) {
    List<Said> before = new ArrayList<>();
    List<Said> after = new ArrayList<>();
    for (String text : texts) {
      before.add(said(text, Type.DELTA, text));
      after.add(said(text, Type.DELTA, "other " + text + " at the end of a longer text"));
      after.add(said(text, Type.CRITIQUE, text));
    }
    List<AgentRosterEntry> roster = texts.stream()
        .map(text -> AgentRosterEntry.of(text, Role.TEST_DESIGNER, text, text))
        .toList();
    Session session = session().withRoster(roster).withRounds(List.of(before));
    return run(session.against(session.withRounds(List.of(after))).roster(roster));
  }

  private static SessionReplayResult run(SessionReplay replay) {
    try {
      return replay.run();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
