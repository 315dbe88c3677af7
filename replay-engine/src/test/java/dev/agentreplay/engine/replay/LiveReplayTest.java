package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays in which tools, models or both are executed. */
class LiveReplayTest {

  private static final int TURNS = 5;

  @TempDir
  Path directory;

  private Session session;
  private final SampleAgent agent = new SampleAgent(TURNS);

  @BeforeEach
  void record() throws Exception {
    session = new SampleAgent(TURNS).record(directory.resolve("recorded"));
  }

  private Replay replay(ReplayMode mode) {
    return Replay.of(session).mode(mode).executors(agent.executors());
  }

  private Replay replay(ReplayMode mode, Effect effect) {
    Replay replay = replay(mode);
    return replay.policy(ReplayPolicy.of(mode).withEffect("read_file", effect));
  }

  @Test
  void tools_are_executed_and_models_served() throws Exception {
    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, Effect.PURE).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges())
        .isEqualTo(new ReplayReport.ExchangeCounts(2 * TURNS, TURNS, TURNS, 0));
    assertThat(agent.executions).hasValue(TURNS);
  }

  @Test
  void models_are_executed_and_tools_served() throws Exception {
    ReplayReport report = replay(ReplayMode.MODEL_LIVE).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges())
        .isEqualTo(new ReplayReport.ExchangeCounts(2 * TURNS, TURNS, TURNS, 0));
    assertThat(agent.executions).hasValue(TURNS);
  }

  @Test
  void everything_is_executed_with_an_agent() throws Exception {
    ReplayReport report = replay(ReplayMode.FULL, Effect.PURE).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges())
        .isEqualTo(new ReplayReport.ExchangeCounts(2 * TURNS, 0, 2 * TURNS, 0));
  }

  @Test
  void recorded_requests_are_issued_without_an_agent() throws Exception {
    for (ReplayMode mode : List.of(ReplayMode.FULL, ReplayMode.NODE)) {
      agent.executions.set(0);

      ReplayReport report = replay(mode, Effect.PURE).run();

      assertThat(report.divergences()).isEmpty();
      assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(agent.executions).hasValue(2 * TURNS);
    }
  }

  @Test
  void an_undeclared_tool_is_never_executed_and_the_replay_is_unverified() throws Exception {
    ReplayReport report = replay(ReplayMode.FULL).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(report.notReexecuted()).isEqualTo(TURNS);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("NOT_REEXECUTED", 1L));
    assertThat(agent.executions).hasValue(TURNS); // the models
  }

  @Test
  void an_external_tool_is_executed_if_it_is_named() throws Exception {
    ReplayReport report = replay(ReplayMode.FULL)
        .policy(ReplayPolicy.of(ReplayMode.FULL)
            .withTool("read_file", ReplayAction.EXECUTE_AND_COMPARE))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(agent.executions).hasValue(2 * TURNS);
  }

  @Test
  void a_recorded_annotation_makes_an_effect_greater() throws Exception {
    Circumstances circumstances =
        Circumstances.defaults().withTool(ToolDescription.of("read_file").withOpenWorld(true));
    session = new SampleAgent(TURNS)
        .record(
            directory.resolve("annotated"),
            RecorderOptions.defaults().withCircumstances(circumstances));

    ReplayReport report = replay(ReplayMode.FULL, Effect.PURE).run(agent);

    assertThat(report.notReexecuted()).isEqualTo(TURNS);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
  }

  @Test
  void a_tool_without_an_executor_is_refused() throws Exception {
    ReplayReport report = Replay.of(session)
        .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("read_file", Effect.PURE))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().kind()).isEqualTo("REFUSED");
    assertThat(report.root().message()).contains("there is no executor for it");
    assertThat(report.failure()).isInstanceOf(ExchangeRefusedException.class);
  }

  @Test
  void an_output_that_differs_is_one_root_and_later_prompts_match_by_what_they_add()
      throws Exception {
    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, Effect.PURE)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> {
          String path = params.at("/path").asString();
          return path.equals("file-3") ? "changed content" : "content of " + path;
        }))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().kind()).isEqualTo("OUTPUT");
    assertThat(report.matched())
        .containsEntry(MatchRung.POSITION, 0L)
        .containsEntry(MatchRung.DELTA, 3L);
    assertThat(report.missed()).isZero();
    assertThat(report.divergences().stream()
            .filter(found -> found.role() != Divergence.Role.DOWNSTREAM))
        .hasSize(1);
    assertThat(report.exchanges().unread()).isZero();
  }

  @Test
  void an_output_that_is_often_part_of_a_long_prompt_is_not_replaced_there() throws Exception {
    String text = "a".repeat(1_000_000);
    ReplayAgent asking = scope -> {
      JsonObject first = JsonObject.of("role", "user", "content", "Which file?");
      scope.ask("gpt-5", JsonObject.of("messages", JsonArray.of(first)));
      JsonValue output = scope.call("read_file", JsonObject.of("path", "a.txt"));
      JsonObject read = JsonObject.of("role", "tool", "content", output);
      JsonObject added = JsonObject.of("role", "user", "content", text);
      scope.ask("gpt-5", JsonObject.of("messages", JsonArray.of(first, read, added)));
    };
    Session recorded = TestRecordings.record(
        directory.resolve("long"),
        asking,
        agent.executors().withTool("read_file", ToolExecutor.of(params -> "x".repeat(1_000_000))));

    ReplayReport report = Replay.of(recorded)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> "aaaa"))
        .run(asking);

    assertThat(report.failure()).isNull();
    assertThat(report.matched()).containsEntry(MatchRung.DELTA, 1L);
    assertThat(report.root().kind()).isEqualTo("OUTPUT");
  }

  @Test
  void an_answer_that_differs_is_a_response_divergence() throws Exception {
    ReplayReport report = replay(ReplayMode.NODE, Effect.PURE)
        .model((call, pieces) -> ModelResult.of(call.id(), "another file"))
        .run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("RESPONSE", (long) TURNS));
  }

  @Test
  void a_replay_stops_at_the_first_divergence_if_asked() throws Exception {
    ReplayReport report = replay(ReplayMode.NODE, Effect.PURE)
        .model((call, pieces) -> ModelResult.of(call.id(), "another file"))
        .stopOnDivergence(true)
        .run();

    assertThat(report.divergencesByKind()).containsExactly(Map.entry("RESPONSE", 1L));
    assertThat(report.requests()).isOne();
  }

  @Test
  void an_executed_model_gets_parameters_that_make_it_reproducible() throws Exception {
    List<ModelCall.Parameters> parameters = new ArrayList<>();

    replay(ReplayMode.NODE)
        .seed(7L)
        .model((call, pieces) -> {
          parameters.add(call.parameters());
          return ModelResult.of(call.id(), "x");
        })
        .run();

    assertThat(parameters).hasSize(TURNS);
    assertThat(parameters.get(0).temperature()).isZero();
    assertThat(parameters.get(0).topK()).isOne();
    assertThat(parameters.get(0).topP()).isOne();
    assertThat(parameters.get(0).seed()).isEqualTo(7);
  }

  @Test
  void a_tool_that_throws_is_a_result_of_the_replay() throws Exception {
    ReplayReport report = replay(ReplayMode.NODE, Effect.PURE)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> {
          throw new IllegalStateException("broken");
        }))
        .run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("OUTCOME", (long) TURNS));
  }

  @Test
  void a_tool_or_model_that_throws_an_interrupted_exception_has_failed() throws Exception {
    for (ReplayMode mode : List.of(ReplayMode.FULL, ReplayMode.NODE)) {
      ReplayReport report = replay(mode, Effect.PURE)
          .tool("read_file", Effect.PURE, call -> {
            throw new InterruptedException("of the tool");
          })
          .model((call, pieces) -> {
            throw new InterruptedException("of the model");
          })
          .run();

      assertThat(report.failure()).isNull();
      assertThat(report.exchanges().executed()).isEqualTo(2 * TURNS);
      assertThat(report.divergencesByKind())
          .containsExactly(Map.entry("OUTCOME", (long) 2 * TURNS));
    }
  }

  @Test
  void the_thread_of_an_agent_is_not_interrupted_by_a_tool_that_was() throws Exception {
    List<Throwable> seen = new ArrayList<>();

    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, Effect.PURE)
        .tool("read_file", Effect.PURE, call -> {
          Thread.currentThread().interrupt();
          throw new InterruptedException("of the tool");
        })
        .run(scope -> {
          for (int turn = 1; turn <= TURNS; turn++) {
            JsonObject params = TestRecordings.path(turn);
            seen.add(catchThrowable(() -> scope.call("read_file", params)));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
          }
        });

    assertThat(report.failure()).isNull();
    assertThat(seen).hasSize(TURNS).allSatisfy(thrown -> assertThat(thrown)
        .isInstanceOf(InterruptedException.class)
        .hasMessage("of the tool"));
    assertThat(report.requests()).isEqualTo(TURNS);
  }

  @Test
  void a_tool_that_returns_null_or_throws_an_error_is_a_result_of_the_replay() throws Exception {
    int[] call = {0};

    ReplayReport report = replay(ReplayMode.NODE, Effect.PURE)
        .tool("read_file", Effect.PURE, request -> {
          if (call[0]++ == 0) {
            throw new StackOverflowError("deep");
          }
          return null;
        })
        .run();

    assertThat(report.exchanges().executed()).isEqualTo(2 * TURNS);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("OUTCOME", (long) TURNS));
  }

  @Test
  void code_of_a_tool_at_hand_runs_where_the_policy_says_so() throws Exception {
    ReplayAgent own = scope -> {
      JsonValue file = scope.run("read_file", Map.of("path", "a.txt"), () -> "text");
      scope.run("count", Map.of("text", file), () -> 4);
    };
    Session recorded;
    try (var recorder =
        dev.agentreplay.io.recording.SessionRecorder.start(directory.resolve("own"), "own")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      own.run(scope);
      scope.end(dev.agentreplay.model.SessionEnd.of(dev.agentreplay.model.Status.SUCCESS));
      recorded = recorder.session();
    }

    ReplayReport mock = Replay.of(recorded).mode(ReplayMode.MOCK).run(own);
    ReplayReport live = Replay.of(recorded)
        .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE)
            .withEffect("read_file", Effect.PURE)
            .withEffect("count", Effect.PURE))
        .run(own);

    assertThat(mock.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(mock.exchanges().served()).isEqualTo(2);
    assertThat(live.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(live.exchanges().executed()).isEqualTo(2);
  }
}
