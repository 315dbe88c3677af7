package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.Kickoff.OperatorSelection;
import dev.agentreplay.records.OperatorIntervention.Reversal;
import dev.agentreplay.records.OperatorIntervention.StateChange;
import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.RecordReplayReport.Similarity;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import dev.agentreplay.testkit.TestData;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records and their text, side by side: a change of one that the other does not have shows. */
class SessionRecordsGoldenTest {

  private static final RecordTime NOON = RecordTime.parse("2026-01-01T12:00:00.000Z");

  private static final RecordHash ARTIFACT = RecordHash.ofContent("artifact");

  @Test
  void complete_record_is_read_and_written_unchanged() throws IOException {
    byte[] text = TestData.bytes("/records/complete.json");

    assertThat(SessionRecords.read(text)).isEqualTo(complete());
    assertThat(SessionRecords.read(new ByteArrayInputStream(text))).isEqualTo(complete());
    assertThat(SessionRecords.validate(text)).isEmpty();
    assertThat(SessionRecords.validate(new ByteArrayInputStream(text))).isEmpty();
    assertThat(SessionRecords.write(complete())).isEqualTo(TestData.text("/records/complete.json"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SessionRecords.write(complete(), out);
    assertThat(out.toByteArray()).isEqualTo(text);
  }

  @Test
  void empty_record_is_read_and_written_unchanged() {
    SessionRecord empty =
        SessionRecord.createEmpty("RS20260101", RecordTime.parse("2026-01-01T12:00:00Z"));

    assertThat(SessionRecords.write(empty)).isEqualTo(TestData.text("/records/empty.json"));
    assertThat(SessionRecords.read(TestData.bytes("/records/empty.json"))).isEqualTo(empty);
    assertThat(empty.problems()).isEmpty();
  }

  @Test
  void report_is_read_and_written_unchanged() throws IOException {
    RecordReplayReport report = new RecordReplayReport(
        "RS20260101",
        RecordReplayReport.Mode.COMPARISON,
        RecordTime.parse("2026-01-01T14:00:00.000Z"),
        List.of(AgentRosterEntry.of(
            "BlueLake", AgentRosterEntry.Role.TEST_DESIGNER, "codex-cli", "gpt-5.2")),
        false,
        new Similarity(75, 70.5),
        new Progress(1, 2, 10, 12),
        List.of(new RecordReplayReport.Divergence(
            1,
            4,
            "BlueLake",
            RecordReplayReport.Severity.MODERATE,
            "Proposed H4 with mechanism X",
            "Proposed H4 with mechanism Y",
            false,
            "Different mechanism proposed",
            JsonObject.EMPTY)),
        "The replay diverges in the second round.",
        JsonObject.EMPTY);

    byte[] text = TestData.bytes("/records/report.json");
    assertThat(SessionRecords.readReport(text)).isEqualTo(report);
    assertThat(SessionRecords.readReport(new ByteArrayInputStream(text))).isEqualTo(report);
    assertThat(SessionRecords.readReport(JsonText.parse(text))).isEqualTo(report);
    assertThat(SessionRecords.write(report)).isEqualTo(TestData.text("/records/report.json"));
  }

  @Test
  void members_that_are_left_out_have_their_defaults() {
    JsonObject json = JsonText.parse(TestData.bytes("/records/empty.json")).asObject();
    JsonObject inputs = json.at("/inputs").asObject();
    JsonObject outputs = json.at("/outputs").asObject();
    JsonObject sparse = json.without("schema_version")
        .with(
            "inputs",
            inputs.without("external_evidence").with("protocol_versions", JsonObject.EMPTY))
        .with("trace", json.at("/trace").asObject().without("interventions"))
        .with(
            "outputs",
            outputs.with(
                "lint_result",
                outputs
                    .at("/lint_result")
                    .asObject()
                    .without("error_messages", "warning_messages")));

    assertThat(SessionRecords.read(sparse)).isEqualTo(SessionRecords.read(json));
  }

  @Test
  void roster_is_read_from_an_array() throws IOException {
    JsonValue roster =
        JsonText.parse(TestData.bytes("/records/complete.json")).at("/inputs/agent_roster");
    byte[] text = roster.toString().getBytes(StandardCharsets.UTF_8);
    List<AgentRosterEntry> entries = complete().inputs().agentRoster();

    assertThat(SessionRecords.readRoster(roster)).isEqualTo(entries);
    assertThat(SessionRecords.readRoster(text)).isEqualTo(entries);
    assertThat(SessionRecords.readRoster(new ByteArrayInputStream(text))).isEqualTo(entries);
  }

  private static SessionRecord complete() {
    return new SessionRecord(
        "REC-RS20260101-1767268800000",
        "RS20260101",
        NOON,
        inputs(),
        trace(),
        new SessionOutputs(
            ARTIFACT,
            LintResult.of(List.of("H1 has no test"), List.of("no third alternative")),
            new Counts(3, 5, 2L, 1L, 4L),
            new Scorecard("B+", 81.5),
            JsonObject.EMPTY),
        "0.1",
        JsonObject.EMPTY);
  }

  private static SessionInputs inputs() {
    Kickoff kickoff = Kickoff.of("RS20260101")
        .withQuestion("Why do cells differ?")
        .withExcerpt("§42: asymmetric divisions")
        .withTheme("cell-fate")
        .withDomain("biology")
        .withOperatorSelection(OperatorSelection.of("level_split", "exclusion_test")
            .withSecondary(List.of("paradox_hunt"))
            .withForbidden(List.of()))
        .withBody("# Session\n");
    return SessionInputs.of(kickoff)
        .withExternalEvidence(List.of(EvidenceRecordSummary.of(
                "EV-001", EvidenceRecordSummary.Type.PRIOR_SESSION, "RS20251230", 2)
            .withContentHash(RecordHash.ofContent("evidence"))))
        .withAgentRoster(List.of(
            AgentRosterEntry.of(
                    "BlueLake", AgentRosterEntry.Role.HYPOTHESIS_GENERATOR, "codex-cli", "gpt-5.2")
                .withModelVersion("gpt-5.2-20251201")
                .withTemperature(0.7),
            AgentRosterEntry.of(
                    "RedHill", AgentRosterEntry.Role.ADVERSARIAL_CRITIC, "claude-code", "opus-4.5")
                .withTemperature(1.0)))
        .withProtocolVersions(
            new ProtocolVersions("4c1d0a7", "v0.2", "v0.1", "v1", "v0.1", JsonObject.EMPTY));
  }

  private static SessionTrace trace() {
    TraceMessage kickoff = TraceMessage.of(
            RecordTime.parse("2026-01-01T12:05:00.000Z"),
            "Operator",
            TraceMessage.Type.KICKOFF,
            "Why do cells differ?")
        .withMessageId(123L)
        .withSubject("KICKOFF: [RS20260101]")
        .withAcknowledged(true);
    TraceMessage delta = TraceMessage.of(
        RecordTime.parse("2026-01-01T12:06:00.5Z"), "BlueLake", TraceMessage.Type.DELTA, "# H1");
    SessionTrace.Round round = SessionTrace.Round.of(0, NOON, List.of(kickoff, delta))
        .withEndedAt(RecordTime.parse("2026-01-01T13:30:00+01:00"))
        .withCompiledArtifactHash(ARTIFACT)
        .withDurationMillis(1_800_000L);
    OperatorIntervention edit = new OperatorIntervention(
        "INT-RS20260101-001",
        "RS20260101",
        RecordTime.parse("2026-01-01T12:10:00Z"),
        "human",
        OperatorIntervention.Type.ARTIFACT_EDIT,
        OperatorIntervention.Severity.MAJOR,
        new OperatorIntervention.Target(
            123L, 0L, "H1", "hypothesis", "BlueLake", "test_designer", JsonObject.EMPTY),
        StateChange.of("Why do cells differ?", "# H1"),
        "It was not a hypothesis.",
        new Reversal(false, RecordTime.parse("2026-01-01T12:11:00Z"), "human"),
        JsonObject.EMPTY);
    return SessionTrace.of(NOON)
        .withRounds(List.of(round))
        .withInterventions(List.of(edit))
        .withInterventionSummary(InterventionSummary.of(List.of(edit)))
        .withTotalDurationMillis(1_800_000)
        .withEndedAt(RecordTime.parse("2026-01-01T12:30:00.000Z"));
  }
}
