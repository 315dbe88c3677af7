package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay import}. */
class ImportCommandTest {

  private static final Path TRACES =
      Path.of("../replay-convert/src/test/resources/traces/claude-code");
  private static final Path SAMPLE = TRACES.resolve("sample_session.jsonl");
  private static final Path TRUNCATED = TRACES.resolve("truncated.jsonl");

  @TempDir
  private Path home;

  private Console importInto(String out, Object source, String... options) {
    String[] words = new String[options.length + 3];
    words[0] = "import";
    words[1] = source.toString();
    words[2] = home.resolve(out).toString();
    System.arraycopy(options, 0, words, 3, options.length);
    return Console.run(words);
  }

  private static List<JsonObject> documents(Console console) {
    return console.out().lines().map(line -> JsonText.parse(line).asObject()).toList();
  }

  @Test
  void trace_is_imported_and_described() {
    Console console = importInto("a", SAMPLE);

    assertThat(console.exit()).isZero();
    assertThat(console.err()).isEmpty();
    assertThat(console.out().replaceAll("[0-9]+ (kept|moved|derived|generated)", "N $1"))
        .isEqualTo(
            """
            imported  %1$s
              source      %2$s
              format      claude-code, a Claude Code transcript
              session     test-session-id
              records     8: user 4, assistant 3, summary 1
              events      15 events, 2 messages of users, 3 model calls, 2 tool calls, 2 results
              ledger      members: N kept, N moved, N derived, N generated, 2 dropped
                dropped  2 the message holds results only: message/role
              next        replay show %1$s
                          replay stats %1$s
                          replay verify %1$s
            """
                .formatted(home.resolve("a"), SAMPLE));
    assertThat(Console.run("verify", home.resolve("a").toString()).exit()).isZero();
    assertThat(home.resolve("a").resolve(Session.RECEIPT_NAME)).exists();
  }

  @Test
  void whole_ledger_is_printed_if_that_is_asked_for() {
    assertThat(importInto("a", SAMPLE, "--ledger").out())
        .contains(
            "    moved            3  assistant/message/content -> ModelResult/answer/content",
            "    dropped          2  user/message/role  (the message holds results only)",
            "    generated ");
  }

  @Test
  void faults_have_their_places_and_fail() {
    Console console = importInto("a", TRUNCATED);

    assertThat(console.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(console.out())
        .contains("  faults      broken_line  line 3: not JSON")
        .doesNotContain("hello"); // no value of the source is printed
  }

  @Test
  void report_in_json_has_the_published_schema() throws IOException {
    JsonObject report =
        documents(importInto("a", TRUNCATED, "--format", "json")).get(0);

    assertThat(ReportSchemas.faults(report)).isEmpty();
    assertThat(report.at("/outcome").asString()).isEqualTo("imported");
    assertThat(report.at("/fault_count")).hasToString("1");
    assertThat(report.at("/sessions/0/out").asString())
        .isEqualTo(home.resolve("a").toString());
  }

  @Test
  void nothing_is_replaced_but_an_earlier_import() throws IOException {
    importInto("a", SAMPLE);
    Console again = importInto("a", TRUNCATED);
    assertThat(again.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(again.err())
        .isEqualTo("replay: %s exists: it holds an earlier import, which --overwrite replaces\n"
            .formatted(home.resolve("a")));
    assertThat(importInto("a", SAMPLE, "--overwrite").exit()).isZero();

    Path other = Files.createDirectories(home.resolve("b"));
    Files.writeString(other.resolve("x"), "");
    assertThat(importInto("b", SAMPLE, "--overwrite").exit()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void file_in_which_nothing_is_recognized_is_unreadable() throws IOException {
    Path notes = Files.writeString(home.resolve("notes.md"), "hello\n");
    Console console = importInto("a", notes);
    assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err()).startsWith("replay: [IMPORT_NOTHING_RECOGNISED] " + notes + ": ");

    Path summary = Files.writeString(
        home.resolve("s.jsonl"), "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"5f\"}\n");
    assertThat(importInto("a", summary).err())
        .startsWith("replay: [IMPORT_NOTHING_RECOGNISED] s.jsonl: ")
        .contains("the format may have changed");
    assertThat(importInto("a", notes, "--from", "claude-code").exit())
        .isEqualTo(ExitCode.UNREADABLE);
    assertThat(importInto("a", home.resolve("missing")).exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(home.resolve("a")).doesNotExist();
  }

  @Test
  void unknown_format_is_wrong_usage() {
    Console console = importInto("a", SAMPLE, "--from", "word");
    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).contains("--from: expected claude-code", "found \"word\"");
  }

  @Test
  void directory_is_imported_with_totals() throws IOException {
    Path traces = Files.createDirectories(home.resolve("traces"));
    Files.copy(SAMPLE, traces.resolve("a.jsonl"));
    Files.copy(TRUNCATED, traces.resolve("b.jsonl"));

    Console first = importInto("out", traces);
    assertThat(first.exit()).isEqualTo(ExitCode.FINDINGS); // a fault
    assertThat(first.out())
        .startsWith(
            "imported   %s/a.jsonl  claude-code, 3 model calls, 2 tool calls\n".formatted(traces))
        .contains(
            "b.jsonl  claude-code, 1 model call, 0 tool calls, 1 fault\n",
            "  sources     2 traces: 2 imported\n",
            "  faults      1; IMPORT.json of each session lists them\n",
            "  next        replay list " + home.resolve("out"));

    Console second = importInto("out", traces);
    assertThat(second.exit()).isZero();
    assertThat(second.out())
        .contains("unchanged  ", "  sources     2 traces: 2 unchanged\n")
        .doesNotContain("  ledger");

    Files.writeString(
        traces.resolve("a.jsonl"),
        Files.readString(SAMPLE) + "{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"s\"}\n");
    Console third = importInto("out", traces);
    assertThat(third.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(third.out())
        .contains("changed    %s/a.jsonl  the source has changed; --overwrite imports it again\n"
            .formatted(traces));
    assertThat(importInto("out", traces, "--overwrite").exit()).isZero();
  }

  @Test
  void directory_in_json_is_a_line_for_each_trace_and_the_totals() throws IOException {
    Path traces = Files.createDirectories(home.resolve("traces"));
    Files.copy(SAMPLE, traces.resolve("a.jsonl"));
    Files.copy(TRUNCATED, traces.resolve("b.jsonl"));

    List<JsonObject> documents = documents(importInto("out", traces, "--format", "json"));

    assertThat(documents)
        .extracting(document -> document.at("/schema").asString())
        .containsExactly(
            "replay.import-report/1", "replay.import-report/1", "replay.import-batch/1");
    for (JsonObject document : documents) {
      assertThat(ReportSchemas.faults(document)).isEmpty();
    }
    assertThat(documents.get(2).at("/outcomes/imported")).hasToString("2");
  }

  @Test
  void directory_without_a_trace_is_unreadable() throws IOException {
    Path traces = Files.createDirectories(home.resolve("traces"));
    Files.writeString(traces.resolve("a.md"), "x");
    Console none = importInto("out", traces);
    assertThat(none.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(none.err()).startsWith("replay: [IMPORT_NOTHING_RECOGNISED] " + traces);

    Files.writeString(
        traces.resolve("s.jsonl"),
        "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"5f\"}\n");
    Console failed = importInto("out", traces);
    assertThat(failed.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(failed.out()).contains("failed     ");
    assertThat(failed.err())
        .isEqualTo("replay: %s: no trace could be imported\n".formatted(traces));
  }
}
