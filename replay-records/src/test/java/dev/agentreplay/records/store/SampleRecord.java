package dev.agentreplay.records.store;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.OperatorIntervention.Reversal;
import dev.agentreplay.records.OperatorIntervention.Severity;
import dev.agentreplay.records.OperatorIntervention.Target;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.RecordReplayReport.Similarity;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionOutputs;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.TraceMessage.Type;
import java.util.List;

/** A consistent record of two rounds, with its texts. */
final class SampleRecord {

  static final String ARTIFACT = "# H1: gradients";
  static final String DELTA = "H1: cells differ by gradients \u00e4\ud83d\ude00";
  static final List<String> TEXTS =
      List.of("Why do cells differ?", DELTA, "H1 has no test", "compile", ARTIFACT, "");

  private SampleRecord() {}

  static RecordTexts texts() {
    return RecordTexts.of(TEXTS);
  }

  static SessionRecord of(String session) {
    return of(session, "2026-01-01T12:00:00Z");
  }

  static SessionRecord of(String session, String created) {
    SessionRecord empty = SessionRecord.createEmpty(session, RecordTime.parse(created));
    List<AgentRosterEntry> roster = List.of(
        AgentRosterEntry.of("BlueLake", Role.HYPOTHESIS_GENERATOR, "codex-cli", "gpt-5.2"),
        AgentRosterEntry.of("RedHill", Role.ADVERSARIAL_CRITIC, "claude-code", "opus-4.5"));
    return empty
        .withInputs(SessionInputs.of(Kickoff.of(session)).withAgentRoster(roster))
        .withTrace(trace(session))
        .withOutputs(SessionOutputs.EMPTY
            .withFinalArtifactHash(RecordHash.ofContent(ARTIFACT))
            .withLintResult(LintResult.of(List.of(), List.of("no third alternative"))));
  }

  private static SessionTrace trace(String session) {
    Round first = Round.of(
            0,
            time(0),
            List.of(
                TraceMessage.of(time(0), "Human", Type.KICKOFF, TEXTS.get(0)),
                TraceMessage.of(time(60), "BlueLake", Type.DELTA, DELTA),
                TraceMessage.of(time(120), "BlueLake", Type.COMPILE, TEXTS.get(3))))
        .withEndedAt(time(120))
        .withDurationMillis(120_000L)
        .withCompiledArtifactHash(RecordHash.ofContent("# H0"));
    Round second = Round.of(
            1,
            time(180),
            List.of(
                TraceMessage.of(time(180), "RedHill", Type.CRITIQUE, TEXTS.get(2)),
                TraceMessage.of(time(240), "RedHill", Type.ACK, "")))
        .withEndedAt(time(240))
        .withDurationMillis(60_000L)
        .withCompiledArtifactHash(RecordHash.ofContent(ARTIFACT));
    List<OperatorIntervention> interventions = List.of(intervention(session, time(200)));
    return SessionTrace.of(time(0))
        .withRounds(List.of(first, second))
        .withInterventions(interventions)
        .withInterventionSummary(InterventionSummary.of(interventions))
        .withEndedAt(time(240))
        .withTotalDurationMillis(240_000);
  }

  static OperatorIntervention intervention(String session, RecordTime time) {
    return new OperatorIntervention(
        "INT-" + session + "-001",
        session,
        time,
        "Human",
        OperatorIntervention.Type.ARTIFACT_EDIT,
        Severity.MAJOR,
        Target.item("H1", "hypothesis"),
        null,
        "It was not a hypothesis.",
        Reversal.POSSIBLE,
        JsonObject.EMPTY);
  }

  static RecordTime time(int second) {
    return RecordTime.parse("2026-01-01T12:%02d:%02dZ".formatted(second / 60, second % 60));
  }

  static RecordReplayReport report(String session, String replayed) {
    return new RecordReplayReport(
        session,
        Mode.TRACE,
        RecordTime.parse(replayed),
        List.of(),
        true,
        new Similarity(100, 100),
        new Progress(2, 2, 5, 5),
        List.of(),
        "Nothing was replayed.",
        JsonObject.EMPTY);
  }
}
