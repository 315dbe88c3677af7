package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay attribute}, for an agent that reads two files, and fails if the second is bad. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class AttributeCommandTest {

  @TempDir
  Path home;

  private Path first;
  private Path second;

  @BeforeEach
  void record() throws Exception {
    first = record("first", "good");
    second = record("second", "bad");
  }

  private Path record(String name, String text) throws Exception {
    Path directory = home.resolve(name);
    try (SessionRecorder recorder = SessionRecorder.start(directory, name)) {
      AgentScope scope = AgentScope.recording(
          recorder,
          Executors.none().withModel((call, pieces) -> ModelResult.of(call.id(), "read")));
      scope.run("read_file", Map.of("path", "a.txt"), () -> text + " a");
      scope.run("read_file", Map.of("path", "b.txt"), () -> text + " b");
      scope.end(SessionEnd.of(text.equals("bad") ? Status.FAILED : Status.SUCCESS));
    }
    return directory;
  }

  /** The recorded agent in the language of a shell. */
  private Path agent() throws IOException {
    return Files.writeString(
        home.resolve("agent.sh"),
        """
        ask() { echo "$1"; read answer || exit 1; }
        ask '{"id":0,"type":"hello","protocol":1}'
        ask '{"id":1,"type":"tool","name":"read_file","params":{"path":"a.txt"}}'
        ask '{"id":2,"type":"tool","name":"read_file","params":{"path":"b.txt"}}'
        case $answer in *bad*) status=Failed ;; *) status=Success ;; esac
        ask '{"id":3,"type":"end","status":"'$status'"}'
        """);
  }

  private Console attribute(String... more) throws IOException {
    return attributeWith("sh " + agent(), more);
  }

  private Console attributeWith(String subject, String... more) {
    List<String> words = new ArrayList<>(List.of("attribute", "--unsafe-no-sandbox", "--subject"));
    words.add(subject);
    words.addAll(List.of(more));
    words.addAll(List.of(first.toString(), second.toString()));
    return Console.run(words.toArray(String[]::new));
  }

  @Test
  void the_difference_that_decides_is_named() throws IOException {
    Console attribute = attribute();

    assertThat(attribute.exit()).as(attribute.err()).isZero();
    assertThat(attribute.out().replace(home.toString(), "HOME"))
        .isEqualTo(
            """
            explained  1 of 2 differences makes the outcome that of the second (4 trials, 0 calls executed)
              first       HOME/first/REPLAY.jsonl
              second      HOME/second/REPLAY.jsonl
              outcome     status: {"status":"success"} in the first, {"status":"failure"} in the second

              cause 1     sufficient by itself; necessary
                          2. result of read_file, line 5 in the first, line 5 in the second
                          with it alone: 1 of 1 trial with the outcome of the second
                          with all others: 0 of 1 trial with the outcome of the second
            """);
    assertThat(attribute.err())
        .contains("trial 1, with nothing of the second: first")
        .contains("trial 4, with [2] of the second: second");
  }

  @Test
  void the_report_is_json() throws IOException {
    Path out = home.resolve("trials");
    JsonObject json = JsonText.parse(
            attribute("--format", "json", "-q", "--out", out.toString()).out())
        .asObject();

    assertThat(json.at("/schema").asString()).isEqualTo("replay.attribution/1");
    assertThat(json.at("/causes"))
        .isEqualTo(
            JsonText.parse(
                """
            [{"differences":[2],"minimal":true,"necessary":true,"certain":true,
              "with":{"count":1,"of":1,"certain":true,"lower":1.0,"upper":1.0},
              "without":{"count":0,"of":1,"certain":true,"lower":0.0,"upper":0.0}}]
            """));
    assertThat(Path.of(json.at("/trials/0/directory").asString()))
        .isEqualTo(out.resolve("trial-1"))
        .isDirectory();
    assertThat(attribute("--out", out.toString()).err())
        .contains("--out: expected a new or empty directory, found " + out);
  }

  @Test
  void the_directory_for_trials_is_not_a_file() throws IOException {
    Console attribute = attribute("--out", agent().toString());

    assertThat(attribute.exit()).isEqualTo(2);
    assertThat(attribute.err()).contains("--out: expected a new or empty directory, found ");
  }

  @Test
  void the_workspaces_of_trials_are_kept_and_named() throws IOException {
    Path workspace = Files.createDirectory(home.resolve("workspace"));
    Files.writeString(workspace.resolve("notes.txt"), "notes");

    Console attribute = attribute("--keep", "--workspace", workspace.toString());

    List<Path> kept = attribute
        .err()
        .lines()
        .filter(line -> line.contains("the workspace of the trial is kept: "))
        .map(line -> Path.of(line.replaceFirst(".*is kept: ", "")))
        .toList();
    assertThat(kept).hasSize(4).doesNotHaveDuplicates();
    for (Path each : kept) {
      assertThat(each.resolve("notes.txt")).hasContent("notes");
      FileTree.delete(each.resolve("../..").normalize());
    }
  }

  @Test
  void equal_outcomes_are_not_tried() throws IOException {
    second = first;

    Console attribute = attribute();

    assertThat(attribute.exit()).isZero();
    assertThat(attribute.out()).startsWith("equal  the recordings have the same outcome\n");
  }

  @Test
  void a_reason_that_trials_do_not_have_is_unexplained() throws Exception {
    second = home.resolve("other");
    try (SessionRecorder recorder = SessionRecorder.start(second, "other")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "good a");
      scope.end(SessionEnd.of(Status.FAILED));
    }

    Console attribute = attribute();

    assertThat(attribute.exit()).isEqualTo(1);
    assertThat(attribute.out()).startsWith("unexplained  1 trial, 0 calls executed");
  }

  @Test
  void request_without_an_answer_leaves_the_cause_undecided() throws IOException {
    Path other = agent();
    Files.writeString(other, Files.readString(other).replace("b.txt", "c.txt"));

    Console attribute = attributeWith("sh " + other);

    assertThat(attribute.exit()).as(attribute.err()).isEqualTo(4);
    assertThat(attribute.out()).startsWith("undecided  1 trial, 0 calls executed");
  }

  @Test
  void limit_of_the_trials_leaves_the_cause_undecided() throws IOException {
    Console attribute = attribute("--trials", "2");

    assertThat(attribute.exit()).as(attribute.err()).isEqualTo(4);
    assertThat(attribute.out()).startsWith("undecided  2 trials, 0 calls executed");
  }

  @Test
  void recording_that_is_not_valid_is_refused() throws IOException {
    Path log = first.resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("good a", "evil a"));

    Console attribute = attribute();

    assertThat(attribute.exit()).as(attribute.err()).isEqualTo(4);
    assertThat(attribute.out()).isEmpty();
  }

  @Test
  void wrong_options_are_refused() throws IOException {
    assertThat(attribute("--outcome", "color").err())
        .contains("expected status, answer or calls, found \"color\"");
    assertThat(attribute("--trials", "1").err())
        .contains("the number of trials must be at least 2: 1");
    assertThat(attribute("--repeat", "5").err()).contains("--repeat requires --model");
    Console none = Console.run("attribute", first.toString(), second.toString());
    assertThat(none.exit()).isEqualTo(2);
    assertThat(none.err()).startsWith("replay: attribute requires --subject CMD, the agent to run");
  }
}
