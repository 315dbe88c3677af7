package dev.agentreplay.cli;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.MarkdownDocument.Section;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * docs/findings.md has a section for each code, and its examples are what {@code replay verify}
 * prints. Where a message was changed on purpose, {@code -Dreplay.documents=write} puts it into the
 * document.
 */
class FindingsDocumentTest {

  private static final Path FILE = Path.of("../docs/findings.md");

  private static final int LONGEST_LINE = 100;

  /** The sections of codes are of this level. */
  private static final int CODE_LEVEL = 3;

  /** Brings the sample session into the state of an example, and verifies it. */
  private interface Example {
    Console run(SampleSession session) throws IOException;
  }

  private static final Map<FindingCode, Example> EXAMPLES = Map.ofEntries(
      // bytes and lines
      entry(
          FindingCode.MALFORMED_LINE,
          session ->
              verify(session.replace(6, "\"tool\":\"read_file\"}", "\"tool\":\"read_file\""))),
      entry(
          FindingCode.DUPLICATE_KEY,
          session ->
              verify(session.replace(6, "\"src/auth.rs\"", "\"src/auth.rs\",\"path\":\"a\""))),
      entry(
          FindingCode.TORN_TAIL,
          session -> verify(session.cut(7, "the writer was killed during a write"))),
      entry(
          FindingCode.NO_FINAL_NEWLINE,
          session -> verify(session.cut(1, "an editor removed the line feed"))),
      entry(
          FindingCode.LINE_ENDINGS_CONVERTED,
          session -> verify(session.receipt().convertLineEnds())),
      entry(FindingCode.BEING_WRITTEN, session -> verify(session.delete(8, 8).openWriter())),

      // structure
      entry(FindingCode.HEADER_MISSING, session -> verify(session.delete(1, 1))),
      entry(FindingCode.HEADER_NOT_FIRST, session -> verify(session.repeat(1, 1, 3))),
      entry(
          FindingCode.UNSUPPORTED_VERSION,
          session -> verify(session.replace(1, "\"replay_version\":1", "\"replay_version\":2"))),
      entry(
          FindingCode.VERSION_NEWER,
          session -> verify(session.replace(1, "\"replay_version\":1", "\"replay_version\":1.1"))),
      entry(FindingCode.SESSION_START_MISSING, session -> verify(session.delete(2, 2))),
      entry(FindingCode.SESSION_END_MISSING, session -> verify(session.delete(8, 8))),
      entry(
          FindingCode.EVENT_AFTER_END,
          session -> verify(session.insert(
              9,
              "{\"event\":\"StepComplete\",\"iterations\":1,\"status\":\"Success\","
                  + "\"step_id\":\"step-1\"}"))),
      entry(
          FindingCode.TOTALS_MISMATCH,
          session ->
              verify(session.replace(8, "\"total_tool_calls\":1", "\"total_tool_calls\":2"))),
      entry(
          FindingCode.TIME_WENT_BACKWARDS,
          session -> verify(session.replace(6, "10:00:05Z", "09:00:05Z"))),
      entry(
          FindingCode.RECORDING_GAP,
          session -> verify(session.insert(
              6,
              "{\"event\":\"RecordingGap\",\"t\":\"2026-01-13T10:00:04Z\","
                  + "\"unrecorded_events\":3}"))),
      entry(
          FindingCode.SESSION_REPEATED,
          session -> verify(session.copyTo("fix-login-2"), "fix-login-2")),

      // fields
      entry(
          FindingCode.EVENT_INVALID,
          session -> verify(session.insert(
              8, "{\"event\":\"StepComplete\",\"iterations\":1,\"status\":\"Success\"}"))),
      entry(
          FindingCode.FIELD_MISSING,
          session -> verify(session.replace(3, "\"step_count\":1,", ""))),
      entry(
          FindingCode.FIELD_INVALID,
          session -> verify(session.replace(3, "\"step_count\":1", "\"step_count\":\"one\""))),
      entry(
          FindingCode.STATUS_UNKNOWN,
          session -> verify(session.replace(8, "\"Success\"", "\"Escalated\""))),
      entry(
          FindingCode.VALUE_OUT_OF_RANGE,
          session -> verify(session.replace(8, "\"confidence\":0.9", "\"confidence\":9"))),
      entry(
          FindingCode.CARRIED_OVER_CONFLICT,
          session -> verify(session.replace(
              6, "{\"event\"", "{\"carried_over\":{\"type\":{\"tool\":\"shell\"}},\"event\""))),

      // calls and hashes
      entry(
          FindingCode.PARAMS_HASH_MISMATCH,
          session -> verify(session.replace(6, "src/auth.rs", "src/main.rs"))),
      entry(
          FindingCode.OUTPUT_HASH_MISMATCH,
          session -> verify(session.replace(7, "fn login()", "fn logout()"))),
      entry(
          FindingCode.PAYLOAD_HASH_MISMATCH,
          session -> verify(session.replace(5, "I read", "I skip"))),
      entry(
          FindingCode.PREVIEW_MISMATCH,
          session -> verify(session.replace(
              7, "\"step_utility\"", "\"output_preview\":\"fn logout() {}\",\"step_utility\""))),
      entry(FindingCode.BLOB_MISMATCH, session -> verify(session.editBlob())),
      entry(
          FindingCode.RESULT_WITHOUT_CALL,
          session -> verify(session.replace(7, "\"id\":\"c-1\"", "\"id\":\"c-2\""))),
      entry(
          FindingCode.MODEL_RESULT_WITHOUT_CALL,
          session -> verify(session.replace(5, "\"id\":\"m-1\"", "\"id\":\"m-2\""))),
      entry(
          FindingCode.PROMPT_DELTA_INVALID,
          session -> verify(session.replace(
              4, "\"prompt_hash\":", "\"prompt_delta\":{\"base\":\"m-0\"},\"prompt_hash\":"))),
      entry(FindingCode.CALL_WITHOUT_RESULT, session -> verify(session.delete(7, 8))),
      entry(FindingCode.MODEL_CALL_WITHOUT_RESULT, session -> verify(session.delete(5, 5))),
      entry(
          FindingCode.DUPLICATE_CALL_ID,
          session -> verify(session
              .replace(8, "\"total_latency_ms\":45", "\"total_latency_ms\":90")
              .replace(8, "\"total_tool_calls\":1", "\"total_tool_calls\":2")
              .repeat(6, 7, 8))),
      entry(
          FindingCode.ATTEMPT_REPEATED,
          session -> verify(session
              .replace(6, "{\"event\"", "{\"effect_id\":\"order-7\",\"event\"")
              .replace(8, "\"total_latency_ms\":45", "\"total_latency_ms\":90")
              .replace(8, "\"total_tool_calls\":1", "\"total_tool_calls\":2")
              .repeat(6, 7, 8)
              .replace(8, "\"c-1\"", "\"c-2\"")
              .replace(9, "\"c-1\"", "\"c-2\""))),

      // receipts
      entry(
          FindingCode.RECEIPT_UNREADABLE,
          session -> verify(
              session.receipt().replaceIn(SampleSession.RECEIPT, "\"session_id\"", "\"session\""))),
      entry(
          FindingCode.RECEIPT_TOOL_MISMATCH,
          session ->
              verify(session.receipt().replaceIn(SampleSession.RECEIPT, "read_file", "shell"))),
      entry(
          FindingCode.RECEIPT_PARAMS_MISMATCH,
          session -> verify(session
              .receipt()
              .replaceIn(SampleSession.RECEIPT, "sha256:2432e75f", "sha256:00000000"))),
      entry(
          FindingCode.RECEIPT_OUTPUT_MISMATCH,
          session -> verify(session
              .receipt()
              .replaceIn(SampleSession.RECEIPT, "sha256:365f3614", "sha256:00000000"))),
      entry(
          FindingCode.RECEIPT_FIELD_MISMATCH,
          session -> verify(session
              .receipt()
              .replaceIn(
                  SampleSession.RECEIPT,
                  "\"final_confidence\": 0.9",
                  "\"final_confidence\": 1.0"))),
      entry(
          FindingCode.RECEIPT_CALL_MISSING, session -> verify(session.receipt().delete(6, 7))),
      entry(
          FindingCode.RECEIPT_CALL_UNEXPECTED,
          session -> verify(session.receipt().repeat(6, 7, 8))),
      entry(
          FindingCode.RECEIPT_DIGEST_MISMATCH,
          session -> verify(session
              .receipt("--form", "openagents.v1")
              .replaceIn(SampleSession.RECEIPT, "\"event_count\": 7", "\"event_count\": 8"))),

      // proofs and signatures
      entry(
          FindingCode.REPLAY_HASH_MISMATCH,
          session -> verify(session.receipt().replace(1, "adjutant@1.2.3", "adjutant@1.2.4"))),
      entry(
          FindingCode.TREE_ROOT_MISMATCH,
          session -> verify(
              session.run("checkpoint", "fix-login", "--out", "monday.json").delete(8, 8),
              "--checkpoint",
              "monday.json")),
      entry(
          FindingCode.PUBLIC_ROOT_MISMATCH,
          session -> verify(
              session.publish(6, "params").replace(7, "\"latency_ms\":45", "\"latency_ms\":5"))),
      entry(
          FindingCode.DISCLOSURE_INVALID,
          session -> verify(session
              .publish(6, "params")
              .replace(
                  6,
                  ",\"tool\":\"read_file\"",
                  ",\"params\":{\"path\":\"a\"},\"tool\":\"read_file\""))),
      entry(
          FindingCode.DISCLOSURE_MISSING,
          session -> verify(session.publish(6, "params"), "--expect", "shown=ToolCall/params")),
      entry(
          FindingCode.EXPECTATION_UNMET,
          session -> verify(session, "--expect", "session_id=fix-logout")),
      entry(
          FindingCode.PARENT_MISMATCH,
          session -> verifyFork(session.fork(6).replace(1, "adjutant@1.2.3", "adjutant@1.2.4"))),
      entry(
          FindingCode.FORK_PREFIX_MISMATCH,
          session ->
              verifyFork(session.fork(6).replaceIn(SampleSession.FORK_LOG, "gpt-4o", "gpt-5"))),
      entry(
          FindingCode.SIGNATURE_INVALID,
          session -> verify(
              session.receipt().sign().replace(1, "adjutant@1.2.3", "adjutant@1.2.4"),
              "--public-key",
              "key.pub")),
      entry(
          FindingCode.SIGNATURE_UNVERIFIABLE,
          session -> verify(session.receipt().sign())),
      entry(
          FindingCode.ENVELOPE_NOT_CANONICAL,
          session -> verify(
              session
                  .receipt()
                  .sign()
                  .replaceIn(SampleSession.ENVELOPE, "\"payloadType\":\"", "\"payloadType\": \""),
              "--public-key",
              "key.pub")),

      // canonical form
      entry(
          FindingCode.NOT_CANONICAL,
          session -> verify(session.replace(6, "\"event\":\"", "\"event\": \""))),
      entry(
          FindingCode.UNSUPPORTED_CANONICALIZATION,
          session -> verify(session.replace(
              1, "{\"created_at\"", "{\"canonicalization\":\"cbor\",\"created_at\""))),

      // information
      entry(
          FindingCode.UNKNOWN_EVENT,
          session -> verify(session.insert(
              6, "{\"event\":\"Thought\",\"t\":\"2026-01-13T10:00:04Z\",\"text\":\"hm\"}"))),
      entry(
          FindingCode.TIME_MISSING,
          session -> verify(session.replace(3, ",\"t\":\"2026-01-13T10:00:02Z\"", ""))),
      entry(
          FindingCode.NUMBER_TOO_LARGE,
          session -> verify(
              session.replace(7, "\"latency_ms\":45", "\"latency_ms\":9223372036854775808"))),
      entry(
          FindingCode.HASH_UNVERIFIABLE,
          session -> verify(session.replace(6, "\"params\":{\"path\":\"src/auth.rs\"},", ""))));

  @TempDir
  private Path home;

  @Test
  void every_code_has_its_section_and_no_other_has_one() throws IOException {
    assertThat(codeSections())
        .extracting(Section::title)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(FindingCode.values()).map(Enum::name).toList());
  }

  @Test
  void index_lists_the_sections_in_their_order_with_severity_and_link() throws IOException {
    String index = MarkdownDocument.read(FILE).section("Index").text();
    List<String> rows = index.lines().filter(line -> line.startsWith("| [")).toList();
    List<Section> sections = codeSections();
    assertThat(rows).hasSameSizeAs(sections);
    for (int i = 0; i < rows.size(); i++) {
      FindingCode code = FindingCode.valueOf(sections.get(i).title());
      assertThat(rows.get(i))
          .matches("\\Q| [`%s`](#%s) | %s | \\E[^|]+ \\|"
              .formatted(
                  code, code.name().toLowerCase(Locale.ROOT), code.severity().id()));
    }
  }

  @ParameterizedTest
  @EnumSource(FindingCode.class)
  void section_has_severity_exit_code_cause_example_and_next_step(FindingCode code)
      throws IOException {
    String text = MarkdownDocument.read(FILE).section(code.name()).text();
    assertThat(text).startsWith("\n%s\n".formatted(severity(code)));
    assertThat(text).containsSubsequence("**Cause.** ", "**Example.**", "**What to do.** ");
  }

  @ParameterizedTest
  @MethodSource("executed")
  void example_is_what_verify_prints(FindingCode code) throws IOException {
    MarkdownDocument document = MarkdownDocument.read(FILE);
    String log = document.section("The examples").block("jsonl").text();
    try (SampleSession session = new SampleSession(home, log)) {
      Console console = EXAMPLES.get(code).run(session);

      String example = session.shown() + session.finding(code, console.out());
      assertThat(example.lines()).allMatch(line -> line.length() <= LONGEST_LINE);
      document.check(code.name(), "console", example);
      assertThat(console.exit()).as(console.out()).isEqualTo(exitCode(code));
    }
  }

  @Test
  void every_example_is_executed() {
    assertThat(EXAMPLES).containsOnlyKeys(FindingCode.values());
  }

  @Test
  void sample_session_is_valid() throws IOException {
    String log =
        MarkdownDocument.read(FILE).section("The examples").block("jsonl").text();
    try (SampleSession session = new SampleSession(home, log)) {
      for (Console console : List.of(
          verify(session),
          verify(session.receipt()),
          verify(session.sign(), "--public-key", "key.pub", "--require", "end,values,tree"))) {
        assertThat(console.exit()).as(console.out()).isZero();
        assertThat(console.out())
            .startsWith("valid")
            .doesNotContainPattern("(?m)^  (unreadable|error|warning|info)  ");
      }
    }
  }

  private static Stream<FindingCode> executed() {
    return EXAMPLES.keySet().stream().sorted();
  }

  private static List<Section> codeSections() throws IOException {
    return MarkdownDocument.read(FILE).sections().stream()
        .filter(section -> section.level() == CODE_LEVEL)
        .toList();
  }

  private static Console verifyFork(SampleSession session) {
    return session.console("verify", "--parent", SampleSession.NAME, SampleSession.FORK);
  }

  private static Console verify(SampleSession session, String... more) {
    boolean isOption = more.length == 0 || more[0].startsWith("--");
    Stream<String> first = isOption ? Stream.of(more) : Stream.of(SampleSession.NAME);
    Stream<String> last = isOption ? Stream.of(SampleSession.NAME) : Stream.of(more);
    return session.console(
        Stream.concat(Stream.of("verify"), Stream.concat(first, last)).toArray(String[]::new));
  }

  /** The line of a section that says how bad a finding is. */
  private static String severity(FindingCode code) {
    String exit = "exit code " + exitCode(code);
    if (exitCode(code) == ExitCode.FINDINGS && !VerifyPolicy.lenient().failing().contains(code)) {
      exit += "; 0 with `--lenient`";
    } else if (exitCode(code) == ExitCode.OK && VerifyPolicy.strict().failing().contains(code)) {
      exit += "; 1 with `--strict`";
    }
    return "**Severity:** %s (%s)".formatted(code.severity().id(), exit);
  }

  private static int exitCode(FindingCode code) {
    return switch (code.severity()) {
      case UNREADABLE -> ExitCode.UNREADABLE;
      case ERROR -> ExitCode.FINDINGS;
      case WARNING, INFO -> ExitCode.OK;
    };
  }
}
