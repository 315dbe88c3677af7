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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The log of {@code replay run} on standard error. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class RunLogFormatTest {

  @TempDir
  private Path home;

  private Path session;

  @BeforeEach
  void record() throws Exception {
    session = home.resolve("one");
    try (SessionRecorder recorder = SessionRecorder.start(session, "fix-greeting")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "Helo");
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
  }

  private Console mock(String path, String... more) throws IOException {
    Path agent = Files.writeString(
        home.resolve("agent.sh"),
        """
        echo '{"id":0,"type":"hello","protocol":1}'
        read answer
        echo '{"id":1,"type":"tool","name":"read_file","params":{"path":"%s"}}'
        read answer
        echo '{"id":2,"type":"end","status":"Success"}'
        read answer
        """
            .formatted(path));
    List<String> words = new ArrayList<>(List.of("run", session.toString(), "--mode", "mock"));
    words.addAll(List.of("--unsafe-no-sandbox", "--subject", "sh " + agent));
    words.addAll(List.of(more));
    return Console.run(words.toArray(String[]::new));
  }

  private static List<JsonObject> entries(Console run) {
    return run.err().lines().map(line -> JsonText.parse(line).asObject()).toList();
  }

  private static List<String> events(Console run) {
    return entries(run).stream()
        .map(json -> json.get("level").asString() + " " + json.get("event").asString())
        .toList();
  }

  @Test
  void nothing_is_logged_by_default() throws IOException {
    assertThat(mock("a.txt").err()).isEmpty();
  }

  @Test
  void json_has_start_and_end() throws IOException {
    Console run = mock("a.txt", "--log-format", "json");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(events(run)).containsExactly("INFO replay.started", "INFO replay.ended");
    assertThat(entries(run)).allSatisfy(json -> {
      assertThat(json.get("session").asString()).isEqualTo("fix-greeting");
      assertThat(json.get("logger").asString()).isEqualTo("dev.agentreplay.engine.replay");
      assertThat(json.get("mode").asString()).isEqualTo("mock");
    });
    assertThat(entries(run).get(1).get("verdict").asString()).isEqualTo("identical");
    assertThat(run.out()).startsWith("identical  replayed 1 exchange in ");
  }

  @Test
  void json_has_divergences_as_warnings() throws IOException {
    Console run = mock("b.txt", "--log-format", "json");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(events(run))
        .containsExactly("INFO replay.started", "WARNING replay.divergence", "INFO replay.ended");
  }

  @Test
  void verbose_adds_each_exchange_to_json() throws IOException {
    assertThat(events(mock("a.txt", "--log-format", "json", "--verbose")))
        .startsWith("INFO replay.started")
        .contains("DEBUG replay.exchange")
        .endsWith("INFO replay.ended");
  }

  @Test
  void text_has_start_and_end_and_verbose_adds_each_exchange() throws IOException {
    assertThat(mock("a.txt", "--log-format", "text").err().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("replay.started {"),
            line -> assertThat(line).startsWith("replay.ended {"));
    String verbose = mock("a.txt", "--verbose").err();
    assertThat(verbose).contains("replay.exchange {");
    assertThat(mock("a.txt", "--log-format", "text", "--verbose").err().lines())
        .hasSameSizeAs(verbose.lines().toList());
  }

  @Test
  void validation_logs_as_well() {
    Console run = Console.run("run", session.toString(), "--log-format", "json");

    assertThat(events(run)).containsExactly("INFO replay.started", "INFO replay.ended");
  }

  @Test
  @Tag("slow")
  void progress_is_not_mixed_with_json() throws IOException {
    Path tools = Files.writeString(
        home.resolve("tools.json"),
        """
        {"tools": {"read_file": {"command": ["sh", "-c", "sleep 2.5; echo '\\"Helo\\"'"],
          "effect": "pure"}}}
        """);
    Console run = Console.run(
        "run",
        session.toString(),
        "--mode",
        "node",
        "--unsafe-no-sandbox",
        "--tools",
        tools.toString(),
        "--log-format",
        "json",
        "--verbose");

    assertThat(events(run)).contains("DEBUG replay.progress", "INFO replay.ended");
  }

  @Test
  void different_format_is_refused() {
    Console run = Console.run("run", session.toString(), "--log-format", "xml");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--log-format").contains("text").contains("json");
  }
}
