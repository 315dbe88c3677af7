package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.recording.AgentRecorder;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages that a user sees first. */
class CommandTest {

  @TempDir
  Path home;

  private Path session;
  private Path log;

  @BeforeEach
  void record() throws IOException {
    session = record("one", "src/a.rs");
    log = session.resolve("REPLAY.jsonl");
  }

  private Path record(String id, String path) throws IOException {
    Path directory = home.resolve(id);
    try (SessionRecorder recorder = SessionRecorder.start(directory, id)) {
      recorder.call("file_read", JsonObject.of("path", path)).result("fn main() {}\n\u001b[31m");
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory;
  }

  @Test
  void only_line_of_a_file_other_than_a_log_is_counted_in_the_singular() throws IOException {
    Path file = Files.writeString(home.resolve("one.jsonl"), "{\"level\":\"info\"}\n");
    assertThat(Console.run("verify", file.toString()).out())
        .contains("this is not a REPLAY.jsonl: its only line is not a known event");
  }

  @Test
  void without_a_command_usage_is_printed() {
    Console console = Console.run();
    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains("Usage: replay", "demo", "canonicalize");
  }

  @Test
  void an_unknown_command_or_option_is_wrong_usage() {
    assertThat(Console.run("vrify", "x").exit()).isEqualTo(2);
    Console console = Console.run("verify", "--frmat", "json", session.toString());
    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.err())
        .contains("unknown option '--frmat'; did you mean '--format'?", "replay verify --help");
    assertThat(Console.run("verify", "--format", "xml", session.toString()).err())
        .contains("expected text or json, found \"xml\"");
  }

  @Test
  void verify_of_a_recorded_session_is_valid() {
    Console console = Console.run("verify", session.toString());
    assertThat(console.exit()).isZero();
    assertThat(console.out())
        .startsWith("valid  ")
        .containsSubsequence(
            "  proved      every line is as stated",
            "1 of 1 calls match the receipt",
            "1 of 1 outputs match their hash",
            "  not proved  the author: nothing is signed");
  }

  @Test
  void verify_in_json_is_one_line_with_the_schema() {
    Console console = Console.run("verify", log.toString(), "--format", "json");
    JsonObject report = JsonText.parse(console.out()).asObject();
    assertThat(console.out().lines()).hasSize(1);
    assertThat(report.at("/schema").asString()).isEqualTo("replay.verify/1");
    assertThat(report.at("/verdict").asString()).isEqualTo("valid");
    assertThat(report.at("/dialect").asString()).isEqualTo("event");
    assertThat(report.at("/counts/output_hashes_verified").asLong()).isEqualTo(1);
    assertThat(report.at("/findings").asArray().size()).isZero();
  }

  @Test
  void verify_of_a_missing_path_reports_that() {
    Console console = Console.run("verify", home.resolve("nope").toString());
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err()).contains("nope: no such file or directory");
  }

  @Test
  void verify_in_json_reports_a_missing_path() {
    Console console =
        Console.run("verify", "--format", "json", home.resolve("nope").toString(), log.toString());
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out().lines()).hasSize(3);
    JsonObject first =
        JsonText.parse(console.out().lines().findFirst().orElseThrow()).asObject();
    assertThat(first.at("/verdict").asString()).isEqualTo("unreadable");
    assertThat(first.at("/error").asString()).contains("no such file");
  }

  @Test
  void unknown_names_are_reported() throws IOException {
    assertThat(Console.run("verify", "").err()).contains("an empty name");
    assertThat(Console.run("hash", home.toString()).err()).contains("is a directory");
    assertThat(
            Console.run("verify", log.toString(), "--receipt", home.toString()).err())
        .contains("is a directory");
    assertThat(Console.run("receipt", log.toString(), "--overwrite").err())
        .contains("--overwrite requires --out");
  }

  @Test
  void verify_of_a_different_file_reports_that_it_is_not_a_log() throws IOException {
    Path text = Files.writeString(home.resolve("notes.txt"), "hello\nworld\n");
    Console console = Console.run("verify", text.toString());
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out())
        .contains("this is not a REPLAY.jsonl", "MALFORMED_LINE  line 1, byte 0", "1 more of");
  }

  @Test
  void verify_of_an_empty_file_misses_the_header() throws IOException {
    Path empty = Files.writeString(home.resolve("empty.jsonl"), "");
    Console console = Console.run("verify", empty.toString());
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).contains("HEADER_MISSING", "the log is empty");
  }

  @Test
  void verify_with_the_receipt_of_another_session_names_both() throws IOException {
    Path other = record("two", "src/b.rs").resolve("RECEIPT.json");
    Console console = Console.run("verify", session.toString(), "--receipt", other.toString());
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out())
        .contains("session_id is \"one\" in the log, but \"two\" in the receipt")
        .contains("RECEIPT_PARAMS_MISMATCH", "REPLAY_HASH_MISMATCH");
  }

  @Test
  void verify_require_fails_where_there_is_none() throws IOException {
    Files.delete(session.resolve("RECEIPT.json"));
    assertThat(Console.run("verify", session.toString()).exit()).isZero();
    Console console = Console.run("verify", session.toString(), "--require", "receipt,hashes");
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out())
        .contains("a receipt that matches the log, and there is none")
        .doesNotContain("match their hash, and there are none");
    assertThat(Console.run("verify", session.toString(), "--require", "luck").exit())
        .isEqualTo(2);
  }

  @Test
  void commands_other_than_verify_refuse_an_unsupported_version_unless_forced() throws IOException {
    Path future = home.resolve("future.jsonl");
    Files.writeString(
        future, Files.readString(log).replace("\"replay_version\":1", "\"replay_version\":99"));
    assertThat(Console.run("verify", future.toString()).exit()).isEqualTo(1);
    Console refused = Console.run("show", future.toString());
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).contains("the log is of version 99", "--force");
    assertThat(Console.run("show", future.toString(), "--force").exit()).isZero();
    Console tail = Console.run("tail", future.toString());
    assertThat(tail.exit()).isEqualTo(3);
    assertThat(tail.out()).isEmpty();
    assertThat(tail.err()).isEqualTo(refused.err());
    Console forced = Console.run("tail", future.toString(), "--force");
    assertThat(forced.exit()).isZero();
    assertThat(forced.out()).contains("session one", "end: ");
    assertThat(forced.err()).contains("warning: ", "the log is of version 99");
    assertThat(Console.run("stats", future.toString()).exit()).isEqualTo(3);
    assertThat(Console.run("diff", log.toString(), future.toString()).exit()).isEqualTo(3);
  }

  @Test
  void show_prints_each_event_and_no_control_characters() {
    Console console = Console.run("show", session.toString());
    assertThat(console.exit()).isZero();
    assertThat(console.out())
        .contains("log of agentreplay", "session one", "#0   file_read", "fn main() {}", "end: ");
    assertThat(console.out()).doesNotContain("\u001b");
    assertThat(console.out().lines()).hasSize(5).allMatch(line -> line.length() <= Style.WIDTH);
  }

  @Test
  void show_in_json_is_the_log_itself() throws IOException {
    assertThat(Console.run("show", session.toString(), "--format", "json").out())
        .isEqualTo(Files.readString(log));
  }

  @Test
  void show_of_a_torn_log_shows_what_is_there_and_where_it_ends() throws IOException {
    Path torn = home.resolve("torn.jsonl");
    String text = Files.readString(log);
    Files.writeString(torn, text.substring(0, text.length() - 10));
    Console console = Console.run("show", torn.toString());
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out().lines()).hasSize(4);
    assertThat(console.err()).contains("torn.jsonl: line 5, byte ", "cut short");
  }

  @Test
  void stats_counts() {
    assertThat(Console.run("stats", session.toString()).out()).contains("tool calls", "file_read");
    JsonObject stats = JsonText.parse(
            Console.run("stats", session.toString(), "--format", "json").out())
        .asObject();
    assertThat(stats.at("/schema").asString()).isEqualTo("replay.stats/1");
    assertThat(stats.at("/events").asLong()).isEqualTo(5);
    assertThat(stats.at("/by_tool/file_read/calls").asLong()).isEqualTo(1);
    assertThat(stats.at("/average_step_utility").asDouble()).isZero();
  }

  @Test
  void agents_are_named_and_counted() throws IOException {
    Path lanes = home.resolve("lanes");
    try (SessionRecorder recorder = SessionRecorder.start(lanes, "lanes")) {
      PendingCall call = recorder.call("research", null);
      AgentRecorder agent = recorder.agent("researcher", call.id());
      agent.call("search", "login").result("a.txt");
      agent.modelCall("gpt", "p").answer("a", Completion.NONE, TokenCounts.of(1200, 30));
      call.result("done");
    }

    assertThat(Console.run("show", lanes.toString()).out())
        .contains(
            "  #0   research",
            "  [researcher] #1   search",
            "  [researcher] #1   ->",
            "  [researcher] model model-1 gpt",
            "  #0   ->");
    String stats = Console.run("stats", lanes.toString()).out();
    assertThat(stats
            .substring(stats.indexOf("agent "))
            .lines()
            .map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "agent tool calls model calls tokens in tokens out",
            "(none) 1 0 0 0",
            "researcher 1 1 1,200 30");
  }

  @Test
  void receipt_is_what_the_recorder_wrote() throws IOException {
    String written = Files.readString(session.resolve("RECEIPT.json"));
    assertThat(Console.run("receipt", session.toString()).out()).isEqualTo(written);
    Path out = home.resolve("R.json");
    String[] command = {"receipt", session.toString(), "--out", out.toString()};
    assertThat(Console.run(command).exit()).isZero();
    assertThat(out).hasContent(written);
    Console again = Console.run(command);
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("exists; --overwrite replaces it");
    assertThat(Console.run("receipt", session.toString(), "-o", out.toString(), "--overwrite")
            .exit())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "openagents.v1", "draft"})
  void receipt_of_any_form_verifies(String form) throws IOException {
    Path out = home.resolve("R.json");
    Console.run("receipt", session.toString(), "--form", form, "--out", out.toString());
    Console verified = Console.run(
        "verify", log.toString(), "--receipt", out.toString(), "--require", "receipt,tree");
    assertThat(verified.out()).contains("1 of 1 calls match");
    assertThat(verified.exit()).isZero();
  }

  @Test
  void receipt_of_a_form_that_is_not_known_is_wrong_usage() {
    Console console = Console.run("receipt", session.toString(), "--form", "v2");
    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.err()).contains("expected session, openagents.v1 or draft, found \"v2\"");
  }

  @Test
  void receipt_is_not_made_of_a_log_that_contradicts_itself() throws IOException {
    Files.writeString(log, Files.readString(log).replace("fn main", "fn evil"));
    Console console = Console.run("receipt", session.toString());
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains("no receipt was created", "OUTPUT_HASH_MISMATCH");
  }

  @Test
  void hash_and_canonicalize_agree_with_the_standard_input() throws IOException {
    String json = "{\"b\": [1, 1e2], \"a\": \"é\"}";
    assertThat(Console.runWith(json, "canonicalize").out())
        .isEqualTo("{\"a\":\"é\",\"b\":[1,100.0]}");
    Console hash = Console.runWith(json, "hash");
    assertThat(hash.out())
        .isEqualTo("sha256:cbb275e74719645b833ff91f70965cafae71db92130913c7e05cba940446c06b\n");
    Path file = Files.writeString(home.resolve("v.json"), json);
    assertThat(Console.run("hash", file.toString()).out()).isEqualTo(hash.out());
  }

  @Test
  void hash_of_what_is_not_json_says_where() {
    Console console = Console.runWith("{\"a\":01}", "hash", "-");
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out()).isEmpty();
    assertThat(console.err())
        .contains("standard input: not a JSON value: expected ',' or '}' after a member")
        .contains("found '1' at byte 6");
    assertThat(Console.runWith("1", "hash", "--canonicalization", "rot13").err())
        .contains("expected serde, serde-ryu or jcs, found \"rot13\"");
  }

  @Test
  void each_canonicalization_has_its_form() {
    String json = "{\"b\":[1e16,-0.0],\"a\":1.0}";
    assertThat(canonical(json, "serde")).isEqualTo("{\"a\":1.0,\"b\":[1e+16,-0.0]}");
    assertThat(canonical(json, "serde-ryu")).isEqualTo("{\"a\":1.0,\"b\":[1e16,-0.0]}");
    assertThat(canonical(json, "jcs")).isEqualTo("{\"a\":1,\"b\":[10000000000000000,0]}");
  }

  private static String canonical(String json, String canonicalization) {
    return Console.runWith(json, "canonicalize", "--canonicalization", canonicalization)
        .out();
  }

  @Test
  void integers_that_jcs_would_round_are_refused_unless_rounding_is_asked_for() {
    String json = "[9007199254740993]";
    Console refused = Console.runWith(json, "canonicalize", "--canonicalization", "jcs");
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .isEqualTo("replay: standard input: jcs would change the digits of the integer"
            + " 9007199254740993 at byte 1\n");
    assertThat(
            Console.runWith(json, "canonicalize", "--canonicalization", "jcs", "--round-integers")
                .out())
        .isEqualTo("[9007199254740992]");
  }

  @Test
  void hash_that_is_not_the_expected_one_is_explained() {
    String json = "{\"a\":[1e16]}";
    String ryu =
        Console.runWith(json, "hash", "--canonicalization", "serde-ryu").out().strip();
    Console explained = Console.runWith(json, "hash", "--expect", ryu);
    assertThat(explained.exit()).isEqualTo(1);
    assertThat(explained.out()).startsWith("sha256:").isNotEqualTo(ryu + "\n");
    assertThat(explained.err())
        .contains("the hash is not the expected one")
        .contains("hint: the hash fits the canonicalization serde-ryu")
        .contains("at \"/a/0\", `1e16` instead of `1e+16`");

    Console bare = Console.runWith(
        json, "hash", "--canonicalization", "serde-ryu", "--expect", ryu.substring(7));
    assertThat(bare.exit()).isZero();
    assertThat(bare.err()).isEmpty();
    assertThat(Console.runWith(json, "hash", "--expect", "sha256:" + "0".repeat(64))
            .err())
        .isEqualTo("replay: the hash is not the expected one\n");
    Console wrong = Console.runWith(json, "hash", "--expect", "abc");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("expected 64 lower-case hexadecimal digits, found \"abc\"");
  }

  @Test
  void integers_that_jcs_refuses_are_explained_too() {
    String json = "[9007199254740993]";
    String rounded = Console.runWith(json, "hash", "--canonicalization", "jcs", "--round-integers")
        .out()
        .strip();
    Console console =
        Console.runWith(json, "hash", "--canonicalization", "jcs", "--expect", rounded);
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out()).isEmpty();
    assertThat(console.err())
        .contains("hint: the hash fits integers rounded to doubles", "jcs would change the digits");
    Console unportable = Console.runWith(
        json, "hash", "--canonicalization", "jcs", "--round-integers", "--portable");
    assertThat(unportable.exit()).isEqualTo(1);
    assertThat(unportable.err())
        .isEqualTo("replay: not portable: at \"/0\", serde has 9007199254740993\n");
    Console wrong = Console.runWith(json, "hash", "--round-integers");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("--round-integers requires --canonicalization jcs");
  }

  @Test
  void value_that_is_not_portable_is_reported_on_request() {
    assertThat(Console.runWith("[0.5, 7]", "hash", "--portable").exit()).isZero();
    Console console = Console.runWith("[1, 2.0]", "hash", "--portable");
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.err())
        .isEqualTo("replay: not portable: at \"/1\", jcs has 2 instead of 2.0\n");
    assertThat(Console.runWith("1e21", "hash", "--portable").err())
        .contains("serde-ryu has 1e21 instead of 1e+21");
    assertThat(Console.runWith("10000000000000000", "hash", "--portable").err())
        .isEqualTo("replay: not portable: an integer is beyond 2^53-1,"
            + " which not every reader keeps exactly\n");
  }

  @Test
  void show_writes_a_page_and_replaces_one_only_when_asked() throws IOException {
    Path page = home.resolve("page.html");
    Console console = Console.run("show", session.toString(), "--html", page.toString());
    assertThat(console.exit()).isZero();
    assertThat(console.out()).isEmpty();
    assertThat(page).content().startsWith("<!DOCTYPE html>").contains("<title>one</title>");

    Files.writeString(page, "mine");
    Console again = Console.run("show", session.toString(), "--html", page.toString());
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("page.html exists; --overwrite replaces it");
    assertThat(page).hasContent("mine");

    String[] replacing = {"show", session.toString(), "--html", page.toString(), "--overwrite"};
    assertThat(Console.run(replacing).exit()).isZero();
    assertThat(page).content().contains("<title>one</title>");
    assertThat(Console.run("show", session.toString(), "--overwrite").err())
        .contains("--overwrite requires --html");
  }

  @Test
  void show_of_an_unreadable_log_leaves_no_page() throws IOException {
    Files.writeString(log, "{torn", StandardOpenOption.APPEND);
    Path page = home.resolve("page.html");
    assertThat(
            Console.run("show", session.toString(), "--html", page.toString()).exit())
        .isEqualTo(3);
    assertThat(page).doesNotExist();
  }

  @Test
  void bytes_that_matter_are_as_they_are_unless_they_go_to_a_terminal() {
    String json = "{\"a\":\"\u009b\u202e\"}";
    for (boolean isTerminal : new boolean[] {false, true}) {
      InputStream in = new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      PrintStream raw = new PrintStream(bytes, true, StandardCharsets.UTF_8);
      // colors are forced, and standard error is a terminal, also where output goes to a file
      Main.run(
          new String[] {"canonicalize"}, new Terminal(in, raw, raw, true, isTerminal, true, 80));
      assertThat(bytes.toString(StandardCharsets.UTF_8))
          .isEqualTo(isTerminal ? "{\"a\":\"\\u009b\\u202e\"}" : json);
    }
  }
}
