package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files and the directory that {@code replay run} writes: what they may replace, and when. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class RunOutputTest {

  @TempDir
  Path home;

  private Path session;
  private Path agent;

  @BeforeEach
  void record() throws Exception {
    session = home.resolve("one");
    try (SessionRecorder recorder = SessionRecorder.start(session, "fix-greeting")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "Hello");
      scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(0.9));
    }
    agent = Files.writeString(
        home.resolve("agent.sh"),
        """
        echo '{"id":0,"type":"hello","protocol":1}'; read answer
        echo '{"id":1,"type":"tool","name":"read_file","params":{"path":"a.txt"}}'; read answer
        echo '{"id":2,"type":"end","status":"Success","confidence":0.9}'; read answer
        """);
  }

  private Console run(String mode, String... more) {
    List<String> words =
        new ArrayList<>(List.of("run", session.toString(), "--mode", mode, "--unsafe-no-sandbox"));
    words.addAll(List.of("--subject", "sh " + agent));
    words.addAll(List.of(more));
    return Console.run(words.toArray(String[]::new));
  }

  private void tamper() throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("\"Hello\"", "\"Hallo\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--html", "--export-report"})
  void missing_directory_is_reported_before_anything_runs(String option) {
    Console run = run("mock", option, home.resolve("none").resolve("file").toString());

    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains(option + ": there is no directory " + home.resolve("none"));
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--html", "--export-report"})
  void input_is_never_replaced(String option) throws IOException {
    JsonObject tool = JsonObject.of("command", List.of("cat", "data.json"), "effect", "pure");
    Path tools = Files.writeString(
        home.resolve("tools.json"),
        JsonObject.of("tools", JsonObject.of("read_file", tool)).toString());
    Path prices = Files.writeString(home.resolve("prices.json"), "{\"models\":{}}");
    for (Path input : List.of(agent, tools, prices, session.resolve("RECEIPT.json"))) {
      byte[] before = Files.readAllBytes(input);

      Console run = run(
          "tools-live",
          "--tools",
          tools.toString(),
          "--prices",
          prices.toString(),
          "--budget",
          "money=1",
          option,
          input.toString(),
          "--overwrite");

      assertThat(run.err()).as(input.toString()).contains("it is an input of this command");
      assertThat(run.exit()).isEqualTo(2);
      assertThat(input).hasBinaryContent(before);
    }
  }

  @Test
  void refused_replay_has_a_report() throws IOException {
    tamper();
    Path exported = home.resolve("report.json");

    Console json = run("mock", "--format", "json", "--export-report", exported.toString());
    Console junit = run("mock", "--format", "junit");

    assertThat(json.exit()).isEqualTo(4);
    JsonObject report = JsonText.parse(json.out()).asObject();
    assertThat(report.at("/schema").asString()).isEqualTo("replay.run/1");
    assertThat(report.at("/verdict").asString()).isEqualTo("unverified");
    assertThat(report.at("/refused/reason").asString()).isEqualTo("invalid");
    assertThat(report.at("/refused/message").asString()).contains("OUTPUT_HASH_MISMATCH");
    assertThat(exported).hasContent(json.out());
    assertThat(junit.exit()).isEqualTo(4);
    assertThat(junit.out()).contains("errors=\"1\"", "<error type=\"INVALID\" message=\"");
  }

  @Test
  void recording_to_compare_with_is_verified() throws IOException {
    Path other = home.resolve("other");
    Files.createDirectory(other);
    for (String file : List.of("REPLAY.jsonl", "RECEIPT.json")) {
      Files.copy(session.resolve(file), other.resolve(file));
    }
    tamper();

    Console run = Console.run("run", other.toString(), "--against", session.toString());

    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.err()).contains("the recording to compare with is invalid", "--force");
  }

  @Test
  void session_of_a_replay_is_replaced_on_request() throws IOException {
    Path out = home.resolve("out");
    assertThat(run("mock", "--out", out.toString()).exit()).isZero();
    String before = Files.readString(out.resolve("REPLAY.jsonl"));

    Console refused = run("mock", "--out", out.toString());
    Console replaced =
        run("mock", "--out", out.toString(), "--overwrite", "--html", out + "/replay.html");
    Console again =
        run("mock", "--out", out.toString(), "--overwrite", "--html", out + "/replay.html");

    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).contains("new or empty directory", "; --overwrite replaces it");
    assertThat(replaced.exit()).as(replaced.err()).isZero();
    assertThat(again.exit()).as(again.err()).isZero();
    assertThat(Files.readString(out.resolve("REPLAY.jsonl"))).isNotEqualTo(before);
    assertThat(out).isDirectoryContaining("glob:**replay.html");
    assertThat(home).isDirectoryNotContaining("glob:**replaced*");
  }

  @Test
  void directory_that_no_replay_wrote_is_not_replaced() throws IOException {
    Path out = home.resolve("out");
    assertThat(run("mock", "--out", out.toString()).exit()).isZero();
    Files.writeString(out.resolve("notes.txt"), "mine");

    for (Path directory : List.of(session, out)) {
      Console run = run("mock", "--out", directory.toString(), "--overwrite");

      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).contains("--overwrite replaces only the session of a replay");
    }
    assertThat(out.resolve("notes.txt")).hasContent("mine");
  }

  @Test
  void recording_is_not_replaced_by_its_replay() throws IOException {
    Path first = home.resolve("first");
    assertThat(run("mock", "--out", first.toString()).exit()).isZero();
    session = first;

    Console run = run("mock", "--out", first.toString(), "--overwrite");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("it has an input of this command");
    assertThat(first).isDirectoryContaining("glob:**LEDGER.jsonl");
  }

  @Test
  void refused_replay_leaves_the_session_of_an_earlier_one() throws IOException {
    Path out = home.resolve("out");
    assertThat(run("mock", "--out", out.toString()).exit()).isZero();
    String before = Files.readString(out.resolve("REPLAY.jsonl"));
    tamper();

    assertThat(run("mock", "--out", out.toString(), "--overwrite").exit()).isEqualTo(4);
    assertThat(out.resolve("REPLAY.jsonl")).hasContent(before);
  }

  @Test
  void second_replay_with_the_same_directory_is_refused_with_one_code() throws Exception {
    String out = home.resolve("out").toString();
    Callable<Console> replay = () -> run("mock", "--out", out);
    ExecutorService threads = java.util.concurrent.Executors.newFixedThreadPool(4);
    try {
      List<Console> runs = new ArrayList<>();
      for (Future<Console> run : threads.invokeAll(List.of(replay, replay, replay, replay))) {
        runs.add(run.get());
      }
      assertThat(runs).extracting(Console::exit).containsExactlyInAnyOrder(0, 2, 2, 2);
      assertThat(runs)
          .filteredOn(run -> run.exit() == 2)
          .allMatch(run -> run.err().contains("expected a new or empty directory"))
          .noneMatch(run -> run.err().contains("LEDGER.jsonl exists"));
    } finally {
      threads.shutdownNow();
    }
  }
}
