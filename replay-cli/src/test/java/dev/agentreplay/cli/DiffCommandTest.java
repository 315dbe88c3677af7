package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiffCommandTest {

  @TempDir
  Path home;

  private String before;
  private String after;

  @BeforeEach
  void recordTwo() throws IOException {
    before = record("before", "src/a.rs");
    after = record("after", "src/b.rs");
  }

  private String record(String id, String path) throws IOException {
    Path directory = home.resolve(id);
    try (SessionRecorder recorder = SessionRecorder.start(directory, id)) {
      JsonObject params = JsonObject.of("path", path, "limit", 10);
      recorder.call("file_read", params).result("fn main() {}\n\u001b[31m");
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory.toString();
  }

  private Console diff(String... options) {
    String[] words = new String[options.length + 3];
    words[0] = "diff";
    words[1] = before;
    words[2] = after;
    System.arraycopy(options, 0, words, 3, options.length);
    return Console.run(words);
  }

  @Test
  void sessions_that_differ_are_reported_with_place_and_severity() {
    Console console = diff();

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.err()).isEmpty();
    assertThat(console.out())
        .startsWith("diverged at call #0: file_read called with different parameters (moderate) · ")
        .contains("1 call: 1 changed", "PARAMS  file_read  moderate, root")
        .containsSubsequence("at /params/path\n", "- src/a.rs\n", "+ src/b.rs\n")
        .doesNotContain("\u001b");
  }

  @Test
  void session_and_itself_are_identical() {
    Console console = Console.run("diff", before, before + "/REPLAY.jsonl");

    assertThat(console.exit()).isZero();
    assertThat(console.out()).startsWith("identical  1 call");
  }

  @Test
  void formats_say_the_same() {
    Console json = diff("--format", "json");
    JsonValue report = JsonText.parse(json.out());
    assertThat(json.exit()).isEqualTo(1);
    assertThat(json.out().lines()).hasSize(1);
    assertThat(report.at("/schema").asString()).isEqualTo("replay.diff/1");
    assertThat(report.at("/left/name").asString()).isEqualTo(before);
    assertThat(report.at("/divergences/0/pointer").asString()).isEqualTo("/params/path");

    Console markdown = diff("--format", "markdown");
    assertThat(markdown.exit()).isEqualTo(1);
    assertThat(markdown.out()).startsWith("**Diverged at `call #0`").contains("```diff");

    Console junit = diff("--format", "junit");
    assertThat(junit.exit()).isEqualTo(1);
    assertThat(junit.out()).startsWith("<?xml").contains("<failure type=\"PARAMS\"");
  }

  @ParameterizedTest
  @CsvSource({"minor, 1", "moderate, 1", "major, 0"})
  void severity_from_which_the_exit_code_is_1_is_chosen(String severity, int exit) {
    Console console = diff("--fail-on", severity);

    assertThat(console.exit()).isEqualTo(exit);
    assertThat(console.out()).startsWith("diverged");
  }

  @Test
  void a_build_server_fails_where_the_command_does() {
    assertThat(diff("--fail-on", "major", "--format", "junit").out()).contains("failures=\"0\"");
    assertThat(diff("--fail-on", "moderate", "--format", "junit").out()).contains("failures=\"1\"");
  }

  @Test
  void logs_of_which_nothing_is_known_are_not_identical() throws IOException {
    Path empty = Files.createFile(home.resolve("empty.jsonl"));

    Console console = Console.run("diff", empty.toString(), empty.toString());

    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err()).contains("expected a log, found no events");
  }

  @Test
  void one_file_is_not_written_twice() {
    String file = home.resolve("both").toString();

    assertThat(diff("--html", file, "--out", file).exit()).isEqualTo(2);
    assertThat(Path.of(file)).doesNotExist();
  }

  @Test
  void rules_that_match_nothing_are_listed() {
    assertThat(diff("--ignore", "tool:no_such_tool").out())
        .contains("rules that matched nothing: ignore tool no_such_tool");
  }

  @Test
  void exit_code_is_that_of_all_divergences_listed_or_not() {
    Console console = diff("--max-divergences", "0");

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out())
        .startsWith("diverged at call #0: file_read called with different parameters (moderate)")
        .contains("1 more, not listed; total: 1 moderate")
        .endsWith("to list all, also in the page of --html: --max-divergences 1\n");
  }

  @Test
  void independent_divergence_is_listed_before_hundreds_that_follow_from_the_root_cause()
      throws IOException {
    before = recordMany("many-before", "a");
    after = recordMany("many-after", "b");

    for (String[] options : new String[][] {{}, {"--max-divergences", "2"}}) {
      Console console = diff(options);
      assertThat(console.out())
          .contains("\n  1. PARAMS  first  moderate, root")
          .contains("\n152. PARAMS  last  moderate, independent")
          .containsPattern("\n  1[0-9]{2} more, not listed; total: 152 moderate\n")
          .endsWith("  to list all, also in the page of --html: --max-divergences 152\n");
    }
    assertThat(diff("--max-divergences", "152").out())
        .contains("\n150. PARAMS")
        .doesNotContain("not listed", "to list all");
  }

  /** Of two sessions, 151 calls differ; then one matches, and the last one differs again. */
  private String recordMany(String id, String path) throws IOException {
    Path directory = home.resolve(id);
    try (SessionRecorder recorder = SessionRecorder.start(directory, id)) {
      recorder.call("first", JsonObject.of("path", path)).result("");
      for (int i = 0; i < 150; i++) {
        recorder.call("next", JsonObject.of("path", path + i)).result("");
      }
      recorder.call("same", JsonObject.EMPTY).result("");
      recorder.call("last", JsonObject.of("path", path)).result("");
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory.toString();
  }

  @Test
  void rules_make_sessions_identical_and_are_listed() {
    for (String[] rule : new String[][] {
      {"--ignore", "/params/path"},
      {"--ignore", "timestamps,/params/*"},
      {"--ignore", "tool:file_read"},
      {"--normalize", "letter:src/[ab]=>src/x"}
    }) {
      Console console = diff(rule);
      assertThat(console.out())
          .as(String.join(" ", rule))
          .startsWith("identical")
          .contains("rules: ");
      assertThat(console.exit()).isZero();
    }
    assertThat(diff("--fuzzy", "80%", "--fail-on", "moderate").exit()).isZero();
    assertThat(diff("--fuzzy", "0.8").out()).contains("(minor)", "% similar");
    assertThat(diff("--ignore", "/params/path", "--strict").out()).contains("TIMING");
  }

  @Test
  void tolerance_and_unordered_arrays_take_a_place() {
    assertThat(diff("--tolerance", "/params/limit=1", "--unordered", "/params/list=id")
            .out())
        .contains("tolerance /params/limit 1", "unordered /params/list by id");
  }

  @Test
  void rules_of_files_apply_and_options_take_precedence() throws IOException {
    Path file = Files.writeString(home.resolve("replay.rules"), "fuzzy 80%\nfail-on moderate\n");
    String rules = file.toString();

    assertThat(diff("--rules", rules).exit()).isZero();
    assertThat(diff("--rules", rules).out()).contains("(minor)", "rules: fuzzy 0.8 at ");
    assertThat(diff("--rules", rules, "--format", "junit").out()).contains("failures=\"0\"");
    assertThat(diff("--rules", rules, "--fail-on", "minor").exit()).isEqualTo(1);
    Path other = Files.writeString(home.resolve("other"), "fail-on minor\n");
    assertThat(diff("--rules", rules, "--rules", other.toString()).exit()).isEqualTo(1);
    assertThat(diff("--rules", other.toString(), "--rules", rules).exit()).isZero();
  }

  @Test
  void file_of_rules_that_is_wrong_is_unreadable_and_none_is_overwritten() throws IOException {
    Path file = Files.writeString(home.resolve("replay.rules"), "ignore ids\nfuzy 80%\n");

    Console console = diff("--rules", file.toString());
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err())
        .contains(file + ": line 2: expected ignore, ", "found \"fuzy\"; did you mean 'fuzzy'?");
    assertThat(diff("--rules", "missing.rules").exit()).isEqualTo(3);

    Files.writeString(file, "ignore ids\n");
    assertThat(diff("--rules", file.toString(), "-o", file.toString(), "--overwrite")
            .exit())
        .isEqualTo(2);
    assertThat(file).hasContent("ignore ids");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--ignore; nothing; nothing",
        "--ignore; timestmps; found \"timestmps\"; did you mean 'timestamps'?",
        "--normalize; uuid; found \"uuid\"; did you mean 'uuids'?",
        "--normalize; nothing; expected ansi, uuids, dates, temp, workspace=PATH",
        "--normalize; x:(=>y; Unclosed group",
        "--tolerance; /a; expected a tolerance such as /output/price=0.01",
        "--tolerance; /a=-1; must not be negative",
        "--unordered; items; must begin with '/'",
        "--unordered; /x=; expected /PTR or /PTR=KEY, found an empty KEY: \"/x=\"",
        "--fuzzy; 80; expected a similarity above 0 and up to 1, such as 0.8 or 80%, found \"80\"",
        "--fuzzy; 0; such as 0.8 or 80%, found \"0\"",
        "--fuzzy; 101%; such as 0.8 or 80%, found \"101%\"",
        "--fuzzy; much; such as 0.8 or 80%, found \"much\"",
        "--max-divergences; -1; expected 0 or more, found -1",
        "--width; 79; expected 80 to 120, found 79",
        "--fail-on; none; expected minor, moderate or major, found \"none\"",
        "--format; html; expected text, json, markdown or junit, found \"html\""
      })
  void wrong_value_is_wrong_usage_and_says_what_is_expected(
      String option, String value, String message) {
    Console console = diff(option, value);

    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains(option, message);
  }

  @Test
  void normalizer_that_takes_too_long_is_wrong_usage() throws IOException {
    after = record("long", "\u001b[31m" + "a".repeat(5_000));

    Console console = diff("--normalize", "bad:(a*)*b=>x");

    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.out()).isEmpty();
    assertThat(console.err())
        .startsWith("replay: --normalize: normalizer \"bad\", (a*)*b, takes too long")
        .contains(" at /params/path in an event of the right session")
        .doesNotContain("\u001b");
  }

  @Test
  void report_and_page_are_written_to_files_that_do_not_exist() throws IOException {
    Path report = home.resolve("report.md");
    Path page = home.resolve("page.html");
    String[] options = {
      "--format", "markdown", "--out", report.toString(), "--html", page.toString()
    };

    Console console = diff(options);

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).isEmpty();
    assertThat(Files.readString(report)).startsWith("**Diverged");
    assertThat(Files.readString(page)).contains("<html", "Content-Security-Policy");
    Console again = diff(options);
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("exists; --overwrite replaces it");
    assertThat(diff("--html", page.toString(), "--overwrite").exit()).isEqualTo(1);
    assertThat(diff("--overwrite").err()).contains("--overwrite requires --out or --html");
  }

  @Test
  void several_sessions_are_compared_with_one_and_with_each_other() {
    Console agreeing = Console.run("diff", before, before, before);
    assertThat(agreeing.exit()).isZero();
    Console changed = Console.run("diff", before, after, after);
    assertThat(changed.exit()).isEqualTo(1);
    assertThat(changed.out()).contains("file_read", "regression");
    Console json = Console.run("diff", before, before, after, "--format", "json");
    assertThat(json.exit()).isEqualTo(1);
    assertThat(json.out()).contains("flaky");
    Console junit = Console.run("diff", before, after, after, "--format", "junit");
    assertThat(junit.exit()).isEqualTo(2);
    assertThat(junit.err()).contains("--format junit requires one session B, found 2");
  }

  @Test
  void page_of_several_sessions_is_written_to_a_file_that_does_not_exist() throws IOException {
    Path page = home.resolve("runs.html");
    String[] command = {"diff", before, after, before, "--html", page.toString()};

    Console console = Console.run(command);

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).contains("flaky", "differences of run 1: replay diff ");
    assertThat(console.err()).startsWith("wrote " + page);
    assertThat(Files.readString(page))
        .contains("Content-Security-Policy", "\"comparisons\":[", "\"verdict\":\"flaky\"");
    Console again = Console.run(command);
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("exists; --overwrite replaces it");
  }

  @Test
  void width_is_that_of_the_terminal_within_80_and_120() throws IOException {
    String wide = record("wide", "y".repeat(200));
    assertThat(longest(wide, 0)).isEqualTo(100);
    assertThat(longest(wide, 40)).isEqualTo(80);
    assertThat(longest(wide, 93)).isEqualTo(93);
    assertThat(longest(wide, 400)).isEqualTo(120);
    assertThat(Terminal.columns("93")).isEqualTo(93);
    assertThat(Terminal.columns(null)).isZero();
    assertThat(Terminal.columns("wide")).isZero();
    assertThat(Terminal.columns("0")).isZero();
  }

  /** The longest line of a report on a terminal of so many columns, colored. */
  private int longest(String wide, int columns) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Main.run(
        new String[] {"diff", before, wide},
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            true,
            true,
            false,
            columns));
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text).contains("\u001b[");
    return text.lines()
        .map(line -> line.replaceAll("\u001b\\[[0-9;]*m", ""))
        .mapToInt(line -> line.codePointCount(0, line.length()))
        .max()
        .orElse(0);
  }
}
