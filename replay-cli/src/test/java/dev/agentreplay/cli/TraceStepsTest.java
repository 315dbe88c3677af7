package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user steps through a session record on a terminal. */
class TraceStepsTest {

  private static final Pattern PROMPT = Pattern.compile("message ([0-9]+) of 6> ");

  @TempDir
  Path home;

  private Path record;

  @BeforeEach
  void record() throws IOException {
    record = ResearchThread.record(home, "one");
  }

  /** Runs a trace with keys of a user. */
  private Console trace(String keys, String... more) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal = new Terminal(
        new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        true,
        true,
        100,
        true);
    String[] command = Stream.concat(
            Stream.of("session", "replay", record.toString(), "--mode", "trace"), Stream.of(more))
        .toArray(String[]::new);
    int exit = Main.run(command, terminal);
    return new Console(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The numbers of the messages that are current at each prompt. */
  private static List<Integer> visited(Console console) {
    return PROMPT
        .matcher(console.err())
        .results()
        .map((MatchResult result) -> Integer.parseInt(result.group(1)))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      q              | 1
      ``             | 1
      n;q            | 1 2
      ;;q            | 1 2 3
      n;n;p;q        | 1 2 3 2
      next;previous;quit | 1 2 1
      p;q            | 1 1
      round 1;q      | 1 5
      r1;message 1;q | 1 5 6
      m 2;q          | 1 3
      round 9;q      | 1 1
      m 4;q          | 1 1
      n;n;n;n;n;n;q  | 1 2 3 4 5 6 6
      hello;n;q      | 1 1 2
      round;q        | 1 1
      `  n  ;q`      | 1 2
      """)
  void commands_go_to_messages(String keys, String visited) {
    Console console = trace(keys.replace(';', '\n') + (keys.isEmpty() ? "" : "\n"));

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(visited(console))
        .containsExactlyElementsOf(
            Stream.of(visited.split(" ")).map(Integer::valueOf).toList());
  }

  @Test
  void end_of_input_ends_the_trace() {
    Console console = trace("n\nn");

    assertThat(console.exit()).isZero();
    assertThat(visited(console)).containsExactly(1, 2, 3);
  }

  @Test
  void each_message_is_shown_with_its_text() {
    Console console = trace("n\nround 1\nq\n");

    assertThat(console.out())
        .contains("all 6 texts match their hashes", "commands, each with Enter: n (or Enter)")
        .containsSubsequence("Why do sister cells", ResearchThread.HYPOTHESIS, ResearchThread.TEST)
        .doesNotContain(ResearchThread.CRITIQUE);
  }

  @Test
  void place_that_is_missing_is_reported() {
    Console console = trace("p\nround 7\nmessage 9\nnonsense\nm 3\nr 1\nm1\nn\nq\n");

    assertThat(console.out())
        .contains("this is the first message\n", "there is no round 7\n", "there is no message 9")
        .contains("this is the last message\n");
    assertThat(
            Pattern.compile("commands, each with Enter").matcher(console.out()).results())
        .hasSize(2);
  }

  @Test
  void altered_text_is_not_shown_and_decides_the_exit_code() throws IOException {
    try (Stream<Path> texts = Files.list(record.resolveSibling("content"))) {
      for (Path text : texts.toList()) {
        if (Files.readString(text).equals(ResearchThread.HYPOTHESIS)) {
          Files.writeString(text, "forged");
        }
      }
    }

    Console console = trace("n\nq\n");

    assertThat(console.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(console.out()).contains("was altered").doesNotContain("forged");
  }

  @Test
  void other_forms_and_pages_ask_nothing() {
    Path page = home.resolve("page.html");

    assertThat(visited(trace("", "--format", "json"))).isEmpty();
    assertThat(visited(trace("", "--format", "markdown"))).isEmpty();
    assertThat(visited(trace("", "--html", page.toString()))).isEmpty();
    assertThat(page).exists();
  }

  @Test
  void only_the_selected_rounds_are_shown() {
    Console console = trace("n\nq\n", "--rounds", "1");

    assertThat(console.exit()).as(console.err()).isZero();
    assertThat(console.out()).contains(ResearchThread.TEST).doesNotContain("sister cells");
  }
}
