package dev.agentreplay.records.replay;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.store.RecordTexts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A session of three agents with its texts, which tests change. */
record TestSession(List<AgentRosterEntry> roster, List<List<Said>> rounds, String artifact) {

  static final RecordTime START = RecordTime.parse("2026-01-01T10:00:00Z");
  static final AgentRosterEntry BLUE =
      AgentRosterEntry.of("Blue", Role.HYPOTHESIS_GENERATOR, "claude-code", "opus-4.5");
  static final AgentRosterEntry GREEN =
      AgentRosterEntry.of("Green", Role.TEST_DESIGNER, "codex-cli", "gpt-5.2");
  static final AgentRosterEntry RED =
      AgentRosterEntry.of("Red", Role.ADVERSARIAL_CRITIC, "gemini-cli", "gemini-3");
  static final List<AgentRosterEntry> ROSTER = List.of(BLUE, GREEN, RED);

  /** A message. */
  record Said(String from, Type type, String text) {}

  static Said said(String from, Type type, String text) {
    return new Said(from, type, text);
  }

  static TestSession of(List<List<Said>> rounds) {
    return new TestSession(ROSTER, rounds, "# Artifact\n\nThe final artifact.\n");
  }

  /** A session of two rounds. */
  static TestSession example() {
    return of(List.of(
        List.of(
            said("Operator", Type.KICKOFF, "How do cells decide their fate?"),
            said("Blue", Type.DELTA, "Hypothesis: a gradient of morphogen decides the fate."),
            said("Green", Type.DELTA, "Test: move a cell along the gradient, and watch its fate."),
            said("Red", Type.CRITIQUE, "The gradient may be a consequence, and not the cause."),
            said("Operator", Type.COMPILE, "Compiled.")),
        List.of(
            said("Blue", Type.DELTA, "Hypothesis: lineage decides the fate, in part."),
            said("Blue", Type.RESULT, "Both predict the same for the first division."),
            said("Green", Type.RESULT, "The moved cell took the fate of its new neighbors."),
            said("Red", Type.CRITIQUE, "One cell is not a sample."),
            said("Operator", Type.PUBLISH, "Published."))));
  }

  /** A copy in which a message is replaced; null removes it. */
  TestSession with(int round, int index, Said... replacements) {
    List<List<Said>> changed = new ArrayList<>();
    rounds.forEach(messages -> changed.add(new ArrayList<>(messages)));
    changed.get(round).remove(index);
    changed.get(round).addAll(index, List.of(replacements));
    return new TestSession(roster, changed, artifact);
  }

  Said at(int round, int index) {
    return rounds.get(round).get(index);
  }

  TestSession withRoster(List<AgentRosterEntry> newRoster) {
    return new TestSession(newRoster, rounds, artifact);
  }

  TestSession withArtifact(String newArtifact) {
    return new TestSession(roster, rounds, newArtifact);
  }

  SessionRecord record() {
    SessionRecord empty = SessionRecord.createEmpty("RS20260101", START);
    List<SessionTrace.Round> traced = new ArrayList<>();
    Instant time = START.instant();
    for (int r = 0; r < rounds.size(); r++) {
      RecordTime start = RecordTime.of(time);
      List<TraceMessage> messages = new ArrayList<>();
      for (Said said : rounds.get(r)) {
        messages.add(TraceMessage.of(RecordTime.of(time), said.from(), said.type(), said.text()));
        time = time.plusSeconds(10);
      }
      traced.add(SessionTrace.Round.of(r, start, messages).withEndedAt(RecordTime.of(time)));
    }
    return empty
        .withInputs(empty.inputs().withAgentRoster(roster))
        .withTrace(empty.trace().withRounds(traced).withEndedAt(RecordTime.of(time)))
        .withOutputs(empty.outputs().withFinalArtifactHash(RecordHash.ofContent(artifact)));
  }

  RecordTexts texts() {
    List<String> texts = new ArrayList<>(List.of(artifact));
    rounds.forEach(messages -> messages.forEach(said -> texts.add(said.text())));
    return RecordTexts.of(texts);
  }

  /** A verification of this session against a different one. */
  SessionReplay against(TestSession other) {
    return SessionReplay.of(record()).texts(texts()).against(other.record(), other.texts());
  }
}
