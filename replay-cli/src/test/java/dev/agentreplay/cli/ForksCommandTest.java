package dev.agentreplay.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code replay forks}, {@code replay run --fork-at} and {@code replay verify --parent}. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class ForksCommandTest {

  @TempDir
  Path home;

  private Path session;
  private Path out;

  @BeforeEach
  void record() throws Exception {
    session = GreetingSession.record(home, "one", "Hello");
    out = home.resolve("fork");
  }

  private Console fork(long line, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("run", session.toString(), "--unsafe-no-sandbox"));
    words.addAll(List.of("--subject", "sh " + GreetingSession.agent(home, "a.txt")));
    words.addAll(List.of("--fork-at", String.valueOf(line), "--out", out.toString(), "-q"));
    words.addAll(List.of(more));
    return Console.run(words.toArray(String[]::new));
  }

  private Path program(String name, String script) throws IOException {
    Path file = home.resolve(name);
    Files.writeString(file, script + "\n");
    return file;
  }

  private Console verify() {
    return Console.run("verify", "--parent", session.toString(), out.toString());
  }

  @Test
  void the_points_are_listed() {
    Console forks = Console.run("forks", session.toString());

    assertThat(forks.exit()).isZero();
    assertThat(forks.out())
        .isEqualTo(
            """
                line  call                  possible
                   3  tool call read_file   yes
                   5  model call my-model   yes, if tools are only served (1)
                   7  tool call write_file  yes, if tools are only served (1)

              (1) there is no snapshot, and read_file on line 3 may have changed files

            3 of 3 calls can be forked at
              hint: --tools FILE states the effects of tools; a tool that is pure changes no file
            """);
  }

  @Test
  void a_tool_that_changes_no_file_is_declared() throws IOException {
    Path tools = GreetingSession.tools(home, "cat a.txt"); // of which one writes, on line 7

    Console forks = Console.run("forks", "--tools", tools.toString(), session.toString());

    assertThat(forks.out())
        .contains("model call my-model   yes\n", "tool call write_file  yes\n")
        .doesNotContain("(1)", "hint");
  }

  @Test
  void a_reason_follows_the_table_once_unless_its_row_has_room() throws IOException {
    Path log = home.resolve("open.jsonl");
    List<String> lines =
        new ArrayList<>(List.of("{\"event\":\"ReplayHeader\",\"replay_version\":1}"));
    String time = "\"t\":\"2026-01-01T00:00:00Z\"";
    for (String id : List.of("1", "2", "3")) {
      lines.add("{\"event\":\"ToolCall\",\"id\":\"%s\",\"params\":{},%s,\"tool\":\"read\"}"
          .formatted(id, time));
    }
    lines.add("{\"event\":\"ToolResult\",\"id\":\"1\",\"output\":\"\",%s}".formatted(time));
    Files.writeString(log, String.join("\n", lines) + "\n");

    assertThat(forks(100, log))
        .isEqualTo(
            """
                line  call            possible
                   2  tool call read  yes
                   3  tool call read  no (1)
                   4  tool call read  no (1)

              (1) read on line 2 is open: its result is on line 5

            1 of 3 calls can be forked at
            """);
    lines.set(3, lines.get(4).replace("\"1\"", "\"2\""));
    Files.writeString(log, String.join("\n", lines) + "\n");
    assertThat(forks(100, log))
        .contains("   3  tool call read  no: read on line 2 is open: its result is on line 5\n")
        .doesNotContain("(1)");
    assertThat(forks(60, log))
        .contains("   3  tool call read  no (1)\n", "  (1) read on line 2 is open: its result");
  }

  private static String forks(int columns, Path log) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, UTF_8);
    Main.run(
        new String[] {"forks", log.toString()},
        new Terminal(InputStream.nullInputStream(), stream, stream, false, false, false, columns));
    String text = out.toString(UTF_8);
    assertThat(text.lines()).allMatch(line -> line.length() <= columns);
    return text;
  }

  @Test
  void a_file_that_is_not_a_log_is_refused() throws IOException {
    Path transcript = program("transcript.jsonl", "{\"type\":\"thought\",\"text\":\"hm\"}");

    Console forks = Console.run("forks", transcript.toString());

    assertThat(forks.exit()).isEqualTo(3);
    assertThat(forks.err()).contains("; --force reads it anyway");
  }

  @Test
  void the_points_are_listed_as_json() {
    JsonObject json = JsonText.parse(
            Console.run("forks", "--format", "json", session.toString()).out())
        .asObject();

    assertThat(json.at("/schema").asString()).isEqualTo("replay.forks/1");
    assertThat(json.at("/points/1/line").asLong()).isEqualTo(5);
    assertThat(json.at("/points/1/tree_size").asLong()).isEqualTo(4);
    assertThat(json.at("/points/1/files").asString()).isEqualTo("unknown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "open", "none"})
  void json_is_of_its_schema(String name) throws IOException {
    Path log = name.equals("session") ? session : home.resolve("log.jsonl");
    String call = "{\"event\":\"ToolCall\",\"id\":\"%s\",\"params\":{},\"tool\":\"read\"}\n";
    if (name.equals("open")) { // the first without a line before it, the second while it is open
      Files.writeString(log, call.formatted("1") + call.formatted("2"));
    } else if (name.equals("none")) {
      Files.writeString(log, "{\"event\":\"ReplayHeader\",\"replay_version\":1}\n");
    }

    Console forks = Console.run("forks", "--format", "json", log.toString());

    assertThat(forks.exit()).isEqualTo(name.equals("session") ? 0 : 1);
    assertThat(ReportSchemas.faults(JsonText.parse(forks.out()).asObject())).isEmpty();
    String renamed = forks.out().replace("\"line\"", "\"row\"");
    assertThat(ReportSchemas.faults(JsonText.parse(renamed).asObject()).isEmpty())
        .isEqualTo(name.equals("none"));
  }

  @Test
  void an_unchanged_fork_is_identical_and_proved() throws IOException {
    Console run = fork(5);

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.out()).contains("fork        at line 5, with no change");
    Console verified = verify();
    assertThat(verified.exit()).as(verified.out()).isZero();
    assertThat(verified.out().replaceAll("\\s+", " "))
        .contains("the session is a fork: the 4 lines before its point are those of the parent, and"
            + " it repeats the 2 calls, results and values in them unchanged");
    assertThat(Console.run("show", out.toString()).out())
        .contains("mock fork of session fix-greeting at line 5, with no change");
  }

  @Test
  void a_model_is_changed_from_the_point_on() throws IOException {
    Path model = program("model.sh", "cat > /dev/null; printf '{\"answer\":\"Hi\"}'");

    Console run = fork(5, "--model", "sh " + model);

    assertThat(run.exit()).as(run.err()).isEqualTo(1);
    assertThat(run.out())
        .contains("fork        at line 5, with model")
        .contains("1. RESPONSE  my-model  moderate, root");
    assertThat(verify().exit()).isZero();
  }

  @Test
  void a_result_is_changed_at_the_point() throws IOException {
    Console run = fork(5, "--set", "/answer=\"Hi\"", "--format", "json");

    JsonObject json = JsonText.parse(run.out()).asObject();
    assertThat(json.at("/fork/changes").toString())
        .isEqualTo("[{\"change\":\"set\",\"line\":5,\"pointer\":\"/answer\",\"value\":\"Hi\"}]");
    assertThat(json.at("/fork/reached").toString()).isEqualTo("true");
    assertThat(json.at("/verdict").asString()).isEqualTo("diverged");
    assertThat(verify().exit()).isZero();
  }

  @Test
  void a_request_that_differs_after_the_point_is_to_be_executed() throws IOException {
    Path differs = program(
        "differs.sh",
        Files.readString(GreetingSession.agent(home, "a.txt"))
            .replace("\"text\":\"Hello\"", "\"text\":\"Hi\""));

    Console after = Console.run(
        "run",
        "--unsafe-no-sandbox",
        "--subject",
        "sh " + differs,
        "--fork-at",
        "5",
        session.toString());
    Console before = Console.run(
        "run",
        "--unsafe-no-sandbox",
        "--subject",
        "sh " + GreetingSession.agent(home, "b.txt"),
        "--fork-at",
        "5",
        session.toString());

    assertThat(after.out().replaceAll("\\s+", " "))
        .contains("is executed: by --model CMD, or --tool NAME=CMD; --on-unmatched error shows")
        .doesNotContain("to accept it");
    assertThat(before.out()).contains("to accept it: replay run").contains("not reached");
  }

  @Test
  void a_tool_is_executed_by_a_program_from_the_point_on() throws IOException {
    Path tools = GreetingSession.tools(home, "cat a.txt");
    Path tool = program("write.sh", "cat > /dev/null; printf '\"written\"'");

    Console run = fork(7, "--tools", tools.toString(), "--tool", "write_file=sh " + tool);

    assertThat(run.out() + run.err()).contains("fork        at line 7, with tool write_file");
    assertThat(run.out()).contains("written");
  }

  @Test
  void a_prompt_is_printed_and_edited() throws IOException {
    Console prompt = Console.run("forks", "--prompt", "5", session.toString());
    assertThat(prompt.exit()).isZero();
    Path file = program("prompt.json", prompt.out().replace("Fix", "Translate"));
    Path model =
        program("model.sh", "cat > " + home.resolve("asked") + "; echo '{\"answer\":\"Salut\"}'");

    Console run = fork(5, "--prompt-edit", file.toString(), "--model", "sh " + model);

    assertThat(run.out()).as(run.err()).contains("fork        at line 5, with model, prompt");
    assertThat(home.resolve("asked")).content().contains("Translate: Helo");
  }

  @Test
  void wrong_options_are_refused() throws IOException {
    String[][] wrong = {
      {"5", "--set", "answer", "--set: expected /POINTER=JSON, found \"answer\""},
      {"5", "--set", "/answer=Hi", "--set: \"Hi\" is not JSON, in which a text has quotes"},
      {"5", "--set", "/x=1", "--set: expected a pointer into params, model, prompt, parameters"},
      {"5", "--tool", "write_file", "--tool: expected NAME=CMD, found \"write_file\""},
      {"1", "--seed", "1", "--fork-at: expected the line of a call, from 2, found 1"},
      {"5", "--mode", "node", "--fork-at: a replay in the mode node has no agent"},
    };
    for (String[] each : wrong) {
      Console run = fork(Long.parseLong(each[0]), each[1], each[2]);
      assertThat(run.exit()).as(String.join(" ", each)).isEqualTo(2);
      assertThat(run.err()).contains(each[3]);
    }
    Console twice = fork(5, "--tool", "a=x", "--tool", "a=y");
    assertThat(twice.err()).contains("--tool: a is given twice");
    Console alone = Console.run("run", session.toString(), "--set", "/answer=1");
    assertThat(alone.err()).contains("--set requires --fork-at");
    Console none = Console.run("run", session.toString(), "--fork-at", "5");
    assertThat(none.err()).contains("--fork-at requires --subject CMD, the agent to run");
    Console prompt = Console.run("forks", "--prompt", "3", session.toString());
    assertThat(prompt.exit()).isEqualTo(2);
    assertThat(prompt.err())
        .contains("--prompt: line 3 is not a model call whose prompt is known: ToolCall");
  }

  @Test
  void a_point_that_is_not_possible_is_refused() throws IOException {
    Console run = fork(4);

    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.err())
        .contains(
            "cannot be forked at line 4: line 4 is not the line of a call or value; the nearest"
                + " possible: line 3, 5; replay forks lists the lines");
    assertThat(out).doesNotExist();
  }

  @Test
  void a_session_that_is_not_a_fork_has_no_parent() throws Exception {
    Path other = GreetingSession.record(home, "two", "Hi");

    Console verified = Console.run("verify", "--parent", session.toString(), other.toString());

    assertThat(verified.exit()).isEqualTo(1);
    assertThat(verified.out()).contains("PARENT_MISMATCH");
  }
}
