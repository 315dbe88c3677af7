package dev.agentreplay.engine.report;

import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session whose steps happen at given times, so that they can overlap. */
final class TeamSessions {

  private static final Instant START = Instant.parse("2026-01-13T10:00:00Z");

  private record Timed(long at, ReplayEvent event) {}

  private final List<Timed> events = new ArrayList<>();
  private int calls;

  /** An agent that works in a lane of its own; null is the main agent. */
  private @Nullable String agent;

  private @Nullable String parent;

  private TeamSessions() {}

  /**
   * A coordinator asks two researchers at the same time, each of which searches in parallel; one
   * asks a reader of its own. Then it edits a file, and a test fails once.
   */
  static Session team(Path directory) throws IOException {
    TeamSessions team = new TeamSessions();
    team.ask(100, 900, "Which parts of the build are slow?", "I ask two researchers.", 1_200, 80);
    String first = team.call(1_100, 4_200, "research", Map.of("topic", "tests"), "3 slow tests");
    String second = team.call(1_120, 2_300, "research", Map.of("topic", "deps"), "no slow one");
    team.as("researcher-1", first);
    team.ask(1_200, 600, "tests", "search", 300, 20);
    for (int i = 0; i < 3; i++) {
      team.call(
          1_900 + 10 * i, 500 + 150 * i, "search", Map.of("query", "slow " + i), "found " + i);
    }
    String reading = team.call(2_800, 1_400, "read_all", Map.of("files", 3), "read");
    team.ask(4_300, 800, "3 files", "3 slow tests", 2_400, 60);
    team.as("researcher-1/reader", reading);
    team.call(2_900, 500, "read_file", Map.of("path", "src/test/java/FirstTest.java"), "class A");
    team.call(3_450, 600, "read_file", Map.of("path", "src/test/java/SecondTest.java"), "class B");
    team.as("researcher-2", second);
    team.ask(1_250, 500, "deps", "search", 280, 18);
    team.call(1_800, 1_200, "mcp__packages__list_dependencies", Map.of("scope", "test"), "12");
    team.as(null, null);
    team.ask(5_400, 700, "3 slow tests", "I fix the first.", 3_000, 140);
    team.call(6_200, 90, "edit_file", Map.of("path", "FirstTest.java"), "edited");
    team.fail(6_400, 1_500, "run_tests", Map.of("module", "core"), "1 of 312 tests failed");
    team.call(8_000, 1_600, "run_tests", Map.of("module", "core"), "312 tests passed");
    team.ask(9_700, 500, "312 tests passed", "Done.", 3_400, 30);
    return team.write(directory);
  }

  /** A session of so many calls, each of which has a result, and a model turn after every tenth. */
  static Session large(Path directory, int count) throws IOException {
    TeamSessions team = new TeamSessions();
    long at = 0;
    for (int i = 0; i < count; i++) {
      Map<String, Object> params = Map.of("path", "src/file" + i % 97 + ".java", "limit", i);
      team.call(at, 20 + i % 50, "tool_" + i % 7, params, "output of call " + i);
      at += 80;
      if (i % 10 == 9) {
        team.ask(at, 300, "What next after " + i + "?", "I go on.", 900, 40);
        at += 310;
      }
    }
    return team.write(directory);
  }

  private void as(@Nullable String newAgent, @Nullable String newParent) {
    agent = newAgent;
    parent = newParent;
  }

  private String call(long at, long took, String tool, Map<String, ?> params, String output) {
    String id = "call-" + ++calls;
    add(at, ToolCall.of(id, tool, JsonValue.of(params)));
    add(at + took, ToolResult.of(id, output).withLatencyMillis(took));
    return id;
  }

  private void fail(long at, long took, String tool, Map<String, ?> params, String error) {
    String id = "call-" + ++calls;
    add(at, ToolCall.of(id, tool, JsonValue.of(params)));
    Outcome failed = Outcome.failed("TestFailure", error);
    Content none = Content.of(JsonValue.of(null));
    add(at + took, new ToolResult(id, none, failed, null, Timing.of(took), List.of(), Meta.NONE));
  }

  private void ask(long at, long took, String prompt, String answer, long in, long out) {
    String id = "ask-" + ++calls;
    Chunks chunks = Chunks.builder().add(took / 3, answer.length()).build();
    add(at, ModelCall.of(id, "small-model", Prompt.of(prompt)));
    add(
        at + took,
        ModelResult.of(id, answer)
            .withFinish(Completion.of("stop"))
            .withTokens(TokenCounts.of(in, out))
            .withTiming(Timing.of(took).withChunks(chunks)));
  }

  private void add(long at, ReplayEvent event) {
    events.add(new Timed(at, event.withMeta(at(at).withAgent(agent).withParent(parent))));
  }

  private static Meta at(long millis) {
    return Meta.at(Timestamp.parse(START.plusMillis(millis).toString()));
  }

  private Session write(Path directory) throws IOException {
    Files.createDirectories(directory);
    events.sort(Comparator.comparingLong(Timed::at));
    long last = events.get(events.size() - 1).at() + 100;
    try (ReplayWriter writer = ReplayWriter.create(
        directory.resolve(Session.LOG_NAME), ReplayHeader.of("team@1.2").withMeta(at(0)))) {
      SessionStart start = SessionStart.of("0b9f3c52-7a41-4a7e-9d83-3f8a51c2e6d0")
          .withTask(Task.of("Make the slow tests of the build fast"))
          .withTags("service:dev.example.Coder", "method:improve", "nightly")
          .withUser("u1")
          .withEnvironment("staging")
          .withRepository(JsonObject.of(
              "remote", "https://git.example/build", "branch", "main", "commit", "4f1c2d9"));
      writer.emit(start.withMeta(start.meta().withTime(at(0).time())));
      for (Timed timed : events) {
        writer.emit(timed.event());
      }
      writer.emit(SessionEnd.of(Status.SUCCESS)
          .withSummary("The first of three slow tests shares its fixture now; all tests pass.")
          .withMeta(at(last)));
    }
    return Session.open(directory);
  }
}
