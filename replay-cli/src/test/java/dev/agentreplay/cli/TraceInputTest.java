package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.JavaTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that read sessions take the traces of other tools, too. */
class TraceInputTest {

  private static final Path TRACES =
      Path.of("../replay-convert/src/test/resources/traces/claude-code");
  private static final Path SAMPLE = TRACES.resolve("sample_session.jsonl");
  private static final Path TRUNCATED = TRACES.resolve("truncated.jsonl");

  @TempDir
  private Path home;

  @RegisterExtension
  private final JavaTempDir tmp = new JavaTempDir();

  private static Console run(String line) {
    return Console.run(line.split(" "));
  }

  private static String note(Path trace, int events) {
    return ("replay: %s: imported %d events from a Claude Code transcript; what is verified is this"
            + " copy\n")
        .formatted(trace, events);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "show F",
        "show F --format json",
        "show F --html P",
        "stats F",
        "verify F",
        "list F"
      })
  void trace_is_read_as_a_session_and_the_command_says_so(String command) {
    Console console = run(command
        .replace("F", SAMPLE.toString())
        .replace("P", home.resolve("page.html").toString()));
    assertThat(console.exit()).isZero();
    assertThat(console.err()).startsWith(note(SAMPLE, 15));
    assertThat(console.out()).doesNotContain(tmp.path() + "/agentreplay-");
    assertThat(tmp.path()).isEmptyDirectory();
  }

  @Test
  void events_are_shown_with_their_places_in_the_trace() {
    assertThat(run("show " + SAMPLE).out())
        .contains(
            ", imported from claude-code, ",
            "runtime claude-code/user Create a hello world function (line 2)\n",
            "#0   Write ",
            "(line 3)\n")
        .doesNotContain("imported:");
  }

  @Test
  void session_that_was_imported_is_marked() {
    Path out = home.resolve("out");
    run("import " + SAMPLE + " " + out);
    assertThat(run("list " + out).out()).contains("import of claude-code: Create");
    JsonObject listed = JsonText.parse(run("list --format json " + out).out()).asObject();
    assertThat(listed.at("/imported_from/format").asString()).isEqualTo("claude-code");
    assertThat(run("verify " + out).out())
        .contains(
            "  imported    from claude-code, sample_session.jsonl (sha256:",
            "that the trace is true: this is an import of claude-code");
    JsonObject verified =
        JsonText.parse(run("verify --format json " + out).out()).asObject();
    assertThat(verified.at("/imported_from/files/0/name").asString())
        .isEqualTo("sample_session.jsonl");
  }

  @Test
  void both_sides_of_a_comparison_may_be_traces() {
    Console same = run("diff %s %s".formatted(SAMPLE, SAMPLE));
    assertThat(same.exit()).isZero();
    assertThat(same.out()).startsWith("identical  2 calls");
    assertThat(same.err()).isEqualTo(note(SAMPLE, 15).repeat(2));

    Path out = home.resolve("out");
    run("import " + SAMPLE + " " + out);
    assertThat(run("diff %s %s".formatted(out, SAMPLE)).exit()).isZero();
    assertThat(run("diff %s %s".formatted(SAMPLE, out)).exit()).isZero();
    assertThat(run("diff --strict %s %s".formatted(SAMPLE, out)).exit()).isZero();

    Console other = run("diff %s %s".formatted(SAMPLE, TRUNCATED));
    assertThat(other.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(other.out()).doesNotContain("RUNTIME_EVENT", "imported");
  }

  @Test
  void faults_of_the_trace_are_listed() {
    assertThat(run("stats " + TRUNCATED).err())
        .isEqualTo(note(TRUNCATED, 6)
            + "replay: warning: %s, line 3: broken_line: not JSON (syntax) at byte 76 of the line\n"
                .formatted(TRUNCATED));
  }

  @Test
  void several_sessions_and_traces_are_verified_together() {
    Path out = home.resolve("out");
    run("import " + SAMPLE + " " + out);
    Console console = run("verify %s %s %s".formatted(SAMPLE, out, TRUNCATED));
    assertThat(console.exit()).isZero();
    assertThat(console.out()).contains("3 sessions: 3 valid");
    assertThat(run("stats %s %s".formatted(SAMPLE, out)).out()).contains("sessions   ");
  }

  @Test
  void output_does_not_replace_the_trace() throws IOException {
    Path trace = Files.copy(SAMPLE, home.resolve("trace.jsonl"));
    Console console = run("show --html %s --overwrite %s".formatted(trace, trace));
    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(trace).hasSameBinaryContentAs(SAMPLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"run F", "run F --mode mock --subject x", "run --force F", "run F --against F"})
  void trace_is_imported_before_it_is_replayed(String command) {
    Console console = run(command.replace("F", SAMPLE.toString()));
    assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err())
        .isEqualTo(
            "replay: %1$s: a Claude Code transcript must be imported first: replay import %1$s DIR\n"
                .formatted(SAMPLE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tail F --no-follow", "receipt F", "convert F O --to event"})
  void other_commands_say_that_it_can_be_imported(String command) {
    Console console = run(
        command.replace("F", SAMPLE.toString()).replace("O", home.resolve("out").toString()));
    assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err())
        .contains("the file looks like a Claude Code transcript, which replay import reads");
  }

  @Test
  void trace_in_which_nothing_is_recognized_is_unreadable() throws IOException {
    Path summary = Files.writeString(
        home.resolve("s.jsonl"), "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"5f\"}\n");
    for (String command : List.of("show ", "stats ", "verify ")) {
      Console console = run(command + summary);
      assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(console.err()).contains("[IMPORT_NOTHING_RECOGNISED] s.jsonl: ");
    }
    assertThat(run("stats --force " + summary).exit()).isZero();
  }
}
