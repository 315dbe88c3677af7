package dev.agentreplay.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code replay convert}, as its user meets it. */
class ConvertCommandTest {

  @TempDir
  Path home;

  private Path session;
  private Path log;

  @BeforeEach
  void record() throws IOException {
    session = home.resolve("one");
    log = session.resolve("REPLAY.jsonl");
    try (SessionRecorder recorder = SessionRecorder.start(session, "one")) {
      recorder.call("file_read", JsonObject.of("path", "a")).result("fn main() {}");
      recorder.end(Status.SUCCESS, 0.9);
    }
  }

  private Console convert(Object in, Object out, String... options) {
    return Console.run(
        Stream.concat(Stream.of("convert", in.toString(), out.toString()), Stream.of(options))
            .toArray(String[]::new));
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(Path::getFileName).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"type", "draft"})
  void directory_becomes_a_directory_that_verifies_and_comes_back(String to) throws IOException {
    Path there = home.resolve("there");
    Path back = home.resolve("back");

    Console first = convert(session, there, "--to", to);
    Console second = convert(there, back, "--to", "event");

    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(second.exit()).as(second.err()).isZero();
    assertThat(first.out()).contains("event to " + to + ", 5 events read, 5 written", "renamed");
    assertThat(Console.run("verify", there.toString(), back.toString()).out())
        .contains("2 sessions: 2 valid");
    assertThat(Console.run("diff", session.toString(), back.toString()).exit()).isZero();
  }

  @Test
  void blobs_that_a_single_file_cannot_contain_are_reported_as_left_out() throws IOException {
    Path withBlob = home.resolve("blob");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(10);
    try (SessionRecorder recorder =
        SessionRecorder.start(withBlob, SessionStart.of("blob"), options)) {
      recorder.call("read", JsonObject.EMPTY).result("x".repeat(40));
      recorder.end(Status.SUCCESS, 1);
    }
    String warning = "1 blob is not copied; give a directory as OUT";

    Console text = convert(withBlob, home.resolve("a.jsonl"), "--to", "type");
    Console json = convert(withBlob, home.resolve("b.jsonl"), "--to", "type", "--format", "json");

    assertThat(text.exit()).isZero();
    assertThat(text.err()).contains(warning);
    assertThat(json.out()).contains(warning);
    assertThat(convert(withBlob, home.resolve("dir"), "--to", "type").err()).isEmpty();
    assertThat(convert(session, home.resolve("c.jsonl"), "--to", "type").err()).isEmpty();
  }

  @Test
  void same_dialect_is_copied_byte_for_byte_as_it_was_written() throws IOException {
    Path foreign = Files.writeString(
        home.resolve("foreign.jsonl"),
        "{ \"event\" : \"X\",\t\"b\":1.50, \"a\":\"\\u0041\" }\n{\"event\":\"Y\"}",
        UTF_8);

    Console console = convert(foreign, home.resolve("copy.jsonl"), "--to", "event");

    assertThat(console.exit()).isZero();
    assertThat(home.resolve("copy.jsonl")).hasSameBinaryContentAs(foreign);
  }

  @Test
  void report_in_json_has_the_ledger() {
    Path out = home.resolve("out.jsonl");

    Console console = convert(log, out, "--to", "type", "--format", "json");

    JsonObject report = JsonText.parse(console.out()).asObject();
    assertThat(report.names())
        .containsExactly(
            "schema",
            "from",
            "to",
            "complete",
            "source_invalid",
            "out",
            "receipt",
            "files",
            "lines",
            "problems",
            "warnings",
            "ledger");
    assertThat(report.at("/schema").asString()).isEqualTo("replay.convert/1");
    assertThat(report.at("/lines/read").asLong()).isEqualTo(5);
    assertThat(report.at("/out").asString()).isEqualTo(out.toString());
    assertThat(report.at("/ledger").asArray().stream())
        .contains(JsonObject.of(
            "action", "renamed",
            "event", "ToolCall",
            "field", "id",
            "to", "step_id",
            "note", null,
            "count", 1));
  }

  @Test
  void file_that_exists_is_replaced_only_when_that_is_asked_for() throws IOException {
    Path out = Files.writeString(home.resolve("out.jsonl"), "mine", UTF_8);

    Console refused = convert(log, out, "--to", "type");

    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).contains("out.jsonl exists; --overwrite replaces it");
    assertThat(out).hasContent("mine");
    assertThat(convert(log, out, "--to", "type", "--overwrite").exit()).isZero();
    assertThat(Files.readString(out, UTF_8)).startsWith("{\"created_at\"");
  }

  @Test
  void incomplete_result_is_not_written_unless_forced() throws IOException {
    Path published = Files.writeString(
        home.resolve("published.jsonl"),
        Files.readString(log, UTF_8).replace("\"params\":{\"path\":\"a\"},", ""),
        UTF_8);
    Path out = home.resolve("new");

    Console refused = convert(published, out.resolve("x.jsonl"), "--to", "draft");
    assertThat(refused.exit()).isEqualTo(3); // there is no such directory

    Files.createDirectory(out);
    refused = convert(published, out.resolve("x.jsonl"), "--to", "draft");
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.out()).contains("missing", "ToolCall.params", "--force");
    assertThat(files(out)).isEmpty();

    Console forced = convert(published, out.resolve("x.jsonl"), "--to", "draft", "--force");
    assertThat(forced.exit()).isEqualTo(1);
    assertThat(files(out)).containsExactly(Path.of("x.jsonl"));
  }

  @Test
  void tampered_session_gets_no_receipt() throws IOException {
    Files.writeString(
        log, Files.readString(log, UTF_8).replace("fn main() {}", "fn mein() {}"), UTF_8);
    Path out = home.resolve("out");

    Console console = convert(session, out, "--to", "type");

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.err())
        .contains("no receipt was created, because log and receipt of the source are not valid");
    assertThat(files(out)).containsExactly(Path.of("REPLAY.jsonl"));
    assertThat(Console.run("verify", out.toString()).out()).contains("OUTPUT_HASH_MISMATCH");
  }

  @Test
  void bundle_becomes_a_log_with_a_receipt_and_comes_back() throws IOException {
    Path bundle = home.resolve("bundle.json");
    Path there = home.resolve("there");

    Console first = convert(session, bundle, "--to", "bundle");
    Console second = convert(bundle, there, "--to", "event");

    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(second.exit()).as(second.err()).isZero();
    assertThat(files(there)).containsExactly(Path.of("RECEIPT.json"), Path.of("REPLAY.jsonl"));
    assertThat(Console.run("verify", there.toString(), "--require", "receipt").out())
        .contains("its digest of the log matches");
  }

  @Test
  void header_and_events_of_a_bundle_are_the_log() throws IOException {
    Path draft = home.resolve("draft.jsonl");
    Path bundle = home.resolve("bundle.json");
    convert(log, draft, "--to", "draft");
    convert(log, bundle, "--to", "bundle");

    String inBundle = Files.readString(bundle, UTF_8)
        .replace("{\"header\":", "")
        .replace(",\n\"events\":[", "")
        .replace("]}\n", "\n")
        .replace("},\n{", "}\n{");

    assertThat(inBundle).isEqualTo(Files.readString(draft, UTF_8));
  }

  @Test
  void broken_bundle_is_refused_with_what_it_lacks() throws IOException {
    Path bundle = Files.writeString(
        home.resolve("b.json"),
        "{\"header\":{\"version\":\"1.0.0\"},\"events\":[{\"type\":\"ToolCall\"},3]}",
        UTF_8);

    Console console = convert(bundle, home.resolve("x.jsonl"), "--to", "draft");

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out())
        .contains(
            "/header: ReplayHeader: session_id is missing",
            "/header: ReplayHeader: started_at is missing",
            "/events/0: ToolCall: id is missing",
            "/events/1: must be an object, found number",
            "not written");
    assertThat(files(home)).doesNotContain(Path.of("x.jsonl"));
  }

  @Test
  void version_that_is_not_supported_is_refused_unless_forced() throws IOException {
    Files.writeString(
        log,
        Files.readString(log, UTF_8).replace("\"replay_version\":1", "\"replay_version\":7"),
        UTF_8);
    Path out = home.resolve("x.jsonl");

    Console refused = convert(log, out, "--to", "type");
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).contains("version", "--force");
    assertThat(out).doesNotExist();
    Console forced = convert(log, out, "--to", "type", "--force");
    assertThat(forced.exit()).isZero();
    assertThat(forced.err()).contains("warning: the log is of version 7");
    assertThat(Console.run("show", out.toString()).exit()).isZero();
  }

  @Test
  void bundle_of_a_tampered_session_says_so() throws IOException {
    Files.writeString(
        log, Files.readString(log, UTF_8).replace("fn main() {}", "fn mein() {}"), UTF_8);

    assertThat(convert(session, home.resolve("b.json"), "--to", "bundle").exit())
        .isEqualTo(1);
  }

  @Test
  void receipt_of_a_different_session_does_not_stay_next_to_the_log() throws IOException {
    Path out = Files.createDirectory(home.resolve("out"));
    Files.writeString(out.resolve("RECEIPT.json"), "{}", UTF_8);
    Files.delete(session.resolve("RECEIPT.json"));

    assertThat(convert(session, out, "--to", "type").exit()).isEqualTo(2);
    assertThat(convert(session, out, "--to", "type", "--overwrite").exit()).isZero();
    assertThat(files(out)).containsExactly(Path.of("REPLAY.jsonl"));
  }

  @Test
  void wrong_usage_says_what_is_expected() {
    assertThat(convert(log, home.resolve("x"), "--to", "xml").err())
        .contains(
            "expected event, type, draft, bundle, atif, otel, openinference or inspect, found \"xml\"");
    assertThat(convert(home.resolve("nope"), home.resolve("x"), "--to", "type").exit())
        .isEqualTo(3);
  }

  @Test
  void line_that_cannot_be_read_leaves_nothing() throws IOException {
    Files.writeString(log, Files.readString(log, UTF_8) + "{\"event\":", UTF_8);

    Console console = convert(session, home.resolve("out"), "--to", "type");

    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err()).contains("cut short");
    assertThat(home.resolve("out")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"atif,steps", "otel,spans", "openinference,spans", "inspect,events"})
  void session_is_exported_to_the_format_of_another_tool(String to, String items) {
    Path out = home.resolve(to + ".json");

    Console text = convert(session, out, "--to", to);
    Console again = convert(session, out, "--to", to);
    Console json = convert(session, out, "--to", to, "--overwrite", "--format", "json");

    assertThat(text.exit()).as(text.err()).isZero();
    assertThat(text.out())
        .contains(": to " + to + ", 5 events read", items + " written")
        .contains("0 model calls, 1 tool calls, 1 results, 0 sub-agents", "wrote " + out);
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("--overwrite");
    assertThat(json.exit()).as(json.err()).isZero();
    assertThat(JsonText.parse(json.out()).at("/schema").asString()).isEqualTo("replay.export/1");
    assertThat(JsonText.parse(json.out()).at("/counts/tool_calls").asLong()).isEqualTo(1);
  }

  @Test
  void export_of_a_log_that_is_not_valid_is_written_and_reported() throws IOException {
    Files.writeString(log, Files.readString(log).replace("fn main() {}", "fn mine() {}"));
    Path out = home.resolve("out.json");

    Console console = convert(session, out, "--to", "atif");

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.err()).contains("the source is not valid");
    assertThat(out).exists();
    assertThat(convert(session, home, "--to", "otel").exit()).isEqualTo(2);
  }
}
