package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.testkit.DiskTempDir;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs of {@code replay session replay}: agents that fail, a judge, and the sandbox. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class SessionReplayProgramsTest {

  private static final String UNSAFE = "--unsafe-no-sandbox";
  private static final String OTHER = "The sharp boundary is not explained.";

  @DiskTempDir
  Path home;

  private Path record;

  @BeforeEach
  void record() throws IOException {
    record = ResearchThread.record(home, "one");
  }

  private List<String> command(Object... words) {
    List<String> command =
        new ArrayList<>(List.of("session", "replay", record.toString(), "--mode", "verify"));
    Stream.of(words).map(Object::toString).forEach(command::add);
    return command;
  }

  private Console verify(Object... words) {
    return Console.run(command(words).toArray(String[]::new));
  }

  private Path script(String text) throws IOException {
    return Files.writeString(home.resolve("program.sh"), text);
  }

  /** Starts a replay in a process of its own, with the variable of the agents. */
  private Process start(String agents, Object... words) throws IOException {
    ProcessBuilder builder = CommandProcess.in(
        Files.createDirectory(home.resolve("tmp")), command(words).toArray());
    builder.environment().put("REPLAY_AGENTS", agents);
    return builder.start();
  }

  private static String read(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      echo hi                         | line 1 is not JSON: expected a JSON value, found 'h' at byte 0
      echo '{}'                       | line 1: type: expected "ready", found none
      exit 3                          | its exit code is 3
      read r; echo '{"type":"ready"}' | line 2: expected an answer to "round", found the end of its output
      read r; echo '{"type":"ready"}'; read r; echo '{"type":"round","round":7,"messages":[]}' | round: expected 0, found 7
      read r; echo '{"type":"ready"}'; read r; echo '{"type":"round","round":0,"messages":[{"from":"Eve","type":"DELTA","text":"x"}]}' | messages[0].from: expected an agent of the roster (Blue, Red), found "Eve"
      echo lost >&2; exit 9           | lost
      """)
  void agents_that_break_the_protocol_leave_the_replay_incomplete(String script, String message)
      throws IOException {
    Console console = verify("--agents", "sh " + script(script), UNSAFE, "--width", 120);

    assertThat(console.exit()).as(console.out() + console.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(console.out())
        .startsWith("incomplete  Replay is incomplete: 0 of 2 rounds. Round 0: ")
        .contains(message)
        .contains("Rounds completed: 0/2 ✗");
  }

  @Test
  void agents_that_hang_are_stopped_by_the_timeout_of_a_round() throws IOException {
    Console console =
        verify("--agents", "sh " + script("sleep 1000"), UNSAFE, "--round-timeout", "0.5");

    assertThat(console.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(console.out()).contains("time-out of a round");
  }

  @Test
  void rounds_before_the_failure_are_compared() throws IOException {
    Path agents = ResearchThread.agents(
        home,
        ResearchThread.round(
            0,
            ResearchThread.message("Blue", "DELTA", ResearchThread.HYPOTHESIS),
            ResearchThread.message("Red", "CRITIQUE", ResearchThread.CRITIQUE)));
    Files.writeString(agents, Files.readString(agents).replaceFirst("while .*", "exit 5"));

    Console console = verify("--agents", "sh " + agents, UNSAFE);

    assertThat(console.exit()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(console.out())
        .contains("Rounds completed: 1/2 ✗", "Message count match: 2/3 ✗", "not reached 1 message");
  }

  @Test
  void program_that_cannot_be_started_is_refused() {
    Console agents = verify("--agents", "/nonexistent --fast", UNSAFE);
    Console judge = verify("--against", record, "--judge", "./none", UNSAFE);

    assertThat(agents.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(agents.err())
        .isEqualTo("replay: --agents: cannot start \"/nonexistent\": No such file or directory\n");
    assertThat(judge.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(judge.err())
        .isEqualTo("replay: --judge: cannot start \"./none\": No such file or directory\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      {"equivalent":true}                    | 0 | divergences none
      {"equivalent":true,"similarity":0.9,"reason":"the same claim"} | 0 | judge: equivalent, similarity 0.90: the same claim
      {"equivalent":false,"similarity":0.2}  | 1 | judge: not equivalent, similarity 0.20
      yes                                    | 4 | the judge failed: the answer of the judge "sh"
      """)
  void judge_decides_on_meaning(String answer, int exit, String message) throws IOException {
    Path other = ResearchThread.record(home, "two", ResearchThread.CRITIQUE, OTHER);
    Path judge = script("read -r texts\necho '" + answer + "'\n");

    Console console = verify("--against", other, "--judge", "sh " + judge, UNSAFE, "--width", 120);

    assertThat(console.exit()).as(console.out() + console.err()).isEqualTo(exit);
    assertThat(console.out().replaceAll("\\s+", " ")).contains(message);
    assertThat(console.out().contains("a judge that answers")).isEqualTo(exit == 4);
    assertThat(console.out()).doesNotContain("--content DIR");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void replay_without_a_sandbox_is_refused_in_each_form_of_the_report() throws IOException {
    String agents = "sh " + ResearchThread.agents(home);

    Console text = verify("--agents", agents, "--sandbox", "seatbelt");
    Console json = verify("--agents", agents, "--sandbox", "seatbelt", "--format", "json");

    assertThat(List.of(text.exit(), json.exit())).containsOnly(ExitCode.INCOMPLETE);
    assertThat(text.out()).isEmpty();
    assertThat(text.err())
        .startsWith("replay: no sandbox can be used: seatbelt: expected macOS, found Linux");
  }

  @Test
  void agents_run_in_a_sandbox_that_they_cannot_change() throws IOException {
    SandboxedSessions.requireSandbox();
    Path agents = ResearchThread.agents(home);
    Path marker = home.resolve("marker");
    Files.writeString(
        agents, "touch %s 2>/dev/null\n%s".formatted(marker, Files.readString(agents)));

    Console console = verify("--agents", "sh " + agents, "--ro", home);

    assertThat(console.exit()).as(console.out() + console.err()).isZero();
    assertThat(marker).doesNotExist();
  }

  @Test
  @Tag("slow")
  void agents_of_the_variable_are_the_default() throws Exception {
    Process process = start("sh " + ResearchThread.agents(home), UNSAFE);

    assertThat(read(process.getInputStream())).startsWith("matched  ");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  @Tag("slow")
  void commands_of_the_specification_work_as_written() throws Exception {
    SandboxedSessions.requireSandbox();
    Path roster = home.resolve("one/new_roster.json");
    Files.writeString(roster, ResearchThread.ROSTER.replace("m-1", "m-9"));
    String agents = "sh " + ResearchThread.agents(home.resolve("one"));
    List<String> commands = List.of(
        "session record thread.json --output other.json",
        "session replay record.json --mode verify",
        "session replay record.json --mode compare --roster new_roster.json",
        "session replay record.json --mode trace");
    for (String command : commands) {
      ProcessBuilder builder = CommandProcess.of(
              List.of("-XX:TieredStopAtLevel=1"), (Object[]) command.split(" "))
          .directory(home.resolve("one").toFile())
          .redirectErrorStream(true);
      builder.environment().put("REPLAY_AGENTS", agents);

      Process process = builder.start();

      String printed = read(process.getInputStream());
      assertThat(process.waitFor()).as("%s: %s", command, printed).isZero();
    }
  }

  @Test
  @Tag("slow")
  void interrupted_replay_prints_a_report_on_its_part() throws Exception {
    Path agents =
        script("read -r r; echo '{\"type\":\"ready\"}'; read -r r; echo started >&2; sleep 1000\n");
    Process process = start("sh " + agents, UNSAFE);
    try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
      CommandProcess.awaitLine(err, "agents: started");

      process
          .toHandle()
          .destroy(); // the signal TERM, for which the JVM does the same as for Ctrl+C

      assertThat(read(process.getInputStream()))
          .startsWith("incomplete  Replay is incomplete: 0 of 2 rounds.")
          .contains("interrupted");
      assertThat(process.waitFor()).isIn(ExitCode.INTERRUPTED, 128 + 15);
    } finally {
      process.destroyForcibly();
    }
  }
}
