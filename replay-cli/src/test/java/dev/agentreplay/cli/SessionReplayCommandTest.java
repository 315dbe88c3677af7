package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.SessionRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code replay session replay}: modes, thresholds, reports and exit codes. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class SessionReplayCommandTest {

  private static final String UNSAFE = "--unsafe-no-sandbox";
  private static final String REWORDED =
      "H1 doesn't explain why the boundary of fates is so sharp.";
  private static final String OTHER = "Nobody has measured this signal; cite evidence first!";

  @TempDir
  Path home;

  private Path record;

  @BeforeEach
  void record() throws IOException {
    record = ResearchThread.record(home, "one");
  }

  private Console replay(Object... words) {
    List<String> command = new ArrayList<>(List.of("session", "replay", record.toString()));
    Stream.of(words).map(Object::toString).forEach(command::add);
    return Console.run(command.toArray(String[]::new));
  }

  private Console against(Path other, Object... words) {
    List<Object> command = new ArrayList<>(List.of("--mode", "verify", "--against", other));
    command.addAll(List.of(words));
    return replay(command.toArray());
  }

  private Console agents(Path agents, Object... words) {
    List<Object> command =
        new ArrayList<>(List.of("--mode", "verify", "--agents", "sh " + agents, UNSAFE));
    command.addAll(List.of(words));
    return replay(command.toArray());
  }

  private Path changed(String name, String text) throws IOException {
    return ResearchThread.record(home, name, ResearchThread.CRITIQUE, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "verification", "VERIFY", "compare", "comparison"})
  void record_matches_itself_in_each_mode(String mode) {
    Console console = replay("--mode", mode, "--against", record);

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(console.err()).isEmpty();
    assertThat(console.out())
        .startsWith("matched  Session is reproducible within acceptable bounds.\n")
        .contains("Session similarity: 100%", "divergences none", "3 by hash");
  }

  @Test
  void trace_shows_each_message_and_runs_nothing() {
    Console console = replay("--mode", "trace");

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(console.out())
        .startsWith("matched  Nothing was replayed: this is the recorded session; all 6 texts")
        .contains("Round 1  2026-01-01T10:05:00Z", ResearchThread.CRITIQUE);
  }

  @Test
  void trace_refuses_altered_texts_and_is_undecided_without_them() throws IOException {
    Path content = record.resolveSibling("content");
    try (Stream<Path> texts = Files.list(content)) {
      for (Path text : texts.toList()) {
        if (Files.readString(text).equals(ResearchThread.TEST)) {
          Files.writeString(text, "altered");
        }
      }
    }

    Console altered = replay("--mode", "trace");
    Files.move(content, home.resolve("moved"));
    Console missing = replay("--mode", "trace");

    assertThat(altered.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(altered.out()).startsWith("diverged  ").contains("was altered");
    assertThat(missing.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(missing.out()).startsWith("undecided  ").contains("--content DIR");
    assertThat(replay("--mode", "trace", "--content", home.resolve("moved")).exit())
        .isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void same_agents_match() throws IOException {
    Console console = agents(ResearchThread.agents(home));

    assertThat(console.exit()).as(console.out()).isZero();
    assertThat(console.out())
        .contains("Rounds completed: 2/2 ✓", "Message count match: 3/3 ✓", "similarity: 100%");
  }

  @Test
  void agents_of_a_different_conclusion_diverge() throws IOException {
    Console console =
        agents(ResearchThread.agents(home, ResearchThread.HYPOTHESIS, OTHER, ResearchThread.TEST));

    assertThat(console.exit()).as(console.err()).isEqualTo(ExitCode.FINDINGS);
    assertThat(console.out())
        .startsWith("diverged  Significant divergence in adversarial critique.")
        .contains("Round 0, Message 2 (adversarial_critic)  Red CRITIQUE  major")
        .contains("  Original: " + ResearchThread.CRITIQUE, "  Replay:   " + OTHER)
        .contains("--judge CMD");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      ''                                   | 1
      --max-major 1                        | 1
      --max-major 1 --threshold 78.5       | 1
      --max-major 1 --threshold 78.4       | 0
      --max-major 1 --threshold 0 --artifact-threshold 100 | 0
      --max-major 0 --threshold 0          | 1
      --rounds 1                           | 0
      --rounds 1..                         | 0
      --rounds 0..0                        | 1
      --normalize critique:^.*sharp.*$=>C --normalize critique:^Nobody.*$=>C | 0
      """)
  void thresholds_and_rules_decide(String options, int exit) throws IOException {
    Object[] words = options.isEmpty() ? new Object[0] : options.split(" ");

    Console console = against(changed("two", OTHER), words);

    assertThat(console.exit()).as(console.out() + console.err()).isEqualTo(exit);
  }

  @Test
  void fuzzy_sets_the_bound_of_a_minor_divergence() throws IOException {
    Path other = changed("two", REWORDED);

    assertThat(against(other).out()).contains("divergences 1 moderate");
    assertThat(against(other, "--fuzzy", "80%").out()).contains("divergences 1 minor");
  }

  @Test
  void normalizer_that_would_take_for_ever_leaves_the_replay_undecided() throws IOException {
    Console console = against(changed("two", "a".repeat(5_000)), "--normalize", "bad:(a*)*b=>c");

    assertThat(console.exit()).as(console.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(console.out().replaceAll("\\s+", " "))
        .startsWith("undecided ")
        .contains("normalizer \"bad\", (a*)*b, takes too long for a text of 5000 characters");
  }

  @Test
  void missing_texts_leave_a_replay_undecided() throws IOException {
    Path other = changed("two", REWORDED);
    Path content = Files.move(other.resolveSibling("content"), home.resolve("moved"));

    Console undecided = against(other);

    assertThat(undecided.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(undecided.out()).startsWith("undecided  Not decided: 1 message cannot be compared.");
    assertThat(against(other, "--content", content).exit()).isZero();
  }

  @Test
  void agents_are_not_given_texts_that_are_missing_unless_forced() throws IOException {
    Path agents = ResearchThread.agents(home);
    Files.move(record.resolveSibling("content"), home.resolve("moved"));

    Console refused = agents(agents);
    Console json = agents(agents, "--format", "json");

    assertThat(refused.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .startsWith("replay: ")
        .contains("; --content DIR has more texts, --feed replayed gives the agents their own");
    assertThat(json.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(JsonText.parse(json.out()).at("/reason").asString()).isEqualTo("texts");
    assertThat(agents(agents, "--force").exit()).isZero();
    assertThat(agents(agents, "--feed", "replayed", "--force").exit()).isZero();
  }

  @Test
  void record_that_is_not_replayable_is_refused_unless_forced() throws IOException {
    record = home.resolve("bare.json");
    Console.run(
        "session", "record", ResearchThread.export(home).toString(), "-o", record.toString());

    Console refused = replay("--mode", "verify", "--against", record);

    assertThat(refused.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(refused.err())
        .contains("outputs.final_artifact_hash: expected a hash")
        .endsWith("; --force replays it anyway\n");
    assertThat(replay("--mode", "verify", "--against", record, "--force").exit())
        .isZero();
  }

  @Test
  void inputs_that_differ_are_reported_or_refused() throws IOException {
    Object[] changed = {"--protocol", "role_prompts=v8"};
    Path other = changed("two", ResearchThread.CRITIQUE);

    Console warned = against(other, changed);
    Console refused = against(other, "--protocol", "role_prompts=v8", "--inputs", "refuse");

    assertThat(warned.exit()).as(warned.err()).isZero();
    assertThat(warned.err()).startsWith("replay: differs: ").contains("role_prompts", "v8");
    assertThat(against(other, "--protocol", "role_prompts=v8", "--quiet").err()).isEmpty();
    assertThat(refused.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(refused.err()).contains("role_prompts", "; --inputs warn replays it anyway");
  }

  @Test
  void every_format_has_the_verdict() throws IOException {
    Path other = changed("two", OTHER);

    Console json = against(other, "--format", "json");
    Console markdown = against(other, "--format", "markdown");
    Console junit = against(other, "--format", "junit");

    assertThat(List.of(json.exit(), markdown.exit(), junit.exit())).containsOnly(1);
    assertThat(JsonText.parse(json.out()).at("/verdict").asString()).isEqualTo("diverged");
    assertThat(markdown.out()).startsWith("**Diverged** ").contains("adversarial_critic");
    assertThat(junit.out()).startsWith("<?xml").contains("<failure");
  }

  @Test
  void written_record_is_consistent_and_is_replayed_against() throws IOException {
    Path output = home.resolve("out/replayed.json");
    Files.createDirectory(output.getParent());

    Console console = agents(ResearchThread.agents(home), "--output", output);

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(console.err()).contains(output.toString());
    assertThat(Console.run("session", "check", output.toString()).exit()).isZero();
    assertThat(against(output).out()).startsWith("matched").contains("3 by hash");
  }

  @Test
  void exported_report_is_a_replay_report() throws IOException {
    Path export = home.resolve("report.json");
    Path page = home.resolve("page.html");

    Console console = against(changed("two", OTHER), "--export-report", export, "--html", page);

    assertThat(console.exit()).isEqualTo(1);
    RecordReplayReport report = SessionRecords.readReport(Files.readAllBytes(export));
    assertThat(report.matches()).isFalse();
    assertThat(report.divergences()).hasSize(1);
    assertThat(page).content().startsWith("<!DOCTYPE html>").contains(OTHER);
  }

  @Test
  void page_of_a_trace_is_written() {
    Path page = home.resolve("page.html");

    assertThat(replay("--mode", "trace", "--html", page).exit()).isZero();
    assertThat(page).content().startsWith("<!DOCTYPE html>").contains(ResearchThread.TEST);
  }

  @Test
  void existing_files_are_replaced_on_request_only() throws IOException {
    for (String option : List.of("--output", "--export-report", "--html")) {
      Path file = Files.writeString(home.resolve("file" + option), "mine");

      Console refused = against(record, option, file);

      assertThat(refused.exit()).as(option).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err())
          .startsWith("replay: %s: %s exists; --overwrite replaces it\n".formatted(option, file));
      assertThat(refused.out()).isEmpty();
      assertThat(file).hasContent("mine");
      assertThat(against(record, option, file, "--overwrite").exit()).isZero();
      assertThat(file).content().isNotEqualTo("mine");
    }
    assertThat(against(record, "--output", record, "--overwrite").err())
        .contains("it is an input of this command");
  }

  @Test
  void saved_report_is_shown_with_its_record() throws IOException {
    Path store = home.resolve("store");
    Console recorded = Console.run(
        "session",
        "record",
        home.resolve("one/thread.json").toString(),
        "--roster",
        home.resolve("one/roster.json").toString(),
        "--artifact",
        home.resolve("one/artifact.md").toString(),
        "--store",
        store.toString());
    assertThat(recorded.exit()).as(recorded.err()).isZero();
    String[] replay = {
      "session",
      "replay",
      ResearchThread.SESSION,
      "--store",
      store.toString(),
      "--mode",
      "verify",
      "--against",
      changed("two", OTHER).toString(),
      "--save"
    };

    assertThat(Console.run(replay).exit()).isEqualTo(1);
    assertThat(Console.run(replay).exit()).isEqualTo(1);

    Console shown =
        Console.run("session", "show", ResearchThread.SESSION, "--store", store.toString());
    assertThat(shown.exit()).as(shown.err()).isZero();
    assertThat(shown.out().lines().filter(line -> line.startsWith("  replay ")))
        .hasSize(2)
        .allMatch(line -> line.contains("verification  does not match, "));
    assertThat(Console.run("session", "list", "--store", store.toString()).out())
        .contains("2 rounds, 6 messages, 2 replays");
  }

  @Test
  void comparison_runs_the_roster_that_is_given() throws IOException {
    Path roster = Files.writeString(
        home.resolve("new_roster.json"), ResearchThread.ROSTER.replace("m-2", "m-3"));

    Console console = replay(
        "--mode",
        "compare",
        "--roster",
        roster,
        "--agents",
        "sh " + ResearchThread.agents(home),
        UNSAFE);

    assertThat(console.exit()).as(console.out() + console.err()).isZero();
    assertThat(console.out())
        .contains("adversarial_critic: Red (coder, m-2) → Red (coder, m-3)", "by role");
  }

  @Test
  void several_rosters_are_compared_in_a_matrix() throws IOException {
    Path same = ResearchThread.roster(home);
    Path other =
        Files.writeString(home.resolve("other.json"), ResearchThread.ROSTER.replace("m-2", "m-3"));
    Path export = home.resolve("matrix.json");
    Object[] command = {
      "--mode",
      "compare",
      "--roster",
      same,
      "--roster",
      other,
      "--agents",
      "sh " + ResearchThread.agents(home),
      UNSAFE
    };

    Console text = replay(command);
    Console json = replay(
        Stream.concat(Stream.of(command), Stream.of("--format", "json", "--export-report", export))
            .toArray());

    assertThat(text.exit()).as(text.err()).isZero();
    assertThat(text.out())
        .startsWith("2 comparisons of " + ResearchThread.SESSION)
        .contains("roster.json  ", "other.json  ");
    JsonValue matrix = JsonText.parse(json.out());
    assertThat(matrix.at("/schema").asString()).isEqualTo("replay.session-matrix/1");
    assertThat(JsonText.parse(Files.readString(export))).isEqualTo(matrix);
  }

  @Test
  void worst_of_several_records_decides_the_exit_code() throws IOException {
    Path other = changed("two", OTHER);

    Console console =
        replay("--mode", "compare", "--against", record, "--against", other, "--format", "json");

    assertThat(console.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(((JsonArray) JsonText.parse(console.out()).at("/comparisons")).size())
        .isEqualTo(2);
  }
}
