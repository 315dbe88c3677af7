package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many sessions, and what is required of them. */
class VerifyCommandTest {

  @TempDir
  Path home;

  private Path corpus;

  /** Three sessions: one is sound, of one a value was altered, one has no end and no receipt. */
  @BeforeEach
  void record() throws IOException {
    corpus = home.resolve("corpus");
    record("a/sound", true);
    Path log = record("b/altered", true).resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("fn main", "fn evil"));
    record("c/open", false);
  }

  private Path record(String name, boolean isEnded) throws IOException {
    Path directory = corpus.resolve(name);
    try (SessionRecorder recorder = SessionRecorder.start(directory, name.replace("/", "-"))) {
      recorder.call("file_read", JsonObject.of("path", "a")).result("fn main() {}");
      if (isEnded) {
        recorder.end(Status.SUCCESS, 0.9);
      }
    }
    return directory;
  }

  @Test
  void session_that_is_not_the_expected_one_fails() {
    String session = corpus.resolve("a/sound").toString();
    String[] known = {"verify", session, "--expect", "session_id=a-sound"};
    assertThat(Console.run(known).exit()).isZero();
    Console other = Console.run("verify", session, "--expect", "session_id=b");
    assertThat(other.exit()).isEqualTo(1);
    assertThat(other.out())
        .contains("EXPECTATION_UNMET", "session_id is \"a-sound\", but \"b\" is expected");
    String root = "root=sha256:" + "0".repeat(64);
    Console forged = Console.run("verify", session, "--expect", root, "--lenient");
    assertThat(forged.exit()).isEqualTo(1);
    assertThat(forged.out()).contains("EXPECTATION_UNMET", "has the root sha256:");
  }

  @Test
  void expectation_that_is_none_is_refused() {
    String session = corpus.resolve("a/sound").toString();
    for (String wrong : List.of(
        "session=s", "root=sha256:xy", "a/sound", "shown=", "shown=/id", "shown=ToolCall/~2")) {
      Console console = Console.run("verify", session, "--expect", wrong);
      assertThat(console.exit()).as(wrong).isEqualTo(2);
      assertThat(console.err()).contains("--expect");
    }
    Console several = Console.run("verify", corpus.toString(), "--expect", "session_id=s");
    assertThat(several.exit()).isEqualTo(2);
    assertThat(several.err()).contains("--expect requires a single SESSION");
    assertThat(Console.run("verify", session, "--expect", "shown=ToolCal/id").err())
        .contains("expected shown=EVENT/POINTER", "found \"ToolCal\"; did you mean 'ToolCall'?");
  }

  @Test
  void value_is_expected_of_each_session_of_a_directory() {
    Console console =
        Console.run("verify", corpus.toString(), "--expect", "shown=SessionEnd/no_such_member");

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out())
        .contains("no SessionEnd has /no_such_member, which is expected to be shown");
  }

  @Test
  void corpus_is_a_table_in_order_with_what_is_wrong_beneath_and_totals() {
    Console console = verify();
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.err()).isEmpty();
    List<String> lines = console.out().lines().toList();
    assertThat(lines.get(0))
        .isEqualTo("verdict      events   calls      hashes  receipt        session");
    assertThat(lines.get(1))
        .isEqualTo(
            "valid             5       1         2/2  1/1 log        " + corpus.resolve("a/sound"));
    assertThat(lines.get(2))
        .isEqualTo("invalid           5       1         1/2  0/1            "
            + corpus.resolve("b/altered"));
    assertThat(lines.get(3)).startsWith("            OUTPUT_HASH_MISMATCH line 4  ");
    assertThat(lines.get(4)).matches(" {12}[RT].*_MISMATCH.*");
    assertThat(console.out())
        .containsSubsequence(
            "valid             4       1         2/2  none           "
                + corpus.resolve("c/open")
                + "  (SESSION_END_MISSING)\n",
            "\n3 sessions: 2 valid, 1 invalid\n",
            "14 events, 3 tool calls; 5 of 6 hashes verified; 1 of 2 calls of receipts match\n",
            "1 OUTPUT_HASH_MISMATCH\n");
    assertThat(console.out()).doesNotContain("failed:");
  }

  @Test
  void text_is_the_same_for_any_number_of_jobs() {
    String out = verify("--jobs", "1").out();
    assertThat(verify("--jobs", "2").out()).isEqualTo(out);
    assertThat(verify("--jobs", "9").out()).isEqualTo(out);
    assertThat(verify().out()).isEqualTo(out);
  }

  @Test
  void json_is_one_line_each_and_tells_what_is_proved() {
    Console console = verify("--format", "json");
    assertThat(console.exit()).isEqualTo(1);
    List<JsonObject> reports =
        console.out().lines().map(line -> JsonText.parse(line).asObject()).toList();
    assertThat(reports).hasSize(4);
    assertThat(reports.subList(0, 3))
        .extracting(report -> report.at("/verdict").asString())
        .containsExactly("valid", "invalid", "valid");
    assertThat(reports.get(3).at("/verdicts")).isEqualTo(JsonObject.of("valid", 2, "invalid", 1));
    assertThat(reports.get(0).at("/proved/0/id").asString()).isEqualTo("log");
    assertThat(reports.get(0).at("/not_proved/0/id").asString()).isEqualTo("signer");
  }

  @Test
  void quiet_says_nothing_of_sessions_that_are_valid() {
    Console console = verify("--quiet");
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out())
        .contains("b/altered", "3 sessions: 2 valid, 1 invalid")
        .doesNotContain("a/sound", "c/open");
    assertThat(verify("-q", "--format", "json").out().lines()).hasSize(2);
    Console sound = Console.run("verify", "-q", corpus.resolve("a/sound").toString());
    assertThat(sound.exit()).isZero();
    assertThat(sound.out()).isEmpty();
  }

  @Test
  void failures_that_have_scrolled_away_are_reported_again() throws IOException {
    for (int i = 0; i < 24; i++) {
      Path directory = Files.createDirectories(corpus.resolve("d/" + i));
      Files.writeString(directory.resolve("REPLAY.jsonl"), i < 12 ? "junk\n" : "");
    }
    Console console = verify();
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out())
        .containsSubsequence(
            "27 sessions: 2 valid, 13 invalid, 12 unreadable\n",
            "failed:\n  " + corpus.resolve("b/altered") + "\n",
            "  and 15 more, which --quiet lists\n");
  }

  @Test
  void names_and_directories_are_verified_in_the_order_given() throws IOException {
    Path missing = home.resolve("nope");
    Console console = Console.run(
        "verify",
        corpus.resolve("c").toString(),
        missing.toString(),
        corpus.resolve("a").toString());
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out())
        .containsSubsequence(
            "c/open",
            "nope  (no such file or directory)",
            "a/sound",
            "3 sessions: 2 valid, 1 unreadable\n");
    assertThat(console.err())
        .isEqualTo("replay: %s: no such file or directory\n".formatted(missing));
    assertThat(Console.run("verify", "a", "c", "--sessions", corpus.toString()).out())
        .contains("a/sound", "c/open");
  }

  @Test
  void directory_with_one_session_below_it_has_the_report_of_one() {
    Console console = Console.run("verify", corpus.resolve("a").toString());
    assertThat(console.exit()).isZero();
    assertThat(console.out())
        .startsWith("valid  " + corpus.resolve("a/sound"))
        .contains("not proved");
  }

  @Test
  void directory_without_a_session_says_so() throws IOException {
    Path empty = Files.createDirectories(home.resolve("empty/below")).getParent();
    Console console = Console.run("verify", empty.toString());
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out()).isEmpty();
    assertThat(console.err())
        .isEqualTo(("replay: %s: directory holds no REPLAY.jsonl, nor does any below it;"
                + " expected a log, a session directory, or a directory of sessions\n")
            .formatted(empty));
    Console json = Console.run("verify", empty.toString(), "--format", "json");
    assertThat(JsonText.parse(json.out()).at("/error").asString()).contains("nor does any below");
  }

  @Test
  void session_whose_log_is_gone_is_not_passed_over() throws IOException {
    Files.delete(corpus.resolve("a/sound/REPLAY.jsonl"));
    Console console = verify();
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out())
        .contains("a/sound  (directory holds no REPLAY.jsonl; expected a session directory or a"
            + " log)");
  }

  @Test
  void session_that_is_named_twice_counts_twice_and_that_is_reported() {
    String name = corpus.resolve("a/sound").toString();
    Console console = Console.run("verify", name, name, name, "--format", "json");
    assertThat(console.exit()).isZero();
    assertThat(console.out().lines()).hasSize(4);
    assertThat(console.err())
        .isEqualTo("replay: warning: %s is named more than once, and is counted each time\n"
            .formatted(name));
  }

  @Test
  void file_of_zeros_is_unreadable_and_reported_in_a_few_lines() throws IOException {
    Path zeros = Files.write(home.resolve("zeros"), new byte[100_000]);
    Console console = Console.run("verify", zeros.toString());
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out())
        .startsWith("unreadable  " + zeros)
        .contains("this is not a REPLAY.jsonl", "line 1, byte 0");
    assertThat(console.out().lines()).hasSizeLessThan(10);
    Path session = Files.createDirectories(corpus.resolve("z"));
    Files.move(zeros, session.resolve("REPLAY.jsonl"));
    assertThat(verify().out()).contains("unreadable        0       0         0/0  none");
  }

  @ParameterizedTest
  @CsvSource({
    "sound, '', 0",
    "sound, '--require hashes,receipt,end,canonical', 0",
    "sound, '--require tree', 0",
    "sound, '--require signature', 1",
    "sound, '--strict', 0",
    "sound, '--lenient', 0",
    "altered, '--lenient', 1",
    "open, '', 0",
    "open, '--require end', 1",
    "open, '--strict', 1",
    "torn, '--lenient', 3",
    "foreign, '', 1",
    "foreign, '--lenient', 0",
    "foreign, '--lenient --require canonical', 1"
  })
  void exit_code_is_what_the_policy_makes_of_it(String name, String options, int exit)
      throws IOException {
    Path log = corpus.resolve("log");
    Path source =
        switch (name) {
          case "sound" -> corpus.resolve("a/sound");
          case "altered" -> corpus.resolve("b/altered");
          case "open" -> corpus.resolve("c/open");
          case "torn" -> Files.writeString(log, text().substring(0, text().length() - 10));
          default ->
            Files.writeString(
                log, text().replace("\"total_tool_calls\":1", "\"total_tool_calls\": 2"));
        };
    String[] words = ("verify " + source + " " + options).strip().split(" ");
    Console console = Console.run(words);
    assertThat(console.exit()).as(console.out()).isEqualTo(exit);
  }

  private String text() throws IOException {
    return Files.readString(corpus.resolve("a/sound/REPLAY.jsonl"));
  }

  @Test
  void missing_requirement_is_reported() {
    String session = corpus.resolve("c/open").toString();
    Console console =
        Console.run("verify", session, "--require", "receipt,tree,signature,end,canonical");
    assertThat(console.out())
        .startsWith("unverified  ")
        .contains(
            "required    a receipt that matches the log, and there is none",
            "required    a verified tree root over every line, and there is none",
            "required    a trusted key's signature over every line, and there is none",
            "required    an end of the session in a completely readable log, and none was found")
        .doesNotContain("canonical form");
    assertThat(verify("--require", "tree").out())
        .contains("            required: a verified tree root over every line, and there is none");
    assertThat(console.out().lines()).allMatch(line -> line.length() <= Style.WIDTH);
  }

  @ParameterizedTest
  @CsvSource({
    "--strict --lenient, --strict and --lenient exclude each other",
    "--jobs 0, '--jobs: expected a whole number from 1 to 256, found \"0\"'",
    "--jobs 257, '--jobs: expected a whole number from 1 to 256, found \"257\"'",
    "--max-findings -1, --max-findings: expected 0 or more, found -1",
    "--receipt R.json, --receipt requires a single SESSION",
    "--require luck, '--require: expected hashes, values, receipt, tree, signature, end or"
        + " canonical'"
  })
  void wrong_usage_is_reported_and_nothing_is_verified(String options, String message) {
    Console console = verify(options.split(" "));
    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--public-key", "--checkpoint"})
  void missing_trusted_file_is_reported_and_nothing_is_verified(String option) {
    Console console = verify(option, "file");
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).isEqualTo("replay: file: no such file or directory\n");
  }

  @Test
  void option_of_a_single_session_names_the_others_that_a_directory_holds() throws IOException {
    Path outer = home.resolve("outer");
    for (Path folder : new Path[] {outer, outer.resolve("blobs")}) {
      Files.createDirectories(folder);
      Files.writeString(
          folder.resolve("REPLAY.jsonl"), "{\"event\":\"ReplayHeader\",\"replay_version\":1}\n");
    }
    Console console = Console.run("verify", outer.toString(), "--expect", "session_id=s");
    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err())
        .contains("%s holds several sessions, %s among them; name its log: %s"
            .formatted(outer, outer.resolve("blobs"), outer.resolve("REPLAY.jsonl")));
  }

  @Test
  void closed_output_ends_the_command() {
    OutputStream closed = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("Broken pipe");
      }
    };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] words = new String[51];
    Arrays.fill(words, home.resolve("nope").toString());
    words[0] = "verify";
    Main.run(
        words,
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(closed, false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false,
            false,
            0));
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.endsWith("no such file or directory"))
        .hasSize(1);
  }

  private Console verify(String... options) {
    String[] words = new String[options.length + 2];
    words[0] = "verify";
    words[1] = corpus.toString();
    System.arraycopy(options, 0, words, 2, options.length);
    return Console.run(words);
  }
}
