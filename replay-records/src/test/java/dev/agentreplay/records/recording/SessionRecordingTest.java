package dev.agentreplay.records.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.BlobStore;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.store.RecordCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record of a session has its task, its results and its steps. */
class SessionRecordingTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-02T00:00:00Z"));

  private static final ReplayHeader HEADER = ReplayHeader.of("codex@1.2.3");

  @TempDir
  Path temp;

  @Test
  void results_of_models_are_messages_and_steps_are_rounds() throws IOException {
    JsonObject structured = JsonObject.of("b", 1.0, "a", List.of("x"));
    Session session = session(
        SessionStart.of("S1").withTask(new Task("Why?", JsonObject.of("k", 1), "Be brief.")),
        call("m1", "gpt", 0.5),
        ModelResult.of("m1", "H1 \u00e4"),
        StepComplete.of("step-1", Status.SUCCESS, 1),
        StepComplete.of("step-2", Status.SUCCESS, 1),
        call("m2", "opus", 1.0),
        ToolCall.of("t1", "search", JsonObject.EMPTY),
        output("t1", "found"),
        ModelResult.of("m2", structured),
        agent(call("m3", "gpt", 0.5), "critic"),
        agent(ModelResult.of("m3", "no"), "critic"),
        SessionEnd.of(Status.SUCCESS).withSummary("H1 holds."));

    RecordedThread recorded = record(session);

    SessionRecord record = recorded.record();
    assertThat(record.sessionId()).isEqualTo("S1");
    assertThat(record.trace().rounds())
        .extracting(round -> senders(round))
        .containsExactly("operator:KICKOFF gpt:RESULT", "", "opus:RESULT critic:RESULT");
    assertThat(record.trace().rounds())
        .extracting(
            round -> round.startedAt() + " " + round.endedAt() + " " + round.durationMillis())
        .containsExactly(
            "2026-01-01T12:00:01Z 2026-01-01T12:00:04Z 3000",
            "2026-01-01T12:00:04Z 2026-01-01T12:00:05Z 1000",
            "2026-01-01T12:00:05Z 2026-01-01T12:00:12Z 7000");
    assertThat(texts(recorded))
        .containsExactly(
            "Why?\n\nBe brief.\n\n{\"k\":1}",
            "H1 \u00e4",
            CanonicalJson.SERDE.text(structured),
            "no");
    assertThat(record.inputs().kickoff().body()).isEqualTo("Why?\n\nBe brief.\n\n{\"k\":1}");
    assertThat(record.inputs().agentRoster())
        .containsExactly(
            AgentRosterEntry.of("gpt", Role.HYPOTHESIS_GENERATOR, "codex", "gpt")
                .withTemperature(0.5),
            AgentRosterEntry.of("opus", Role.TEST_DESIGNER, "codex", "opus").withTemperature(1.0),
            AgentRosterEntry.of("critic", Role.ADVERSARIAL_CRITIC, "codex", "gpt")
                .withTemperature(0.5));
    assertThat(recorded.texts().text(record.outputs().finalArtifactHash())).isEqualTo("H1 holds.");
    assertThat(ledger(recorded))
        .isEqualTo(
            """
        GENERATED trace.rounds[].messages[]: The task of the session is a KICKOFF from "operator". (line 2)
        LEFT_OUT trace.rounds[].messages[]: A record does not have these events. (3 ModelCall events, 1 ToolCall event, 1 ToolResult event)
        GENERATED trace.rounds: Each completed step is a round, from the end of the round before. (events StepComplete and SessionEnd)
        GENERATED inputs.agent_roster[0]: The role is generated: the log does not state it. (producer and model calls)
        GENERATED inputs.agent_roster[1]: The role is generated: the log does not state it. (producer and model calls)
        GENERATED inputs.agent_roster[2]: The role is generated: the log does not state it. (producer and model calls)
        GENERATED inputs.kickoff.kickoff_body_md: The text of the first KICKOFF is that of the kickoff. (line 2)
        ASSUMED inputs.protocol_versions: No versions were given: delta_format and artifact_schema have their default, v0.1.
        ASSUMED inputs.external_evidence: No evidence was given: the session had none.
        ASSUMED trace.interventions: No interventions were given: there were none.
        GENERATED outputs.final_artifact_hash: The summary of the session is taken as the final artifact. (line 13)
        ASSUMED outputs.lint_result: No result was given: the artifact has no errors.
        ASSUMED outputs: No counts were given: hypothesis_count and test_count are 0.
        """);
    assertConsistent(recorded);
  }

  @Test
  void outputs_of_tools_are_evidence_if_no_model_is_recorded() throws IOException {
    Session session = session(
        SessionStart.of("S1"),
        ToolCall.of("t1", "search", JsonObject.EMPTY),
        output("t1", "found"),
        agent(output("t2", List.of(1, 2)), "helper"));

    RecordedThread recorded = record(session);

    assertThat(recorded.record().trace().rounds())
        .extracting(round -> senders(round))
        .containsExactly("codex:EVIDENCE helper:EVIDENCE");
    assertThat(texts(recorded)).containsExactly("found", "[1,2]");
    assertThat(recorded.record().inputs().agentRoster())
        .extracting(AgentRosterEntry::model)
        .containsExactly("unknown", "unknown");
    assertThat(recorded.texts().text(recorded.record().outputs().finalArtifactHash()))
        .isEqualTo("[1,2]");
    assertThat(ledger(recorded))
        .contains("The log has no ModelResult: each output of a tool is EVIDENCE of its agent.")
        .contains("ASSUMED trace.rounds[0].ended_at: No event ends the last round")
        .contains("ASSUMED inputs.kickoff: No kickoff was given")
        .contains("The last EVIDENCE is taken as the final artifact. (line 5)");
    assertConsistent(recorded);
  }

  @Test
  void event_without_a_time_has_the_last_known_one() throws IOException {
    Session session = session(
        SessionStart.of("S1").withTask(Task.of("Why?")),
        ModelResult.of("m1", "one"),
        StepComplete.of("s", Status.SUCCESS, 1),
        ModelResult.of("m2", "two"),
        SessionEnd.of(Status.SUCCESS));
    List<String> lines = Files.readAllLines(session.log());
    lines.set(2, lines.get(2).replaceAll(",?\"t\":\"[^\"]*\"", ""));
    lines.set(4, lines.get(4).replaceAll(",?\"t\":\"[^\"]*\"", ""));
    Files.writeString(session.log(), String.join("\n", lines) + "\n");

    RecordedThread recorded = record(session);

    assertThat(messages(recorded))
        .extracting(message -> message.timestamp().text())
        .containsExactly("2026-01-01T12:00:01Z", "2026-01-01T12:00:01Z", "2026-01-01T12:00:03Z");
    assertThat(ledger(recorded))
        .contains("An event without a time has that of the event before it: line 3 and 1 more.");
    assertConsistent(recorded);
  }

  @Test
  void log_without_times_has_that_of_the_record() throws IOException {
    Session session =
        session(SessionStart.of("S1").withTask(Task.of("Why?")), ModelResult.of("m1", "one"));
    String log = Files.readString(session.log());
    Files.writeString(
        session.log(),
        log.replaceAll("\"created_at\":\"[^\"]*\",|,\"t\":\"[^\"]*\"", "").strip());

    RecordedThread recorded = record(session);

    assertThat(messages(recorded))
        .extracting(message -> message.timestamp().text())
        .containsOnly("2026-01-02T00:00:00Z");
    assertThat(ledger(recorded)).contains("No event states a time: all have that of the record.");
    assertConsistent(recorded);
  }

  @Test
  void blobs_are_read() throws IOException {
    byte[] json = "\"H1 in a blob\"".getBytes(StandardCharsets.UTF_8);
    ContentHash hash = ContentHash.sha256(json);
    BlobRef ref = BlobRef.of(hash, json.length);
    new BlobStore(temp.resolve("session/blobs")).write(ref, json);
    ModelResult result = ModelResult.of("m1", "").withAnswer(new Content(null, hash, ref, null));

    RecordedThread recorded = record(session(result));

    assertThat(texts(recorded)).containsExactly("H1 in a blob");
  }

  @Test
  void altered_blob_is_refused_with_the_line() throws IOException {
    byte[] json = "\"H1 in a blob\"".getBytes(StandardCharsets.UTF_8);
    ContentHash hash = ContentHash.sha256(json);
    BlobRef ref = BlobRef.of(hash, json.length);
    Path blobs = temp.resolve("session/blobs");
    new BlobStore(blobs).write(ref, json);
    Session session =
        session(ModelResult.of("m1", "").withAnswer(new Content(null, hash, ref, null)));
    Path blob = blobs.resolve("sha256-" + hash.hex() + ".json");
    Files.writeString(blob, "\"H2 in a blob\"");

    assertThatThrownBy(() -> record(session))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(session.log() + ": line 2: " + blob + ": the bytes have the hash");
  }

  @Test
  void result_without_its_value_is_left_out() throws IOException {
    ContentHash hash = CanonicalJson.SERDE.hash(JsonString.of("secret"));
    Session session = session(
        SessionStart.of("S1"),
        ModelResult.of("m1", "").withAnswer(Content.ofHash(hash)),
        ModelResult.of("m2", "").withAnswer(Content.ofHash(hash)));

    RecordedThread recorded = record(session);

    assertThat(messages(recorded)).isEmpty();
    assertThat(ledger(recorded))
        .contains("LEFT_OUT trace.rounds[].messages[]: The session does not have the value of this"
            + " result: it is not a message. (line 3 and 1 more)");
    assertThat(recorded.record().replayObstacles()).hasSize(3);
    assertConsistent(recorded);
  }

  @Test
  void roster_that_is_given_is_used_and_an_agent_may_be_the_operator() throws IOException {
    Session session = session(
        SessionStart.of("S1").withTask(Task.of("Why?")),
        agent(ModelResult.of("m1", "one"), "operator"));
    List<AgentRosterEntry> roster =
        List.of(AgentRosterEntry.of("operator", Role.TEST_DESIGNER, "codex", "gpt"));

    SessionRecord record =
        SessionRecording.of(session).roster(roster).clock(CLOCK).record().record();

    assertThat(record.inputs().agentRoster()).isEqualTo(roster);
    assertThat(senders(record.trace().rounds().get(0))).isEqualTo("codex:KICKOFF operator:RESULT");
  }

  @Test
  void log_without_a_session_id_is_named_by_its_hash() throws IOException {
    Session session = session(ModelResult.of("m1", "one"));

    RecordedThread recorded = record(session);

    assertThat(recorded.record().sessionId())
        .isEqualTo("session-" + session.replayHash().hex().substring(0, 16));
    assertThat(ledger(recorded)).contains("GENERATED session_id: The log does not state the id");
  }

  @Test
  void log_that_cannot_be_read_is_refused() throws IOException {
    Session session = session(ModelResult.of("m1", "one"));
    Files.writeString(session.log(), Files.readString(session.log()) + "{\n");

    assertThatThrownBy(() -> record(session))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("line 3");

    Files.writeString(
        session.log(),
        Files.readString(session.log())
            .replace("\"replay_version\":1", "\"replay_version\":2")
            .replace("{\n", ""));
    assertThatThrownBy(() -> record(session))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("only versions 1 and 1.x are supported");
  }

  @Test
  void same_session_at_the_same_time_makes_the_same_record() throws IOException {
    Session session =
        session(SessionStart.of("S1").withTask(Task.of("Why?")), ModelResult.of("m1", "one"));

    assertThat(record(session).record()).isEqualTo(record(session).record());
    assertThat(ledger(record(session))).isEqualTo(ledger(record(session)));
  }

  private RecordedThread record(Session session) throws IOException {
    return SessionRecording.of(session).clock(CLOCK).record();
  }

  /** Writes a session whose events are one second apart. */
  private Session session(ReplayEvent... events) throws IOException {
    Path directory = Files.createDirectories(temp.resolve("session"));
    Instant time = Instant.parse("2026-01-01T12:00:00Z");
    ReplayHeader header = HEADER.withMeta(Meta.at(Timestamp.of(time)));
    try (ReplayWriter writer = ReplayWriter.create(directory.resolve(Session.LOG_NAME), header)) {
      for (ReplayEvent event : events) {
        time = time.plusSeconds(1);
        writer.emit(event.withMeta(event.meta().withTime(Timestamp.of(time))));
      }
    }
    return Session.open(directory);
  }

  private static ModelCall call(String id, String model, double temperature) {
    return ModelCall.of(id, model, Prompt.of("?"))
        .withParameters(Parameters.NONE.withTemperature(temperature));
  }

  private static ToolResult output(String id, Object output) {
    return ToolResult.of(id, output).withOutcome(Outcome.exit(0)).withLatencyMillis(1L);
  }

  private static ReplayEvent agent(ReplayEvent event, String agent) {
    return event.withMeta(event.meta().withAgent(agent));
  }

  private static String senders(Round round) {
    return round.messages().stream()
        .map(message -> message.from() + ":" + message.type())
        .collect(Collectors.joining(" "));
  }

  private static List<TraceMessage> messages(RecordedThread recorded) {
    return recorded.record().trace().rounds().stream()
        .flatMap(round -> round.messages().stream())
        .toList();
  }

  private static List<String> texts(RecordedThread recorded) throws IOException {
    List<String> texts = new ArrayList<>();
    for (TraceMessage message : messages(recorded)) {
      texts.add(recorded.texts().text(message.contentHash()));
    }
    return texts;
  }

  private static String ledger(RecordedThread recorded) {
    return recorded.ledger().stream()
        .map(entry -> entry.kind() + " " + entry + "\n")
        .collect(Collectors.joining());
  }

  private static void assertConsistent(RecordedThread recorded) throws IOException {
    assertThat(RecordCheck.of(recorded.record(), recorded.texts()).problems()).isEmpty();
  }
}
