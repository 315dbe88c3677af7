package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A divergence that {@code --fail-on} accepts does not hide that a replay is incomplete. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class RunExitCodeTest {

  @TempDir
  Path home;

  private Path session;

  @BeforeEach
  void record() throws Exception {
    session = record("one", "Hello");
  }

  private Path record(String name, String text) throws Exception {
    return record(name, text, SessionEnd.of(Status.SUCCESS).withConfidence(0.9));
  }

  private Path record(String name, String text, SessionEnd end) throws Exception {
    Path directory = home.resolve(name);
    try (SessionRecorder recorder = SessionRecorder.start(directory, "fix-greeting")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> text);
      scope.end(end);
    }
    return directory;
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void replay_without_a_sandbox_is_refused_in_each_form_of_the_report() {
    List<String> words = List.of(
        "run", session.toString(), "--mode", "mock", "--subject", "true", "--sandbox", "seatbelt");

    Console text = Console.run(words.toArray(String[]::new));

    assertThat(text.exit()).isEqualTo(4);
    assertThat(text.out()).isEmpty();
    assertThat(text.err())
        .startsWith("replay: no sandbox can be used: seatbelt: expected macOS, found Linux")
        .contains("; replay doctor reports more, and --unsafe-no-sandbox starts programs");
    for (String format : List.of("json", "junit")) {
      List<String> with =
          Stream.concat(words.stream(), Stream.of("--format", format)).toList();

      Console refused = Console.run(with.toArray(String[]::new));

      assertThat(refused.exit()).isEqualTo(4);
      assertThat(refused.out())
          .contains("no sandbox can be used")
          .containsIgnoringCase("no_sandbox");
    }
  }

  /**
   * Replays with an agent whose confidence and parameter differ from the recorded ones a little.
   */
  private Console run(String after) throws IOException {
    return runScript(
        """
        echo '{"id":2,"type":"end","status":"Success","confidence":0.8}'; read answer
        """
            + after);
  }

  /** Replays with an agent that calls the recorded tool, and then runs a script. */
  private Console runScript(String after) throws IOException {
    Path agent = Files.writeString(
        home.resolve("agent.sh"),
        """
        echo '{"id":0,"type":"hello","protocol":1}'; read answer
        echo '{"id":1,"type":"tool","name":"read_file","params":{"path":"a.txt"}}'; read answer
        """
            + after);
    return Console.run(
        "run",
        session.toString(),
        "--mode",
        "mock",
        "--unsafe-no-sandbox",
        "--subject",
        "sh " + agent,
        "--fail-on",
        "moderate");
  }

  @Test
  void minor_divergence_is_accepted() throws IOException {
    Console run = run("");

    assertThat(run.out()).startsWith("diverged").contains("1. ASSESSMENT  SessionEnd  minor");
    assertThat(run.exit()).as(run.out()).isZero();
  }

  @Test
  void agent_that_fails_is_not_accepted_with_it() throws IOException {
    Console run = run("exit 7\n");

    assertThat(run.out()).contains("1. ASSESSMENT  SessionEnd  minor", "its exit code is 7");
    assertThat(run.exit()).as(run.out()).isEqualTo(ExitCode.INCOMPLETE);
  }

  @Test
  void agent_that_fails_after_it_has_ended_a_failed_session_is_not_accepted() throws Exception {
    session = record("failed", "Hello", SessionEnd.of(Status.FAILED));
    String end = "echo '{\"id\":2,\"type\":\"end\",\"status\":\"Failed\"}'; read answer\n";

    Console same = runScript(end);
    Console failed = runScript(end + "exit 7\n");

    assertThat(same.out()).startsWith("identical");
    assertThat(same.exit()).as(same.out()).isZero();
    assertThat(failed.out()).startsWith("incomplete").contains("its exit code is 7");
    assertThat(failed.exit()).as(failed.out()).isEqualTo(ExitCode.INCOMPLETE);
  }

  @Test
  void agent_that_fails_as_the_recorded_one_did_is_identical() throws Exception {
    SessionEnd end =
        SessionEnd.of(Status.FAILED).withErrorMessage("the subject \"sh\": its exit code is 7");
    session = record("failed", "Hello", end);

    Console run = runScript("exit 7\n");

    assertThat(run.out()).startsWith("identical");
    assertThat(run.exit()).as(run.out()).isZero();
  }

  @Test
  void recording_without_its_end_is_not_accepted_with_it() throws Exception {
    Path other = record("other", "Hallo");
    removeEnd(session);
    removeEnd(other);

    Console run = Console.run(
        "run",
        session.toString(),
        "--against",
        other.toString(),
        "--fuzzy",
        "50%",
        "--fail-on",
        "moderate");

    assertThat(run.out()).contains("minor", "the recording has no end");
    assertThat(run.exit()).as(run.out()).isEqualTo(ExitCode.INCOMPLETE);
  }

  private static void removeEnd(Path recorded) throws IOException {
    Path log = recorded.resolve("REPLAY.jsonl");
    Files.delete(recorded.resolve("RECEIPT.json"));
    List<String> lines = Files.readAllLines(log);
    Files.write(log, lines.stream().filter(line -> !line.contains("SessionEnd")).toList());
  }
}
