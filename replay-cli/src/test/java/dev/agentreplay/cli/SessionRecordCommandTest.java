package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code replay session record}: sources, options, and what is refused. */
class SessionRecordCommandTest {

  @TempDir
  Path home;

  private Console record(Object... more) {
    List<String> words = new ArrayList<>(List.of("session", "record"));
    Stream.of(more).map(Object::toString).forEach(words::add);
    return Console.run(words.toArray(String[]::new));
  }

  private SessionRecord read(String file) throws IOException {
    return SessionRecords.read(Files.readAllBytes(home.resolve(file)));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text);
  }

  private Path output() {
    return home.resolve("record.json");
  }

  /** The names of all files, except those that the test wrote itself. */
  private List<String> files(String... own) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> home.relativize(file).toString())
          .filter(file -> !List.of(own).contains(file))
          .sorted()
          .toList();
    }
  }

  @Test
  void export_with_roster_and_artifact_can_be_replayed() throws IOException {
    Console console = record(
        ResearchThread.export(home),
        "--roster",
        ResearchThread.roster(home),
        "--artifact",
        ResearchThread.artifact(home),
        "-o",
        output());

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(console.out())
        .startsWith("recorded REC-RS-cell-fate-")
        .contains(": 2 rounds, 6 messages, 2 agents\n  " + output())
        .endsWith("can be replayed: replay session replay %s --mode verify --agents CMD\n"
            .formatted(output()));
    assertThat(console.err())
        .contains("assumed    inputs.protocol_versions: No versions were given")
        .doesNotContain("agent_roster");
    assertThat(read("record.json").sessionId()).isEqualTo(ResearchThread.SESSION);
    assertThat(files("thread.json", "roster.json", "artifact.md"))
        .hasSize(1 + 6)
        .filteredOn(file -> file.startsWith("content"))
        .hasSize(6);
  }

  @Test
  void record_that_cannot_be_replayed_states_why() throws IOException {
    Console console = record(ResearchThread.export(home), "--output", output());

    assertThat(console.exit()).isZero();
    assertThat(console.out())
        .endsWith("  cannot be replayed: inputs.agent_roster: expected at least one agent, found"
            + " none; outputs.final_artifact_hash: expected a hash, found empty text\n");
  }

  @Test
  void lines_make_the_same_record_as_an_array() throws IOException {
    String lines = ResearchThread.messages().stream()
        .map(message -> message + "\n")
        .collect(Collectors.joining());
    record(ResearchThread.export(home), "--output", output());
    record(write("lines.jsonl", lines), "--output", home.resolve("lines.json"));

    assertThat(read("lines.json").trace()).isEqualTo(read("record.json").trace());
  }

  @Test
  void session_of_this_library_is_recorded() throws Exception {
    GreetingSession.record(home, "greeting", "Hello");
    Path session = home.resolve("greeting");

    Console console = record(session, "--output", output());

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(console.out()).contains("recorded REC-fix-greeting-", "can be replayed");
    assertThat(console.err()).contains("generated  inputs.agent_roster[0]");
    Console byId = record(
        "fix-greeting", "--sessions", home, "--output", home.resolve("other.json"), "--no-content");
    assertThat(byId.exit()).as(byId.err()).isZero();
    assertThat(read("other.json").trace()).isEqualTo(read("record.json").trace());
  }

  @Test
  void every_part_can_be_stated() throws IOException {
    Console console = record(
        ResearchThread.export(home),
        "--session-id",
        "RS-other",
        "--kickoff",
        write("kickoff.json", "{\"question\":\"Why?\",\"thread_id\":\"RS-other\"}"),
        "--evidence",
        write(
            "evidence.json",
            "[{\"id\":\"EV-1\",\"type\":\"paper\",\"source\":\"S\",\"excerpt_count\":2}]"),
        "--protocol",
        "role_prompts=v7",
        "--protocol=delta_format=v0.2",
        "--lint",
        write("lint.json", "{\"errors\":1,\"warnings\":0,\"valid\":false}"),
        "--outputs",
        write("outputs.json", "{\"hypothesis_count\":3,\"scorecard_grade\":\"A\"}"),
        "--interventions",
        write(
            "interventions.json",
            """
            [{"id":"INT-RS-001","session_id":"RS-other","timestamp":"2026-01-01T10:02:30Z",
              "operator_id":"Olga","type":"decision_override","severity":"major","target":{},
              "rationale":"Because it was wrong."}]
            """),
        "--compiled-bodies",
        "--output",
        output());

    assertThat(console.exit()).as(console.err()).isZero();
    SessionRecord record = read("record.json");
    assertThat(record.id()).startsWith("REC-RS-other-");
    assertThat(record.inputs().kickoff().question()).isEqualTo("Why?");
    assertThat(record.inputs().externalEvidence()).hasSize(1);
    assertThat(record.inputs().protocolVersions().rolePrompts()).isEqualTo("v7");
    assertThat(record.inputs().protocolVersions().deltaFormat()).isEqualTo("v0.2");
    assertThat(record.outputs().lintResult().errors()).isOne();
    assertThat(record.outputs().counts().hypotheses()).isEqualTo(3);
    assertThat(record.outputs().scorecard().grade()).isEqualTo("A");
    assertThat(record.trace().interventions()).hasSize(1);
    assertThat(record.trace().rounds())
        .allSatisfy(round -> assertThat(round.compiledArtifactHash()).isNotNull());
  }

  @Test
  void record_without_content_has_hashes_only() throws IOException {
    Console console = record(ResearchThread.export(home), "--output", output(), "--no-content");

    assertThat(console.exit()).isZero();
    assertThat(files("thread.json")).containsExactly("record.json");
  }

  @Test
  void existing_file_is_replaced_on_request_only() throws IOException {
    write("record.json", "mine");
    Path export = ResearchThread.export(home);

    Console refused = record(export, "--output", output());

    assertThat(refused.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err())
        .isEqualTo("replay: %s exists; --overwrite replaces it\n".formatted(output()));
    assertThat(output()).hasContent("mine");
    assertThat(files("thread.json")).containsExactly("record.json");
    assertThat(record(export, "--output", output(), "--overwrite").exit()).isZero();
    assertThat(read("record.json").sessionId()).isEqualTo(ResearchThread.SESSION);
  }

  @Test
  void input_is_not_replaced() throws IOException {
    Path export = ResearchThread.export(home);
    Path roster = ResearchThread.roster(home);
    for (Path input : List.of(export, roster)) {
      String before = Files.readString(input);

      Console console = record(export, "--roster", roster, "--output", input, "--overwrite");

      assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
      assertThat(console.err()).contains("it is an input of this command; name a different file");
      assertThat(input).hasContent(before);
    }
  }

  @Test
  void altered_content_stops_the_record_before_it_is_written() throws IOException {
    Path export = ResearchThread.export(home);
    record(export, "--output", output());
    Files.delete(output());
    String text;
    try (Stream<Path> texts = Files.list(home.resolve("content"))) {
      Path altered = texts.findFirst().orElseThrow();
      text = altered.getFileName().toString();
      Files.writeString(altered, "altered");
    }

    Console console = record(export, "--output", output());

    assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err()).contains(text);
    assertThat(output()).doesNotExist();
  }

  @Test
  void hostile_id_names_no_path_and_controls_no_terminal() throws IOException {
    Path store = home.resolve("store");

    Console console =
        record(ResearchThread.export(home), "--session-id", "../\u001b[31mx", "--store", store);

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(console.out() + console.err()).doesNotContain("\u001b");
    assertThat(files("thread.json")).allMatch(file -> file.startsWith("store"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void empty_session_id_is_refused(String id) throws IOException {
    Console console = record(ResearchThread.export(home), "--session-id", id, "--output", output());

    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err())
        .startsWith("replay: --session-id: expected an id, found an empty text\n");
  }

  @Test
  void export_without_a_thread_is_named_by_its_file() throws IOException {
    Path file = write(
        "RS9.messages.json",
        "{\"ts\":\"2026-01-01T10:00:00Z\",\"from\":\"A\",\"type\":\"DELTA\",\"body_md\":\"x\"}");

    Console console = record(file, "--output", output());

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(console.err()).startsWith("replay: session_id: the name of the file, RS9\n");
    assertThat(read("record.json").sessionId()).isEqualTo("RS9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      ``                  | expected a log, found no events
      hello               | line 1, byte 0: expected a JSON value, found 'h'
      {"a":1}             | expected a log, found no event of a known kind in its lines: 1
      []                  | not an export of messages\\n  expected at least one message, found none
      [1,{}]              | not an export of messages\\n  message 1, line 1: expected an object, found number 1\\n  message 2, line 1: ts: is missing
      {"messages":[]}     | not an export of messages\\n  expected at least one message
      {"inputs":{},"trace":{"messages":[]}} | not an export of messages\\n  expected an array, lines or an object of messages, found a session record
      [                   | not an export of messages\\n  line 1: expected a JSON value, found the end
      """)
  void rubbish_is_refused(String text, String message) throws IOException {
    Path file = write("rubbish", text);

    Console console = record(file, "--output", output());

    assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err()).startsWith("replay: " + file + ": " + message.replace("\\n", "\n"));
    assertThat(console.out()).isEmpty();
    assertThat(files("rubbish")).isEmpty();
  }

  @Test
  void record_and_directory_are_refused_as_a_thread() throws IOException {
    Path record = ResearchThread.record(home, "one");

    assertThat(record(record, "--output", output()).err())
        .isEqualTo("replay: " + record + ": not an export of messages\n"
            + "  expected an array, lines or an object of messages, found a session record\n");
    assertThat(record(home, "--output", output()).exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(record(home.resolve("none"), "--output", output()).err())
        .contains("no such file or directory");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      --roster        | {"a":1} | not a roster of agents\\n  must be an array, found object {"a":1}
      --roster        | [{"agent_name":"","role":"x"}] | not a roster of agents\\n  [0].agent_name: must not be empty: ""\\n  [0].role: must be one of hypothesis_generator, test_designer, adversarial_critic: "x"\\n  [0].program: is missing\\n  [0].model: is missing
      --roster        | x       | not a roster of agents: expected a JSON value, found 'x' at byte 0
      --roster        | ``      | the file is empty; expected a roster of agents
      --artifact      | ``      | the file is empty; expected an artifact
      --lint          | {}      | not the result of a linter\\n  errors: is missing\\n  warnings: is missing\\n  valid: is missing
      --outputs       | {"test_cout":1,"lint_result":{}} | not the numbers of an artifact\\n  test_cout: is not a number of an artifact; did you mean 'test_count'?\\n  lint_result: is stated by --lint; remove it here
      --outputs       | {"test_count":-1} | not the numbers of an artifact\\n  test_count: must not be negative: -1
      --outputs       | [1]     | not the numbers of an artifact: expected a JSON object, found a JSON array
      --interventions | [{}]    | not an array of interventions\\n  [0].id: is missing
      --evidence      | {}      | not an array of evidence\\n  must be an array, found object {}
      --kickoff       | {"question":1} | not a kickoff\\n  question: must be a string
      """)
  void file_of_an_option_is_reported_with_each_problem(String option, String text, String message)
      throws IOException {
    Path file = write("file", text);

    Console console = record(ResearchThread.export(home), option, file, "--output", output());

    assertThat(console.exit()).as(console.err()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err()).startsWith("replay: " + file + ": " + message.replace("\\n", "\n"));
    assertThat(output()).doesNotExist();
  }

  @Test
  void artifact_that_is_not_text_is_refused_with_its_position() throws IOException {
    Path file = Files.write(home.resolve("artifact"), new byte[] {'a', 'b', (byte) 0xff});
    Path export = ResearchThread.export(home);

    assertThat(record(export, "--artifact", file, "--output", output()).err())
        .isEqualTo("replay: %s: not an artifact: expected UTF-8, found other bytes at byte 2\n"
            .formatted(file));
    assertThat(record(export, "--artifact", home, "--output", output()).err())
        .isEqualTo("replay: %s: is a directory\n".formatted(home));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      ''                                | expected either --output FILE or --store DIR
      --output a --store b              | expected either --output FILE or --store DIR
      --store b --overwrite             | --overwrite requires --output
      --output a --protocol x           | --protocol: expected NAME=VALUE with one of role_prompts,
      --output a --protocol role_prompt=1 | evidence_pack as NAME, found "role_prompt=1"; did you mean 'role_prompts'?
      --output a --protocol role_prompts=1 --protocol role_prompts=2 | --protocol: two versions of role_prompts
      """)
  void wrong_options_are_refused(String options, String message) throws IOException {
    List<Object> words = new ArrayList<>(List.of(ResearchThread.export(home)));
    words.addAll(
        options.isEmpty()
            ? List.of()
            : List.of(options.replaceAll("\\b([ab])( |$)", home + "/$1$2").split(" ")));

    Console console = record(words.toArray());

    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).contains(message).contains("Try 'replay session record --help'.");
    assertThat(files("thread.json")).isEmpty();
  }

  @Test
  void places_that_cannot_be_written_are_refused_first() throws IOException {
    Path export = ResearchThread.export(home);

    Console missing = record(export, "--output", home.resolve("none/record.json"));
    Console directory = record(export, "--output", home);
    Console store = record(export, "--store", export);

    assertThat(missing.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(missing.err()).endsWith("--output: there is no directory " + home + "/none\n");
    assertThat(directory.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(directory.err())
        .isEqualTo(
            "replay: %s exists: it is a directory; expected the name of a file\n".formatted(home));
    assertThat(store.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(store.err()).isEqualTo("replay: %s: expected a directory\n".formatted(export));
  }

  @Test
  void store_takes_several_records_and_refuses_none_of_them() throws IOException {
    Path store = home.resolve("store");
    Path roster = ResearchThread.roster(home);

    Console first = record(ResearchThread.export(home), "--store", store, "--roster", roster);
    Console second = record(ResearchThread.export(home), "--store", store, "--session-id", "S2");

    assertThat(List.of(first.exit(), second.exit())).containsOnly(0);
    Path written = Path.of(first.out().lines().toList().get(1).strip());
    assertThat(written).startsWith(store.resolve("records"));
    SessionRecord record = SessionRecords.read(Files.readAllBytes(written));
    assertThat(record.inputs().agentRoster())
        .extracting(AgentRosterEntry::agentName)
        .containsExactly("Blue", "Red");
    assertThat(Console.run("session", "list", "--store", store.toString()).out())
        .endsWith("2 records\n");
  }

  @Test
  void other_members_and_unusual_messages_are_noted() throws IOException {
    JsonObject message = ResearchThread.messages().get(1).with("mood", "good");
    Path file = home.resolve("one.json");
    Files.write(file, message.toString().getBytes(StandardCharsets.UTF_8));

    Console console = record(file, "--output", output());

    assertThat(console.err()).contains("left out   trace.rounds[].messages[]", "mood");
  }
}
