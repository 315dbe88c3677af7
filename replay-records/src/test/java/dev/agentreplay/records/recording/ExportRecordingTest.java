package dev.agentreplay.records.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.EvidenceRecordSummary;
import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.InvalidRecordException;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.OperatorIntervention.Reversal;
import dev.agentreplay.records.OperatorIntervention.Severity;
import dev.agentreplay.records.OperatorIntervention.Target;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.store.RecordCheck;
import dev.agentreplay.records.store.RecordCheckReport;
import dev.agentreplay.testkit.TestData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A record of an export has its messages in rounds, and a ledger of everything else. */
class ExportRecordingTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-02T00:00:00.0009Z"));

  private static final List<AgentRosterEntry> ROSTER = List.of(
      AgentRosterEntry.of("BlueLake", Role.HYPOTHESIS_GENERATOR, "codex-cli", "gpt-5.2"),
      AgentRosterEntry.of("RedHill", Role.ADVERSARIAL_CRITIC, "claude-code", "opus-4.5"));

  @Test
  void record_and_ledger_are_the_golden_ones() throws IOException {
    RecordedThread recorded = golden().record();

    assertThat(SessionRecords.write(recorded.record()))
        .isEqualTo(TestData.text("/recording/record.json"));
    assertThat(text(recorded)).isEqualTo(TestData.text("/recording/ledger.txt"));
    RecordCheckReport check = RecordCheck.of(recorded.record(), recorded.texts());
    assertThat(check.problems()).isEmpty();
    assertThat(check.missingTexts()).isZero();
    assertThat(check.replayObstacles()).isEmpty();
  }

  private static SessionRecording golden() {
    return SessionRecording.of(export("export.json"))
        .roster(ROSTER)
        .compiledBodies(true)
        .clock(CLOCK);
  }

  private static String text(RecordedThread recorded) {
    return recorded.ledger().stream()
        .map(entry -> entry.kind() + " " + entry + "\n")
        .collect(Collectors.joining());
  }

  private static MessageExport export(String name) {
    return MessageExport.read(TestData.bytes("/recording/" + name));
  }

  @Test
  void lines_and_an_object_have_the_messages_of_the_array() throws IOException {
    SessionRecord array = golden().record().record();

    String object =
        "{\"exported\": 1,\n\"messages\":" + TestData.text("/recording/export.json") + "}";
    for (MessageExport export : List.of(export("export.jsonl"), read(object))) {
      assertThat(export.size()).isEqualTo(9);
      assertThat(export.threadId()).isEqualTo("RS20260101");
      assertThat(SessionRecording.of(export)
              .roster(ROSTER)
              .compiledBodies(true)
              .clock(CLOCK)
              .record()
              .record())
          .isEqualTo(array);
    }
    RecordedThread ofObject =
        SessionRecording.of(read(object)).roster(ROSTER).clock(CLOCK).record();
    assertThat(text(ofObject))
        .contains("LEFT_OUT A record does not have this member of an export. (member exported)")
        .contains("(message 4, line 15)");
  }

  private static MessageExport read(String json) {
    return MessageExport.read(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void stream_is_read_to_its_end() throws IOException {
    var stream = new ByteArrayInputStream(TestData.bytes("/recording/export.jsonl"));

    assertThat(MessageExport.read(stream).size()).isEqualTo(9);
    assertThat(stream.available()).isZero();
  }

  @Test
  void record_without_a_roster_and_an_artifact_states_why_it_is_not_replayable()
      throws IOException {
    RecordedThread recorded =
        SessionRecording.of(export("export.json")).clock(CLOCK).record();

    assertThat(recorded.record().replayObstacles())
        .containsExactly(
            "inputs.agent_roster: expected at least one agent, found none",
            "outputs.final_artifact_hash: expected a hash, found empty text");
    assertThat(text(recorded))
        .contains("ASSUMED inputs.agent_roster: No roster was given")
        .contains("ASSUMED outputs.final_artifact_hash: No artifact was given or compiled")
        .contains("LEFT_OUT trace.rounds[].compiled_artifact_hash: Their texts are not taken");
  }

  @Test
  void data_that_is_set_is_in_the_record() throws IOException {
    Kickoff kickoff = Kickoff.of("T1").withQuestion("Why?");
    LintResult lint = LintResult.of(List.of("no test"), List.of());
    Counts counts = new Counts(1, 2, 3L, 4L, 5L);
    Scorecard scorecard = new Scorecard("B", 80.0);
    ProtocolVersions versions = ProtocolVersions.defaults();
    List<EvidenceRecordSummary> evidence =
        List.of(EvidenceRecordSummary.of("EV-001", EvidenceRecordSummary.Type.PAPER, "doi", 1));
    List<OperatorIntervention> interventions = List.of(intervention("2026-01-01T12:06:00Z"));

    RecordedThread recorded = SessionRecording.of(export("export.json"))
        .clock(CLOCK)
        .kickoff(kickoff)
        .roster(ROSTER)
        .evidence(evidence)
        .artifact("# H1")
        .lintResult(lint)
        .counts(counts)
        .scorecard(scorecard)
        .protocolVersions(versions)
        .interventions(interventions)
        .record();

    SessionRecord record = recorded.record();
    assertThat(record.id()).isEqualTo("REC-T1-1767312000000");
    assertThat(record.sessionId()).isEqualTo("T1");
    assertThat(record.createdAt().text()).isEqualTo("2026-01-02T00:00:00Z");
    assertThat(record.inputs().kickoff()).isEqualTo(kickoff);
    assertThat(record.inputs().agentRoster()).isEqualTo(ROSTER);
    assertThat(record.inputs().externalEvidence()).isEqualTo(evidence);
    assertThat(record.outputs().finalArtifactHash()).isEqualTo(RecordHash.ofContent("# H1"));
    assertThat(recorded.texts().text(RecordHash.ofContent("# H1"))).isEqualTo("# H1");
    assertThat(record.outputs().lintResult()).isEqualTo(lint);
    assertThat(record.outputs().counts()).isEqualTo(counts);
    assertThat(record.outputs().scorecard()).isEqualTo(scorecard);
    assertThat(record.trace().interventions()).isEqualTo(interventions);
    assertThat(record.trace().interventionSummary())
        .isEqualTo(InterventionSummary.of(interventions));
    assertThat(record.trace().endedAt()).hasToString("2026-01-01T12:06:00Z");
    assertThat(record.trace().totalDurationMillis()).isEqualTo(360_000);
    assertThat(recorded.ledger())
        .filteredOn(entry -> entry.kind() == LedgerEntry.Kind.ASSUMED)
        .extracting(LedgerEntry::path)
        .containsExactly("trace.rounds[1].ended_at");
    assertThat(text(recorded))
        .contains("NOTED trace: An intervention before or after all rounds extends the trace.");
  }

  private static OperatorIntervention intervention(String time) {
    return new OperatorIntervention(
        "INT-T1-001",
        "T1",
        RecordTime.parse(time),
        "Operator",
        OperatorIntervention.Type.SESSION_CONTROL,
        Severity.CRITICAL,
        Target.SESSION,
        null,
        "It was late in the day.",
        Reversal.IMPOSSIBLE,
        JsonObject.EMPTY);
  }

  @Test
  void given_artifact_that_differs_from_the_compiled_one_is_noted_and_found_by_the_check()
      throws IOException {
    RecordedThread recorded = golden().artifact("# Other").record();

    assertThat(text(recorded))
        .contains("NOTED outputs.final_artifact_hash: The given artifact differs");
    assertThat(recorded.record().trace().rounds().get(0).compiledArtifactHash())
        .isEqualTo(RecordHash.ofContent("# Artifact\nH1"));
    assertThat(RecordCheck.of(recorded.record(), recorded.texts()).problems())
        .extracting(Problem::path)
        .containsExactly("outputs.final_artifact_hash");
  }

  @Test
  void session_id_that_is_set_precedes_all_others() throws IOException {
    SessionRecord record =
        golden().kickoff(Kickoff.of("T1")).sessionId("T2").record().record();

    assertThat(record.sessionId()).isEqualTo("T2");
    assertThat(record.inputs().kickoff().threadId()).isEqualTo("T1");
  }

  @Test
  void export_that_does_not_state_its_thread_requires_a_session_id() {
    MessageExport export = read(message("KICKOFF", 0));

    assertThatThrownBy(() -> SessionRecording.of(export).record())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected a session id or a kickoff, found neither, and no message states its"
            + " thread_id");
    assertThatThrownBy(() -> SessionRecording.of(export).sessionId(""))
        .hasMessage("session id must not be empty");
  }

  @Test
  void data_that_breaks_constraints_is_refused() {
    assertThatThrownBy(() -> golden().counts(Counts.of(-1, 0)).record())
        .isInstanceOf(InvalidRecordException.class)
        .hasMessage("invalid SessionRecord: outputs.hypothesis_count: must not be negative: -1");
  }

  @Test
  void rounds_end_after_compile_or_publish_with_what_directly_follows() throws IOException {
    List<String> types = List.of(
        "ADMIN", "KICKOFF", "DELTA", "COMPILE", "PUBLISH", "ACK", "PUBLISH", "DELTA", "ACK",
        "PUBLISH", "COMPILE", "COMPILE", "ACK", "KICKOFF");

    RecordedThread recorded = SessionRecording.of(read(lines(types)))
        .sessionId("T")
        .compiledBodies(true)
        .clock(CLOCK)
        .record();

    assertThat(recorded.record().trace().rounds())
        .extracting(round -> types(round))
        .containsExactly(
            "ADMIN KICKOFF DELTA COMPILE PUBLISH ACK PUBLISH",
            "DELTA ACK PUBLISH",
            "COMPILE",
            "COMPILE ACK",
            "KICKOFF");
    assertThat(recorded.record().trace().rounds())
        .extracting(Round::compiledArtifactHash)
        .containsExactly(
            hash("COMPILE", 3), hash("PUBLISH", 9), hash("COMPILE", 10), hash("COMPILE", 11), null);
    assertThat(recorded.record().outputs().finalArtifactHash()).isEqualTo(hash("COMPILE", 11));
    assertThat(text(recorded))
        .contains(
            "NOTED trace.rounds[0]: Round 0 has 1 message before the KICKOFF. (message 1, line 1)")
        .contains("A later KICKOFF does not begin a round. (message 14, line 14)");
    assertThat(RecordCheck.of(recorded.record(), recorded.texts()).problems()).isEmpty();
  }

  private static RecordHash hash(String type, int index) {
    return RecordHash.ofContent(type + " " + index);
  }

  private static String types(Round round) {
    return round.messages().stream()
        .map(TraceMessage::type)
        .map(Enum::name)
        .collect(Collectors.joining(" "));
  }

  private static String lines(List<String> types) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < types.size(); i++) {
      lines.append(message(types.get(i), i)).append('\n');
    }
    return lines.toString();
  }

  private static String message(String type, int index) {
    return "{\"ts\":\"2026-01-01T12:00:%02dZ\",\"from\":\"A\",\"type\":\"%s\",\"body_md\":\"%s\"}"
        .formatted(index, type, type + " " + index);
  }
}
