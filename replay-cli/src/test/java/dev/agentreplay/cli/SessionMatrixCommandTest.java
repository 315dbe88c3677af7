package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.store.RecordFile;
import dev.agentreplay.records.store.RecordStore;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command compares a session record with records of its session that were made elsewhere. */
class SessionMatrixCommandTest {

  private static final RecordTime START = RecordTime.parse("2026-01-01T10:00:00Z");

  @TempDir
  Path home;

  private SessionRecord record;
  private RecordTexts texts;
  private Path original;
  private Path other;

  @BeforeEach
  void write() throws IOException {
    texts = RecordTexts.of(List.of("H1", "Artifact"));
    SessionRecord empty = SessionRecord.createEmpty("RS1", START);
    record = empty
        .withInputs(empty
            .inputs()
            .withAgentRoster(
                List.of(AgentRosterEntry.of("Blue", Role.HYPOTHESIS_GENERATOR, "p", "m"))))
        .withTrace(empty
            .trace()
            .withRounds(List.of(Round.of(
                    0,
                    START,
                    List.of(TraceMessage.of(START, "Blue", TraceMessage.Type.DELTA, "H1")))
                .withEndedAt(START)))
            .withEndedAt(START))
        .withOutputs(empty.outputs().withFinalArtifactHash(RecordHash.ofContent("Artifact")));
    original = write("original", record);
    other = write(
        "other",
        record.withInputs(record
            .inputs()
            .withProtocolVersions(
                new ProtocolVersions(null, "v0.2", "v0.1", null, null, record.extra()))));
  }

  private Path write(String name, SessionRecord written) throws IOException {
    Path file = Files.createDirectory(home.resolve(name)).resolve("record.json");
    RecordFile.at(file).create(written, texts);
    return file;
  }

  private Console replay(Object... arguments) {
    String[] command = new String[arguments.length + 2];
    command[0] = "session";
    command[1] = "replay";
    for (int i = 0; i < arguments.length; i++) {
      command[i + 2] = arguments[i].toString();
    }
    return Console.run(command);
  }

  @Test
  void record_that_is_given_twice_is_wrong_usage() {
    Console console = replay(original, "--mode", "compare", "--against", other, "--against", other);

    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err())
        .contains("--against: expected different ones, found " + other + " twice");
  }

  @Test
  void rounds_that_the_record_does_not_have_are_refused() {
    Console console =
        replay(original, "--mode", "verify", "--against", original, "--rounds", "7..9");

    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err())
        .contains("no round of the record is from 7 to 9; it has rounds from 0 to 0");
  }

  @Test
  void stated_input_does_not_hide_the_other_inputs_of_a_record_that_ran() {
    Console console = replay(
        original,
        "--mode",
        "verify",
        "--against",
        other,
        "--protocol",
        "artifact_schema=v0.1",
        "--inputs",
        "refuse");

    assertThat(console.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(console.err()).contains("protocol_versions.delta_format");
  }

  @Test
  void report_of_a_comparison_is_saved_with_all_of_its_members() throws IOException {
    RecordStore store = RecordStore.create(home.resolve("store"));
    store.add(record, texts);

    Console console = replay(
        "RS1",
        "--store",
        store.directory(),
        "--mode",
        "compare",
        "--against",
        other,
        "--save",
        "--format",
        "json");

    assertThat(console.exit()).isZero();
    assertThat(store.reports(record.id())).singleElement().satisfies(file -> assertThat(
            JsonText.parse(Files.readAllBytes(file)))
        .isEqualTo(JsonText.parse(console.out())));
  }
}
