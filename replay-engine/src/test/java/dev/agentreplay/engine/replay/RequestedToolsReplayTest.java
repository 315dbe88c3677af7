package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.echo;
import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.record;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tools that an answer of a model requests together, in the order in which they are called. */
@Timeout(60)
class RequestedToolsReplayTest {

  @TempDir
  Path directory;

  private static String id(int number) {
    return "tool-" + number;
  }

  private static ToolCall call(int number) {
    return ToolCall.of(id(number), "read_file", path(number));
  }

  private static JsonValue answer(int calls) {
    return JsonObject.of(
        "tool_calls",
        JsonArray.copyOf(IntStream.range(0, calls)
            .<JsonValue>mapToObj(number -> JsonObject.of("id", id(number), "name", "read_file"))
            .toList()));
  }

  private static ReplayAgent inOrder(Integer... numbers) {
    return scope -> {
      scope.ask("gpt-5", "Read the files.");
      for (int number : numbers) {
        scope.execute(call(number));
      }
    };
  }

  private Session recording(ReplayAgent agent, JsonValue answer) throws Exception {
    Executors executors = Executors.none()
        .withTool("read_file", echo())
        .withModel((call, pieces) -> ModelResult.of(call.id(), answer));
    return record(directory.resolve("recording"), agent, executors);
  }

  @Test
  void calls_of_one_answer_are_identical_in_any_order() throws Exception {
    Session session = recording(inOrder(0, 1, 2), answer(3));

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(inOrder(2, 0, 1));

    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.matched().get(MatchRung.OUT_OF_ORDER)).isPositive();
    requireClosedCounts(report);
  }

  @Test
  void calls_that_no_answer_requested_are_moved_in_a_different_order() throws Exception {
    Session session = recording(inOrder(0, 1, 2), answer(1));

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(inOrder(0, 2, 1));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).isEqualTo(Map.of("MOVED", 1L));
  }

  @Test
  void a_call_of_an_earlier_answer_is_moved_behind_the_next_one() throws Exception {
    ReplayAgent recorded = scope -> {
      scope.ask("gpt-5", "first");
      scope.execute(call(0));
      scope.execute(call(1));
      scope.ask("gpt-5", "second");
    };
    ReplayAgent late = scope -> {
      scope.ask("gpt-5", "first");
      scope.execute(call(0));
      scope.ask("gpt-5", "second");
      scope.execute(call(1));
    };
    Session session = recording(recorded, answer(2));

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(late);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).isEqualTo(Map.of("MOVED", 1L));
  }

  @Test
  void sixty_four_fast_tools_at_the_same_time_are_identical_in_each_replay() throws Exception {
    int tools = 64;
    ReplayAgent concurrent = scope -> {
      scope.ask("gpt-5", "Read the files.");
      ExecutorService threads = java.util.concurrent.Executors.newFixedThreadPool(8);
      try {
        List<java.util.concurrent.Callable<Object>> calls = new ArrayList<>();
        for (int i = 0; i < tools; i++) {
          int number = i;
          calls.add(() -> scope.execute(call(number)));
        }
        Collections.shuffle(calls);
        for (var result : threads.invokeAll(calls)) {
          result.get();
        }
      } finally {
        threads.shutdownNow();
      }
    };
    Session session = recording(concurrent, answer(tools));

    for (int run = 0; run < 10; run++) {
      ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(concurrent);

      assertThat(report.divergences()).isEmpty();
      assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
      requireClosedCounts(report);
    }
  }
}
