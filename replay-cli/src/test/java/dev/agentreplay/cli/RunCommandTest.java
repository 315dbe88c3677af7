package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonObject;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code replay run}: modes, programs, reports and exit codes. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class RunCommandTest {

  private static final String UNSAFE = "--unsafe-no-sandbox";

  @TempDir
  Path home;

  private Path session;

  @BeforeEach
  void record() throws Exception {
    session = record("one", "Hello");
  }

  private Path record(String name, String answer) throws Exception {
    return GreetingSession.record(home, name, answer);
  }

  private Path agent(String path) throws IOException {
    return GreetingSession.agent(home, path);
  }

  private Console mock(String path, String... more) throws IOException {
    return run("mock", "sh " + agent(path), more);
  }

  private Console run(String mode, String subject, String... more) {
    List<String> words =
        new ArrayList<>(List.of("run", session.toString(), "--mode", mode, UNSAFE));
    words.addAll(List.of("--subject", subject));
    words.addAll(List.of(more));
    return Console.run(words.toArray(String[]::new));
  }

  private Path tools(String readFile) throws IOException {
    return GreetingSession.tools(home, readFile);
  }

  @Test
  void program_that_cannot_be_started_is_refused_before_the_replay() {
    Path out = home.resolve("out");
    Console run = run("mock", "/nonexistent --fast", "--out", out.toString());

    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err())
        .isEqualTo("replay: --subject: cannot start \"/nonexistent\": No such file or directory\n");
    assertThat(out).doesNotExist();
    Console model =
        Console.run("run", session.toString(), "--mode", "node", "--model", "./none", UNSAFE);
    assertThat(model.exit()).isEqualTo(3);
    assertThat(model.err())
        .isEqualTo("replay: --model: cannot start \"./none\": No such file or directory\n");
  }

  @Test
  void default_mode_verifies_and_runs_nothing() {
    Console run = Console.run("run", session.toString());

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith("identical  verified 3 exchanges in ")
        .contains("session     fix-greeting, mode validation");
  }

  @Test
  void validation_compares_with_a_different_run() throws Exception {
    Path other = record("two", "Hi");
    String[] command = {"run", session.toString(), "--against", other.toString()};

    Console run = Console.run(command);

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains("1. RESPONSE  my-model  moderate, root", "2. PARAMS  write_file");
    assertThat(Console.run(with(command, "--fail-on", "major")).exit()).isZero();
    assertThat(Console.run(with(command, "--ignore", "/answer,/params/text")).exit())
        .isZero();
  }

  private static String[] with(String[] command, String... more) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  @Test
  void same_agent_is_identical_on_recorded_values() throws IOException {
    Console run = mock("a.txt");

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.out())
        .startsWith("identical  replayed 3 exchanges in ")
        .contains("exchanges   3 recorded: 3 served", "requests    3: 3 exact");
  }

  @Test
  void changed_parameter_is_a_miss() throws IOException {
    Console run = mock("b.txt");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains(
            "1. MISS  read_file  major, root", "- recorded  \"a.txt\"", "+ actual    \"b.txt\"");
  }

  @Test
  void report_in_json_has_its_schema_and_is_exported() throws IOException {
    Path report = home.resolve("report.json");
    Path out = home.resolve("out");
    Console run = mock(
        "b.txt",
        "--on-unmatched",
        "position",
        "--format",
        "json",
        "--export-report",
        report.toString(),
        "--out",
        out.toString());

    assertThat(run.exit()).isEqualTo(1);
    JsonObject json = JsonText.parse(run.out()).asObject();
    assertThat(json.at("/schema").asString()).isEqualTo("replay.run/1");
    assertThat(json.at("/requests/position").asLong()).isOne();
    assertThat(json.at("/recording").asString()).isEqualTo(out.toString());
    assertThat(report).hasContent(run.out());
    assertThat(out).isDirectoryContaining("glob:**LEDGER.jsonl");
    assertThat(Console.run("verify", out.toString()).exit()).isZero();

    Console again = mock("a.txt", "--export-report", report.toString());
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("report.json exists; --overwrite replaces it");
    assertThat(mock("a.txt", "--out", out.toString()).err())
        .contains("--out: expected a new or empty directory");
  }

  @Test
  void page_has_both_sessions_although_that_of_the_replay_is_temporary() throws IOException {
    Path page = home.resolve("replay.html");
    Console run = mock("b.txt", "--html", page.toString());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).startsWith("diverged  replayed 0 of 3 exchanges");
    assertThat(run.err()).startsWith("wrote " + page + ", ");
    assertThat(Files.readString(page))
        .contains("<title>Replay of one</title>", "\"kind\":\"MISS\"", "\"name\":\"replay\"");
    Console again = mock("b.txt", "--html", page.toString());
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("--html: " + page + " exists; --overwrite replaces it");
    Path kept = home.resolve("kept");
    String[] options = {"--html", page.toString(), "--overwrite", "--out", kept.toString()};
    assertThat(mock("a.txt", options).exit()).isZero();
    assertThat(Files.readString(page)).contains("\"verdict\":\"identical\"", "\"name\":\"kept\"");
  }

  @Test
  void page_of_a_validation_has_the_verification_or_the_other_recording() throws Exception {
    Path page = home.resolve("replay.html");
    String recorded = session.toString();
    assertThat(Console.run("run", recorded, "--html", page.toString()).exit()).isZero();
    assertThat(Files.readString(page)).contains("\"verification\":{\"verdict\":\"valid\"");
    String[] compare = {"--against", record("two", "Hi").toString(), "--html", page.toString()};
    Console run =
        Console.run("run", recorded, compare[0], compare[1], compare[2], compare[3], "--overwrite");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(Files.readString(page)).contains("\"kind\":\"RESPONSE\"", "\"name\":\"two\"");
  }

  @Test
  void page_that_cannot_be_written_does_not_hide_the_report() throws IOException {
    Path page = home.resolve("pages").resolve("replay.html");
    Files.createDirectory(page.getParent());
    Path script = agent("a.txt");
    Files.writeString(script, Files.readString(script) + "rmdir '" + page.getParent() + "'\n");
    Console run = run("mock", "sh " + script, "--html", page.toString());

    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.out()).startsWith("identical  replayed 3 exchanges");
    assertThat(run.err()).contains("pages").doesNotContain("wrote ");
  }

  @Test
  void page_is_not_written_if_the_recording_is_refused() throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("a.txt", "x.txt"));
    Path page = home.resolve("replay.html");

    assertThat(mock("a.txt", "--html", page.toString()).exit()).isEqualTo(4);
    assertThat(page).doesNotExist();
  }

  @Test
  void report_for_a_comment_and_for_a_build_server() throws IOException {
    assertThat(mock("b.txt", "--format", "markdown").out()).startsWith("**Diverged** · ");
    assertThat(mock("b.txt", "--format", "junit").out())
        .contains("<testsuites name=\"replay run\"");
  }

  @Test
  void packed_session_is_replayed() throws IOException {
    Path packed = home.resolve("one.tar.gz");
    PackedSession.pack(session, packed);
    session = packed;

    Console run = mock("a.txt");

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
  }

  @Test
  void tools_and_models_that_are_programs_are_executed_and_compared() throws IOException {
    Path tools = tools("echo '\"Helo\"'");
    String subject = "sh " + agent("a.txt");

    Console live = run("tools-live", subject, "--tools", tools.toString());
    assertThat(live.exit()).as(live.err() + live.out()).isZero();
    assertThat(live.out()).contains("3 recorded: 1 served, 2 executed");

    Console refused = run("full", subject, "--model", "printf Hello");
    assertThat(refused.exit()).isEqualTo(4);
    assertThat(refused.err()).contains("has no snapshot of the workspace", ": --workspace DIR");

    String workspace = Files.createDirectory(home.resolve("workspace")).toString();
    Console full = run(
        "full",
        subject,
        "--tools",
        tools.toString(),
        "--model",
        "printf Hello",
        "--workspace",
        workspace);
    assertThat(full.exit()).as(full.err() + full.out()).isZero();

    Console differs = run("tools-live", subject, "--tools", tools("echo Hello").toString());
    assertThat(differs.exit()).isEqualTo(1);
    assertThat(differs.out()).contains("1. OUTPUT  read_file  moderate, root");

    Console node =
        Console.run("run", session.toString(), "--mode", "node", "--model", "printf Hi", UNSAFE);
    assertThat(node.exit()).isEqualTo(1);
    assertThat(node.out()).contains("RESPONSE  my-model", "NOT_REEXECUTED");
  }

  private Path toolsWithSchema(String schema) throws IOException {
    JsonObject tool = JsonObject.of(
        "command",
        List.of("sh", "-c", "touch " + home.resolve("executed")),
        "effect",
        "pure",
        "schema",
        JsonText.parse(schema));
    return Files.writeString(
        home.resolve("tools.json"),
        JsonObject.of("tools", JsonObject.of("read_file", tool)).toString());
  }

  @Test
  void parameters_that_do_not_fit_the_schema_of_a_tool_are_refused() throws IOException {
    Path tools = toolsWithSchema("{\"properties\":{\"path\":{\"pattern\":\"^/\"}}}");

    Console run = run("tools-live", "sh " + agent("a.txt"), "--tools", tools.toString());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out().replaceAll("\\s+", " "))
        .contains(
            "REFUSED read_file",
            "parameters do not fit: at /path: does not match the regex pattern ^/ (pattern)");
    assertThat(home.resolve("executed")).doesNotExist();
    assertThat(run.err()).doesNotContain("SLF4J");
  }

  @Test
  void recorded_schema_of_a_tool_is_used() throws Exception {
    session = home.resolve("declared");
    try (SessionRecorder recorder = SessionRecorder.start(
        session,
        SessionStart.of("declared"),
        RecorderOptions.defaults()
            .withCircumstances(Circumstances.defaults()
                .withTool(ToolDescription.of("read_file")
                    .withSchema(JsonObject.of("required", List.of("file"))))))) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "Helo");
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    String tools = tools("touch " + home.resolve("executed")).toString();

    Console run =
        Console.run("run", session.toString(), "--mode", "node", "--tools", tools, UNSAFE);

    assertThat(run.out().replaceAll("\\s+", " "))
        .contains("required property 'file' not found (required)");
    assertThat(home.resolve("executed")).doesNotExist();
  }

  @Test
  void schema_that_is_not_valid_is_wrong_usage_before_anything_runs() throws IOException {
    Path tools = toolsWithSchema("{\"$ref\":\"https://example.invalid/schema.json\"}");

    Console run =
        run("tools-live", "touch " + home.resolve("started"), "--tools", tools.toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("tools: read_file: \"schema\" is not valid: it refers to a schema that is not in"
            + " it: https://example.invalid/schema.json");
    assertThat(home.resolve("started")).doesNotExist();
  }

  @Test
  void invalid_recording_is_refused_unless_forced() throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("\"Helo\"", "\"Halo\""));

    Console validation = Console.run("run", session.toString());
    assertThat(validation.exit()).isEqualTo(1);
    assertThat(validation.out()).contains("diverged", "OUTPUT_HASH_MISMATCH", "replay verify");

    Console refused = mock("a.txt");
    assertThat(refused.exit()).isEqualTo(4);
    assertThat(refused.err()).contains("the recording is invalid", "--force replays it anyway");
    assertThat(refused.out()).isEmpty();
    assertThat(mock("a.txt", "--force").out()).startsWith("unverified");
  }

  @Test
  void evidence_that_is_required_must_be_present() throws IOException {
    Files.delete(session.resolve("RECEIPT.json"));

    Console run =
        Console.run("run", session.toString(), "--require", "receipt", "--format", "json");

    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.err())
        .contains("does not meet what is required", "a receipt that matches the log");
    assertThat(run.out()).contains("\"refused\":", "\"verdict\":\"unverified\"");
  }

  @Test
  void unsupported_version_is_refused_or_asked_about() throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    Files.delete(session.resolve("RECEIPT.json"));
    Files.writeString(
        log, Files.readString(log).replace("\"replay_version\":1", "\"replay_version\":99"));
    String[] command = {
      "run", session.toString(), "--mode", "mock", UNSAFE, "--subject", "sh " + agent("a.txt")
    };

    Console refused = Console.run(command);
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).contains("of version 99", "--force replays it anyway");

    assertThat(onTerminal("n\n", command).exit()).isEqualTo(3);
    Console confirmed = onTerminal("y\n", command);
    assertThat(confirmed.err()).contains("replay it all the same? [y/N]");
    assertThat(confirmed.exit()).isNotIn(2, 3);
    assertThat(confirmed.out()).contains("exchanges   3 recorded: 3 served");
  }

  private static Console onTerminal(String input, String... command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = Main.run(
        command,
        new Terminal(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            true,
            true,
            80,
            true));
    return new Console(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void recording_in_a_pipe_is_refused() throws Exception {
    Path pipe = home.resolve("pipe.jsonl");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assumeTrue(made.waitFor() == 0, "no named pipes here");

    Console run = Console.run("run", pipe.toString());

    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains("pipe.jsonl: expected a regular file");
  }

  @Test
  void unreadable_recordings_are_reported() throws IOException {
    assertThat(Console.run("run", home.resolve("nope").toString()).exit()).isEqualTo(3);
    Path log = session.resolve("REPLAY.jsonl");
    String text = Files.readString(log);
    Files.writeString(log, text.substring(0, text.length() - 10));
    Console torn = Console.run("run", session.toString());
    assertThat(torn.exit()).isEqualTo(3);
    assertThat(torn.err()).contains("cut short", "replay recover");
  }

  @Test
  void agent_that_fails_is_reported_with_the_end_of_its_errors() {
    Console run = run("mock", "sh -c 'echo no model >&2; exit 3'");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains(
            "agent       SubjectException: the subject \"sh\": its exit code is 3:", "no model");
    assertThat(run.err()).contains("subject: no model");
  }

  @Test
  void agent_that_fails_after_the_end_is_not_a_success() throws IOException {
    Path script = agent("a.txt");
    Files.writeString(script, Files.readString(script) + "exit 7\n");

    Console run = run("mock", "sh " + script);

    assertThat(run.out()).contains("its exit code is 7");
    assertThat(run.exit()).isNotZero();
  }

  @Test
  @Tag("slow")
  void progress_is_printed_when_it_takes_long() throws IOException {
    Console run = run(
        "tools-live",
        "sh " + agent("a.txt"),
        "--tools",
        tools("sleep 3.5; echo '\"Helo\"'").toString(),
        "--step-timeout",
        "60");

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.err().lines()) // between two exchanges nothing runs
        .allMatch(
            line -> line.matches("[0-3] of 3 exchanges, [0-9]+ s(, running (read|write)_file)?"))
        .anyMatch(line -> line.contains(", running read_file"));
  }

  @Test
  void q_on_a_terminal_aborts_with_a_report_on_a_clean_output() throws IOException {
    Console run = onTerminal(
        "q\n",
        "run",
        session.toString(),
        "--mode",
        "tools-live",
        UNSAFE,
        "--subject",
        "sh " + agent("a.txt"),
        "--tools",
        tools("sleep 1000").toString(),
        "--format",
        "json");

    assertThat(run.exit()).as(run.err()).isEqualTo(130);
    JsonObject report = JsonText.parse(run.out()).asObject();
    assertThat(report.at("/verdict").asString()).isEqualTo("incomplete");
    assertThat(report.toString()).contains("aborted by the user");
  }

  @Test
  @Tag("slow")
  void quiet_replay_prints_no_progress() throws IOException {
    Console run = run(
        "tools-live",
        "sh " + agent("a.txt"),
        "--quiet",
        "--tools",
        tools("sleep 2.5; echo '\"Helo\"'").toString());

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.err()).isEmpty();
  }

  @Test
  void programs_run_in_the_workspace() throws Exception {
    Path workspace = Files.createDirectory(home.resolve("workspace"));
    Files.writeString(workspace.resolve("agent.sh"), Files.readString(agent("a.txt")));
    Files.writeString(workspace.resolve("text"), "\"Helo\"");

    Console run = run(
        "full",
        "sh agent.sh",
        "--workspace",
        workspace.toString(),
        "--tools",
        tools("cat text").toString(),
        "--model",
        "sh -c 'test -f text && printf Hello'");

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
  }

  @Test
  void recorded_working_directory_is_compared_with_the_workspace() throws Exception {
    session = home.resolve("elsewhere");
    try (SessionRecorder recorder = SessionRecorder.start(
        session,
        SessionStart.of("elsewhere"),
        RecorderOptions.defaults()
            .withCircumstances(Circumstances.none().withWorkingDirectory()))) {
      AgentScope.recording(recorder, Executors.none()).end(SessionEnd.of(Status.SUCCESS));
    }

    Console run = run("mock", "true", "--workspace", home.toString());

    assertThat(run.out().replaceAll("\\s+", " "))
        .contains("differs working_directory: working_directory differs from the recording");
    assertThat(run("mock", "true").out()).doesNotContain("working_directory");
  }

  @Test
  void verbose_logs_each_exchange() throws IOException {
    assertThat(mock("a.txt", "--verbose").err().lines())
        .filteredOn(line -> line.startsWith("replay.exchange "))
        .hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mode mock | --mode mock requires --subject CMD",
        "--mode sing | expected validation, mock, tools-live",
        "--subject x | has no agent; --mode mock has one",
        "--mode node --subject x --unsafe-no-sandbox | mode node has no agent",
        "--unsafe-model | --unsafe-model requires --model",
        "--keep | --keep requires --subject, --tools or --model",
        "--mode mock --subject x --sandbox jail | expected auto, bubblewrap, landlock",
        "--mode mock --subject x --sandbox podman | podman requires an image: podman:IMAGE",
        "--mode mock --subject x --sandbox landlock --unsafe-no-sandbox | excludes --sandbox",
        "--mode mock --subject x --ro /nope | there is no file or directory /nope",
        "--mode mock --subject x --ro / | --ro: expected a path in which",
        "--mode mock --subject x --ro /proc/self | --ro: expected a path in which",
        "--mode mock --subject x --max-temp 0 | expected a positive number of bytes, found 0",
        "--mode mock --subject x --max-temp 1GB | expected a whole number up to",
        "--mode mock --subject x --max-temp 1e9 | found \"1e9\"",
        "--mode mock --subject x --tools t.json --unsafe-no-sandbox | executes no tools",
        "--mode tools-live --subject x --model y --unsafe-no-sandbox | calls no model",
        "--mode full | --mode full requires --tools or --model, or --subject",
        "--mode node | --mode node requires --tools or --model",
        "--unsafe-no-sandbox | --unsafe-no-sandbox requires --subject, --tools or --model",
        "--env HOME | --env requires --subject",
        "--workspace . | --workspace requires --subject, --tools or --model",
        "--mode mock --subject x --unsafe-no-sandbox --workspace /nope | expected a directory",
        "--out x | a replay in the mode validation records nothing",
        "--overwrite | --overwrite requires --out, --export-report or --html",
        "--html x --export-report x | name the same file",
        "--mode mock --subject x --unsafe-no-sandbox --against y | --against requires",
        "--timeout 0 | --timeout: expected a positive number of seconds",
        "--timeout soon | --timeout: expected a positive number of seconds",
        "--step-timeout -1 | --step-timeout: expected a positive number",
        "--on-timeout wait | --on-timeout: expected abort or extend",
        "--on-unmatched guess | expected stop, error or position",
        "--stream-pace slow | expected at-once or recorded",
        "--budget calls | --budget: expected calls=N",
        "--budget call=1 | did you mean 'calls'?",
        "--budget calls=x | calls: expected a whole number",
        "--budget calls=1,calls=2 | two limits of calls",
        "--budget time=x | time: expected a positive number of seconds",
        "--budget money=1 | --budget money=X requires --prices FILE",
        "--budget money=x | money: expected an amount",
        "--prices p.json | --prices requires --budget money=X",
        "--mode mock --subject 'x --unsafe-no-sandbox | --subject: a ' is not closed",
        "--mode mock --subject a&b --unsafe-no-sandbox | started without a shell",
        "--seed x | --seed: expected a whole number",
        "--fail-on none | expected minor, moderate or major",
        "--format yaml | expected text, json, markdown or junit",
        "--fuzzy 7 | --fuzzy: expected a similarity",
      },
      quoteCharacter = '`')
  void wrong_usage_is_explained(String options, String message) {
    String[] words = ("run " + session + " " + options).split(" ");

    Console run = Console.run(words);

    assertThat(run.err()).contains(message);
    assertThat(run.exit()).isEqualTo(2);
  }

  @Test
  void descriptions_of_tools_and_prices_that_are_wrong_are_refused() throws IOException {
    Path tools = Files.writeString(home.resolve("tools.json"), "{\"tools\":{\"t\":{}}}");
    Console run = Console.run(
        "run", session.toString(), "--mode", "node", "--tools", tools.toString(), UNSAFE);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--tools: ", "tools: t: expected an array of strings");

    Path prices = Files.writeString(home.resolve("prices.json"), "{\"m\":1}");
    Console priced = Console.run(
        "run", session.toString(), "--budget", "money=1", "--prices", prices.toString());
    assertThat(priced.exit()).isEqualTo(2);
    assertThat(priced.err()).contains("prices: m: expected an object");
  }

  @Test
  void interrupted_replay_prints_its_report_and_exits_with_130() throws Exception {
    Process process = CommandProcess.of(
            List.of("-XX:TieredStopAtLevel=1"),
            "run",
            session,
            "--mode",
            "mock",
            UNSAFE,
            "--subject",
            "sh -c 'echo started >&2; sleep 1000'")
        .start();
    try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
        InputStream out = process.getInputStream()) {
      CommandProcess.awaitLine(err, "subject: started");
      List<ProcessHandle> started = process.descendants().toList();

      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

      assertThat(new String(out.readAllBytes(), StandardCharsets.UTF_8))
          .contains("replayed 0 of 3 exchanges", "incomplete  interrupted");
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(ExitCode.INTERRUPTED);
      for (ProcessHandle child : started) {
        child.onExit().get(30, TimeUnit.SECONDS);
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
