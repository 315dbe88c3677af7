package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code replay session check}, {@code list} and {@code show}, of files and in a store. */
class SessionStoreCommandsTest {

  @TempDir
  Path home;

  private static Console session(Object... words) {
    return Console.run(Stream.concat(Stream.of("session"), Stream.of(words))
        .map(Object::toString)
        .toArray(String[]::new));
  }

  /** Adds the session to the store under an id. */
  private Path stored(String id) throws IOException {
    Path store = home.resolve("store");
    Console console = session(
        "record",
        ResearchThread.export(home),
        "--session-id",
        id,
        "--roster",
        ResearchThread.roster(home),
        "--artifact",
        ResearchThread.artifact(home),
        "--store",
        store);
    assertThat(console.exit()).as(console.err()).isZero();
    return store;
  }

  private static Path change(Path record, String from, String to) throws IOException {
    String text = Files.readString(record);
    assertThat(text).contains(from);
    return Files.writeString(record, text.replace(from, to));
  }

  private static Path text(Path record, String text) throws IOException {
    try (Stream<Path> texts = Files.list(record.resolveSibling("content"))) {
      for (Path file : texts.toList()) {
        if (Files.readString(file).equals(text)) {
          return file;
        }
      }
    }
    throw new AssertionError("no such text: " + text);
  }

  @Test
  void consistent_record_has_no_problems() throws IOException {
    Path record = ResearchThread.record(home, "one");

    Console file = session("check", record);
    Console directory = session("check", record.getParent());

    assertThat(file.exit()).as(file.err()).isZero();
    assertThat(file.out())
        .contains(": consistent\n", "6 match their hashes, 0 missing, 0 altered")
        .contains("replay     can be replayed", "Olga is an operator");
    assertThat(directory).isEqualTo(file);
  }

  @Test
  void altered_and_missing_texts_are_counted() throws IOException {
    Path record = ResearchThread.record(home, "one");
    Files.writeString(text(record, ResearchThread.CRITIQUE), "H1 explains all.");
    Files.delete(text(record, ResearchThread.TEST));

    Console check = session("check", record);

    assertThat(check.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(check.out())
        .contains("4 match their hashes, 1 missing, 1 altered")
        .contains("  problem    trace.rounds[0].messages[2].content_hash: ");
  }

  @Test
  void texts_elsewhere_are_used() throws IOException {
    Path record = ResearchThread.record(home, "one");
    Path content = Files.move(record.resolveSibling("content"), home.resolve("elsewhere"));

    assertThat(session("check", record).out()).contains("0 match their hashes, 6 missing");
    assertThat(session("check", record, "--content", content).out()).contains("6 match");
  }

  @Test
  void contradictions_are_listed() throws IOException {
    Path record = ResearchThread.record(home, "one");
    change(record, "\"round_number\": 1", "\"round_number\": 3");
    change(record, "\"valid\": true", "\"valid\": false");

    Console text = session("check", record);
    Console json = session("check", record, "--format", "json");

    assertThat(text.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(text.out()).contains(": 2 problems\n", "problem    trace.rounds[1].round_number: ");
    JsonObject report = (JsonObject) JsonText.parse(json.out());
    assertThat(report.at("/schema").asString()).isEqualTo("replay.session-check/1");
    assertThat(report.at("/verdict").asString()).isEqualTo("inconsistent");
    assertThat(((JsonArray) report.at("/problems")).size()).isEqualTo(2);
  }

  @Test
  void file_that_breaks_constraints_is_listed_with_each_problem() throws IOException {
    Path record = ResearchThread.record(home, "one");
    change(record, "\"role\": \"adversarial_critic\"", "\"role\": \"critic\"");
    change(record, "\"content_length\": 9", "\"content_length\": -9");

    for (List<String> command :
        List.of(List.of("check"), List.of("show"), List.of("replay", "--mode", "trace"))) {
      Console console =
          session(Stream.concat(command.stream(), Stream.of(record)).toArray());

      assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(console.out()).isEmpty();
      assertThat(console.err())
          .isEqualTo(
              """
              replay: %s: not a session record
                inputs.agent_roster[1].role: must be one of hypothesis_generator, test_designer, adversarial_critic: "critic"
                trace.rounds[0].messages[3].content_length: must not be negative: -9
                trace.rounds[1].messages[1].content_length: must not be negative: -9
              """
                  .formatted(record));
    }
    Console json = session("check", record, "--format", "json");
    assertThat(json.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(JsonText.parse(json.out()).at("/problems/0/path").asString())
        .isEqualTo("inputs.agent_roster[1].role");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      ``        | not a session record\\n  expected a JSON value, found the end at byte 0
      hello     | not a session record\\n  expected a JSON value, found 'h' at byte 0
      {"id":    | not a session record\\n  expected a JSON value, found the end at byte 6
      [1]       | not a session record\\n  must be an object, found array [1]
      {"id":"x"}| not a session record\\n  id: must match ^REC-[A-Za-z0-9][\\\\w-]*-\\\\d+$: "x"\\n  session_id: is missing
      {"event":"ReplayHeader","replay_version":1} | not a session record, but the log of a session, of which replay session record makes one\\n  id: is missing
      [{"body_md":"x"}] | not a session record, but an export of messages, of which replay session record makes one\\n
      """)
  void rubbish_is_refused(String text, String message) throws IOException {
    Path file = Files.writeString(home.resolve("rubbish"), text);
    String expected = "replay: " + file + ": " + message.replace("\\n", "\n").replace("\\\\", "\\");

    for (String command : List.of("check", "show")) {
      Console console = session(command, file);

      assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(console.err()).startsWith(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "show"})
  void missing_record_is_reported(String command) throws IOException {
    Path directory = Files.createDirectory(home.resolve("empty"));
    Path store = stored("S1");

    assertThat(session(command, home.resolve("none")).err())
        .isEqualTo("replay: %s: no such file or directory; --store DIR finds a record by its id\n"
            .formatted(home.resolve("none")));
    assertThat(session(command, directory).err())
        .isEqualTo("replay: %s: expected a record, found a directory without the file record.json\n"
            .formatted(directory));
    assertThat(session(command, store).err())
        .isEqualTo("replay: %s: a store of records; name one of its records, with --store %s\n"
            .formatted(store, store));
    assertThat(session(command, "S2", "--store", store).err())
        .isEqualTo("replay: %s: no record has the id or session id \"S2\"\n".formatted(store));
    assertThat(session(command, "S1", "--store", home.resolve("none")).exit())
        .isEqualTo(ExitCode.UNREADABLE);
  }

  @Test
  void record_is_found_by_its_id_and_by_its_session() throws IOException {
    Path store = stored("S1");
    stored("S2");
    String id = session("list", "--store", store).out().split(" ")[0];

    Console byId = session("show", id, "--store", store);
    Console bySession = session("show", "S1", "--store", store);
    Console byPath = session("show", store.resolve("records").resolve(id));

    assertThat(byId.exit()).as(byId.err()).isZero();
    assertThat(byId.out()).startsWith(id + "\n  session       S1\n");
    assertThat(bySession).isEqualTo(byId);
    assertThat(byPath).isEqualTo(byId);
    assertThat(session("check", "S2", "--store", store).out()).contains("6 match their hashes");
  }

  @Test
  void several_records_of_a_session_are_named() throws IOException {
    Path store = stored("S1");
    stored("S1");

    Console console = session("show", "S1", "--store", store);

    assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err())
        .contains("expected one record of the session \"S1\", found REC-S1-")
        .contains(" and REC-S1-", "state the id of one of them");
  }

  @Test
  void list_has_each_record_also_as_json() throws IOException {
    Path store = stored("S1");
    stored("S2");

    Console text = session("list", "--store", store);
    Console json = session("list", "--store", store, "--format", "json");

    assertThat(text.exit()).isZero();
    assertThat(text.out()).contains("2 rounds, 6 messages, 0 replays\n").endsWith("2 records\n");
    assertThat(json.out().lines()).hasSize(2).allSatisfy(line -> assertThat(
            JsonText.parse(line).at("/replayable"))
        .isEqualTo(JsonValue.of(true)));
  }

  @Test
  void record_that_cannot_be_read_is_listed_with_the_others() throws IOException {
    Path store = stored("S1");
    Path broken = Files.createDirectory(store.resolve("records/REC-broken-1"));
    Files.writeString(broken.resolve("record.json"), "{");

    Console text = session("list", "--store", store);
    Console json = session("list", "--store", store, "--format", "json");

    assertThat(text.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(text.out())
        .contains("REC-S1-", "REC-broken-1  cannot be read: ", "expected a name in quotes")
        .endsWith("2 records\n");
    assertThat(json.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(json.out()).contains("{\"id\":\"REC-broken-1\",\"error\":\"");
  }

  @Test
  void list_requires_a_store() throws IOException {
    Path empty = Files.createDirectory(home.resolve("empty"));

    Console none = session("list");

    assertThat(none.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(none.err())
        .startsWith("replay: missing --store DIR (default: $REPLAY_HOME), the directory with");
    assertThat(session("list", "--store", empty).out()).isEqualTo("0 records\n");
    assertThat(session("list", "--store", home.resolve("none")).exit())
        .isEqualTo(ExitCode.UNREADABLE);
  }

  @Test
  void show_prints_all_parts_of_a_record() throws IOException {
    Path record = ResearchThread.record(home, "one");

    Console text = session("show", record);
    Console json = session("show", record, "--format", "json");

    assertThat(text.out())
        .contains("  agent         Blue, hypothesis_generator, coder, m-1\n")
        .contains("  round 1, 2 messages\n")
        .contains("    DELTA     2026-01-01T10:02:00Z  Blue  57 bytes  DELTA: H1\n")
        .contains("  outputs       0 hypotheses, 0 tests, 0 lint errors, 0 lint warnings\n");
    assertThat(JsonText.parse(json.out())).isEqualTo(JsonText.parse(Files.readString(record)));
  }

  @Test
  void names_in_a_record_control_no_terminal() throws IOException {
    String hostile = "\\u001b[31m\\u202e\\nFORGED";
    Path record = ResearchThread.record(home, "one");
    change(record, "\"Blue\"", "\"Bl" + hostile + "ue\"");
    change(record, "\"DELTA: H1\"", "\"DELTA" + hostile + "\"");
    change(record, "\"coder\"", "\"" + hostile + "\"");

    for (List<String> command : List.of(
        List.of("check"),
        List.of("show"),
        List.of("show", "--format", "json"),
        List.of("replay", "--mode", "trace"),
        List.of("replay", "--mode", "trace", "--format", "markdown"),
        List.of("replay", "--mode", "verify", "--against", record.toString()))) {
      Console console =
          session(Stream.concat(command.stream(), Stream.of(record)).toArray());

      assertThat(console.exit()).as(console.err()).isIn(0, 1);
      assertThat(console.out() + console.err()).doesNotContain("\u001b", "\u202e");
      assertThat((console.out() + console.err()).lines())
          .noneMatch(line -> line.startsWith("FORGED"));
    }
  }
}
