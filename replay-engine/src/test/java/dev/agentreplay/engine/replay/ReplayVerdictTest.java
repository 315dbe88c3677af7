package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SeverityRating;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replay is identical only if the agent requested what was recorded, no more and no less. */
class ReplayVerdictTest {

  @TempDir
  Path directory;

  private Session session;

  private final Executors executors = Executors.none()
      .withTool("read_file", TestRecordings.echo())
      .withTool("think", ToolExecutor.of(params -> "done"))
      .withModel((call, pieces) -> ModelResult.of(call.id(), "an answer"));

  /** The requests of an agent, in order: a model call has a prompt, a tool call parameters. */
  private static final class Script implements ReplayAgent {
    final List<ReplayEvent> requests = new ArrayList<>();
    boolean swallows;

    Script() {
      ask("gpt-5", "Which file?", "search");
      call("read_file", path(1));
      call("think", JsonObject.EMPTY);
      call("read_file", path(2));
      ask("gpt-5", "Is it fixed?", "search");
    }

    void ask(String model, String text, String tool) {
      requests.add(asking(model, text, tool));
    }

    static ReplayEvent asking(String model, String text, String tool) {
      return Requests.model(
          model,
          JsonObject.of(
              "messages",
              JsonArray.of(JsonObject.of("role", "user", "content", text)),
              "tools",
              JsonArray.of(JsonString.of(tool))),
          null);
    }

    void call(String tool, JsonObject params) {
      requests.add(Requests.tool(tool, params));
    }

    @Override
    public void run(AgentScope scope) throws Exception {
      for (ReplayEvent request : requests) {
        try {
          if (request instanceof ToolCall call) {
            scope.execute(call);
          } else {
            scope.execute((dev.agentreplay.model.ModelCall) request, piece -> {});
          }
        } catch (Exception e) {
          if (!swallows) {
            throw e;
          }
        }
      }
    }
  }

  /** A change of the agent, and the kind, class and place of its only divergence. */
  private enum Situation {
    CHANGED_ARGUMENT(
        "MISS",
        MissKind.DIVERGED,
        5L,
        script -> script.requests.set(1, Requests.tool("read_file", path(7)))),
    CHANGED_TOOL(
        "MISS",
        MissKind.NEVER_RECORDED,
        5L,
        script -> script.requests.set(1, Requests.tool("open_file", path(1)))),
    CHANGED_PROMPT(
        "MISS",
        MissKind.DIVERGED,
        3L,
        script -> script.requests.set(0, Script.asking("gpt-5", "Which folder?", "search"))),
    CHANGED_MODEL(
        "MISS",
        MissKind.MODEL_CHANGED,
        3L,
        script -> script.requests.set(0, Script.asking("gpt-6", "Which file?", "search"))),
    CHANGED_TOOL_LIST(
        "MISS",
        MissKind.TOOLS_CHANGED,
        3L,
        script -> script.requests.set(0, Script.asking("gpt-5", "Which file?", "grep"))),
    MORE_CALLS("MISS", MissKind.EXHAUSTED, 9L, script -> script.call("read_file", path(2))),
    MORE_CALLS_OF_ANOTHER_KIND("MISS", MissKind.WRONG_KIND, null, script -> {
      script.requests.add(4, Requests.tool("read_file", path(3)));
    }),
    FEWER_CALLS("UNREAD", null, 7L, script -> script.requests.remove(2)),
    NO_LAST_CALL("UNREAD", null, 11L, script -> script.requests.remove(4)),
    SWAPPED_CALLS("MOVED", null, 9L, script -> script.requests.add(1, script.requests.remove(3)));

    final String kind;
    final @Nullable MissKind miss;

    /** The line in the recording; of a miss, that of the nearest request. */
    final @Nullable Long line;

    final Consumer<Script> change;

    Situation(String kind, @Nullable MissKind miss, @Nullable Long line, Consumer<Script> change) {
      this.kind = kind;
      this.miss = miss;
      this.line = line;
      this.change = change;
    }

    Script agent(boolean swallows) {
      Script script = new Script();
      change.accept(script);
      script.swallows = swallows;
      return script;
    }
  }

  @BeforeEach
  void record() throws Exception {
    session = TestRecordings.record(directory.resolve("recorded"), new Script(), executors);
  }

  private Replay mock() {
    return Replay.of(session).mode(ReplayMode.MOCK);
  }

  @ParameterizedTest
  @EnumSource(Situation.class)
  void a_changed_agent_is_not_identical(Situation situation) throws Exception {
    ReplayReport report = mock().run(situation.agent(false));

    isAsExpected(report, situation);
    assertThat(report.failure() == null).isEqualTo(situation.miss == null);
  }

  @ParameterizedTest
  @EnumSource(Situation.class)
  void a_changed_agent_that_catches_everything_is_not_identical(Situation situation)
      throws Exception {
    for (OnUnmatched behavior : List.of(OnUnmatched.STOP, OnUnmatched.ERROR)) {
      ReplayReport report = mock().onUnmatched(behavior).run(situation.agent(true));

      isAsExpected(report, situation);
      assertThat(report.failure()).isNull();
    }
  }

  private static void isAsExpected(ReplayReport report, Situation situation) {
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry(situation.kind, 1L));
    assertThat(report.exchanges().executed()).isZero();
    assertThat(report.missed()).isEqualTo(situation.miss == null ? 0 : 1);
    ReplayDivergence root = report.root();
    assertThat(root.kind()).isEqualTo(situation.kind);
    ReplayMiss miss = root.miss();
    if (miss == null) {
      assertThat(situation.miss).isNull();
      assertThat(root.recordedLine()).isEqualTo(situation.line);
    } else {
      assertThat(miss.kind()).isEqualTo(situation.miss);
      assertThat(miss.nearest() == null ? null : miss.nearest().line()).isEqualTo(situation.line);
    }
    requireClosedCounts(report);
  }

  @Test
  void an_executed_agent_that_changed_is_not_identical_in_any_situation() throws Exception {
    for (Situation situation : Situation.values()) {
      ReplayReport report = Replay.of(session)
          .mode(ReplayMode.FULL)
          .executors(executors)
          .policy(ReplayPolicy.of(ReplayMode.FULL)
              .withEffect("read_file", Effect.PURE)
              .withEffect("open_file", Effect.PURE)
              .withEffect("think", Effect.PURE))
          .run(situation.agent(true));

      assertThat(report.verdict()).as(situation.name()).isEqualTo(ReplayVerdict.DIVERGED);
      requireClosedCounts(report);
    }
  }

  @Test
  void a_miss_of_a_tool_after_calls_of_an_ignored_tool_is_one_divergence() throws Exception {
    Script script = new Script();
    script.requests.set(3, Requests.tool("read_file", path(7)));
    script.swallows = true;

    ReplayReport report = mock()
        .comparison(DiffOptions.defaults().plus(Ignore.tool("think")))
        .onUnmatched(OnUnmatched.ERROR)
        .run(script);

    assertThat(report.divergencesByKind()).containsExactly(Map.entry("MISS", 1L));
    assertThat(report.root().recordedLine()).isNotNull();
    assertThat(report.root().replayLine()).isNotNull();
  }

  @Test
  void a_replay_that_was_stopped_is_never_identical() throws Exception {
    DiffOptions lenient = DiffOptions.defaults()
        .withSeverity(change -> new SeverityRating(DivergenceSeverity.NONE, "anything goes"));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .comparison(lenient)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> "changed"))
        .stopOnDivergence(true)
        .run(new Script());

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).first().asString().contains("the result differs");
    assertThat(report.exchanges().unread()).isEqualTo(3);
  }

  @Test
  void calls_and_results_cannot_be_emitted() throws Exception {
    ReplayReport report = mock().run(scope -> {
      for (ReplayEvent event : List.of(
          ToolCall.of("call-1", "read_file", path(1)),
          ToolResult.of("call-1", path(1)),
          ModelResult.of("model-1", "an answer"),
          SessionEnd.of(Status.SUCCESS))) {
        assertThatThrownBy(() -> scope.emit(event))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("not by emit()");
      }
    });

    assertThat(report.failure()).isNull();
    assertThat(report.exchanges().unread()).isEqualTo(5);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
  }

  @Test
  void an_agent_that_fails_at_its_end_is_not_identical() throws Exception {
    ReplayReport thrown = mock().run(scope -> {
      new Script().run(scope);
      throw new IllegalStateException("at the end");
    });
    ReplayReport stated = mock().run(scope -> {
      new Script().run(scope);
      scope.end(SessionEnd.of(Status.SUCCESS));
      throw new IllegalStateException("at the end");
    });
    ReplayReport failed = mock().run(scope -> {
      new Script().run(scope);
      scope.end(SessionEnd.of(Status.FAILED));
    });

    assertThat(thrown.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(thrown.divergencesByKind()).containsOnlyKeys("END");
    assertThat(stated.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(stated.incomplete()).containsExactly("the agent failed: at the end");
    assertThat(failed.divergencesByKind()).containsOnlyKeys("END");
  }

  @Test
  void a_request_of_a_thread_that_outlives_the_agent_is_refused() throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<Exception> refused = new ArrayList<>();
    Thread[] agent = new Thread[1];

    ReplayReport report = mock().run(scope -> {
      agent[0] = Thread.currentThread();
      new Script().run(scope);
      Thread late = new Thread(() -> {
        try {
          agent[0].join();
          while (true) {
            scope.call("read_file", path(2));
          }
        } catch (ReplayStoppedException e) {
          refused.add(e);
        } catch (Exception e) {
          // a miss, if the replay has not ended
        }
      });
      threads.add(late);
    });
    threads.get(0).start();
    threads.get(0).join();

    assertThat(refused).hasSize(1);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }
}
