package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of {@code replay session replay} that are refused, before anything runs. */
class SessionReplayOptionsTest {

  @TempDir
  Path home;

  /** Runs a replay, in whose words {@code REC}, {@code ROSTER} and {@code NEW} are files. */
  private Console replay(String words) throws IOException {
    Path record = ResearchThread.record(home, "one");
    Map<String, Path> files = Map.of(
        "REC",
        record,
        "DIR",
        record.resolveSibling(""),
        "ROSTER",
        ResearchThread.roster(home),
        "NEW",
        home.resolve("new"));
    List<String> command = new ArrayList<>(List.of("session", "replay", record.toString()));
    Stream.of(words.split(" "))
        .map(word -> files.containsKey(word) ? files.get(word).toString() : word)
        .forEach(command::add);
    return Console.run(command.toArray(String[]::new));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return files.collect(Collectors.toList());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      --quiet                                             | missing required option: '--mode=MODE'; expected one of verify, compare, trace
      --mode all                                          | --mode: expected verify, compare or trace, found "all"
      --mode trace --agents x                             | --mode trace runs nothing: it excludes --agents, --against, --roster and --judge
      --mode trace --against REC                          | --mode trace runs nothing
      --mode trace --roster ROSTER                        | --mode trace runs nothing
      --mode trace --judge x                              | --mode trace runs nothing
      --mode trace --output NEW                           | --output: a replay in the mode trace runs nothing
      --mode verify                                       | --mode verify requires --agents CMD (default: $REPLAY_AGENTS), the program that runs the agents, or --against RECORD
      --mode verify --roster ROSTER --agents x            | --roster requires --mode compare: --mode verify runs the recorded agents
      --mode verify --against REC --against REC           | --mode verify requires one --against RECORD, found 2
      --mode verify --against REC --agents x              | --agents and --against exclude each other
      --mode compare                                      | --mode compare requires --roster FILE, the agents to run, or --against RECORD
      --mode compare --agents x                           | --mode compare requires --roster FILE
      --mode compare --roster ROSTER                      | --roster requires --agents CMD (default: $REPLAY_AGENTS)
      --mode compare --roster ROSTER --against REC        | --roster and --against exclude each other: a record has its roster
      --mode compare --against REC --against DIR --output NEW | --output requires one roster, found 2
      --mode compare --against REC --against DIR --html NEW | --html requires one roster, found 2
      --mode compare --against REC --against DIR --format junit | --format junit requires one roster, found 2
      --mode verify --against REC --save                  | --save requires a record in a store
      --mode verify --against REC --overwrite             | --overwrite requires --output, --export-report or --html
      --mode verify --against REC --output NEW --html NEW | --html: two options name the file
      --mode verify --against REC --unsafe-judge          | --unsafe-judge requires --judge
      --mode verify --against REC --env A                 | --env requires --agents or --judge
      --mode verify --against REC --keep                  | --keep requires --agents or --judge
      --mode verify --against REC --threshold 101         | --threshold: similarity must be from 0 to 100: 101.0
      --mode verify --against REC --threshold x           | --threshold: expected a number, found "x"
      --mode verify --against REC --max-major -1          | --max-major: maximum number of major divergences must not be negative: -1
      --mode verify --against REC --max-major many        | --max-major: expected a whole number
      --mode verify --against REC --artifact-threshold -1 | --artifact-threshold: artifact similarity must be from 0 to 100: -1.0
      --mode verify --against REC --fuzzy 2               | --fuzzy:
      --mode verify --against REC --fuzzy 0               | --fuzzy:
      --mode verify --against REC --normalize uuid        | --normalize:
      --mode verify --against REC --normalize a:(         | --normalize:
      --mode verify --against REC --rounds a              | --rounds: expected A..B, A.. or A, found "a"
      --mode verify --against REC --rounds 3..1           | --rounds: the last is before the first: 3..1
      --mode verify --against REC --inputs ask            | --inputs: expected warn or refuse, found "ask"
      --mode verify --against REC --interventions ask     | --interventions: expected reapply, skip or refuse, found "ask"
      --mode verify --against REC --feed ask              | --feed: expected recorded or replayed, found "ask"
      --mode verify --against REC --format html           | --format: expected text, json, markdown or junit, found "html"
      --mode verify --against REC --round-timeout 0       | --round-timeout:
      --mode verify --against REC --timeout soon          | --timeout:
      --mode verify --against REC --protocol x=1          | --protocol: expected NAME=VALUE
      """)
  void options_that_do_not_fit_are_refused(String words, String message) throws IOException {
    Console console = replay(words);

    assertThat(console.exit()).as(console.err()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err())
        .startsWith("replay: ")
        .contains(message)
        .endsWith("Try 'replay session replay --help'.\n");
    assertThat(console.out()).isEmpty();
    assertThat(files()).doesNotContain(home.resolve("new"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      --rounds 7     | --rounds: no round of the record is from 7 to 7; it has rounds from 0 to 1
      --rounds 7..   | --rounds: no round of the record is from 7; it has rounds from 0 to 1
      """)
  void rounds_that_the_record_does_not_have_are_refused(String words, String message)
      throws IOException {
    Console console = replay("--mode verify --against REC " + words);

    assertThat(console.exit()).as(console.out() + console.err()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).contains(message);
    Console trace =
        Console.run(("session replay " + home.resolve("one/record.json") + " --mode trace " + words)
            .split(" "));
    assertThat(trace.exit()).as(trace.out() + trace.err()).isEqualTo(ExitCode.USAGE);
    assertThat(trace.err()).contains(message);
  }

  @Test
  void empty_command_is_refused() throws IOException {
    Path record = ResearchThread.record(home, "one");

    Console console =
        Console.run("session", "replay", record.toString(), "--mode", "verify", "--agents", "");

    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).startsWith("replay: --agents: expected a command, found nothing\n");
  }

  @Test
  void files_that_are_missing_or_rubbish_are_reported_with_their_name() throws IOException {
    Path rubbish = Files.writeString(home.resolve("rubbish"), "{}");

    Console roster = replay("--mode compare --agents x --roster " + rubbish);
    Console against = Console.run(("session replay %s/one/record.json --mode verify --against %s")
        .formatted(home, rubbish)
        .split(" "));
    Console missing =
        Console.run(("session replay %s/one/record.json --mode verify --against %s/none")
            .formatted(home, home)
            .split(" "));

    assertThat(List.of(roster.exit(), against.exit(), missing.exit()))
        .containsOnly(ExitCode.UNREADABLE);
    assertThat(roster.err())
        .isEqualTo("replay: %s: not a roster of agents\n  must be an array, found object {}\n"
            .formatted(rubbish));
    assertThat(against.err())
        .startsWith("replay: %s: not a session record\n  id: is missing\n".formatted(rubbish));
    assertThat(missing.err()).startsWith("replay: %s/none: no such file".formatted(home));
  }
}
