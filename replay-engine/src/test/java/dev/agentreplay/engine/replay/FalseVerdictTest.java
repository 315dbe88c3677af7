package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.echo;
import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays that must not be identical, and some that must. */
class FalseVerdictTest {

  @TempDir
  Path directory;

  private final ReplayAgent agent = scope -> {
    scope.call("read_file", path(1));
    scope.call("read_file", path(2));
  };

  private Session recording() throws Exception {
    return record(
        directory.resolve("recording"), agent, Executors.none().withTool("read_file", echo()));
  }

  private static RuntimeEvent event(int number) {
    return new RuntimeEvent(
        null, "noise", Content.of(JsonObject.of("number", number)), null, Meta.NONE);
  }

  @Test
  void an_unread_exchange_after_thousands_of_events_is_found() throws Exception {
    ReplayAgent noisy = scope -> {
      scope.call("read_file", path(1));
      for (int i = 0; i < 10_500; i++) {
        scope.emit(event(i));
      }
      scope.call("read_file", path(2));
    };
    Session session =
        record(directory.resolve("noisy"), noisy, Executors.none().withTool("read_file", echo()));

    ReplayReport report =
        Replay.of(session).mode(ReplayMode.MOCK).run(scope -> scope.call("read_file", path(1)));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsEntry("UNREAD", 1L);
  }

  @Test
  void events_that_the_agent_does_not_state_are_named() throws Exception {
    ReplayAgent stating = scope -> {
      agent.run(scope);
      scope.emit(event(1));
    };
    Session session = record(
        directory.resolve("stating"), stating, Executors.none().withTool("read_file", echo()));

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(agent);

    assertThat(report.circumstances())
        .extracting(Circumstance::message)
        .contains(
            "1 recorded event not compared, because the agent states none of their kinds: noise");
    assertThat(Replay.of(session).mode(ReplayMode.MOCK).run(stating).circumstances())
        .extracting(Circumstance::name)
        .doesNotContain("events");
  }

  @Test
  void an_agent_that_failed_when_it_was_recorded_and_succeeds_now_has_diverged() throws Exception {
    Path failed = directory.resolve("failed");
    try (SessionRecorder recorder = SessionRecorder.start(failed, "failed")) {
      agent.run(AgentScope.recording(recorder, Executors.none().withTool("read_file", echo())));
      recorder.end(SessionEnd.of(Status.FAILED).withErrorMessage("no login"));
    }
    Session session = Session.open(failed);

    ReplayReport succeeded = Replay.of(session).mode(ReplayMode.MOCK).run(agent);
    ReplayReport failing = Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      agent.run(scope);
      throw new IllegalStateException("no login");
    });

    assertThat(succeeded.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(succeeded.divergencesByKind()).containsOnlyKeys("END");
    assertThat(failing.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(succeeded.circumstances()).extracting(Circumstance::name).doesNotContain("events");
    assertThat(failing.circumstances()).extracting(Circumstance::name).doesNotContain("events");
  }

  @Test
  void a_live_replay_in_which_no_tool_was_executed_is_unverified() throws Exception {
    AtomicInteger executions = new AtomicInteger();
    ToolExecutor broken = call -> {
      executions.incrementAndGet();
      return echo().execute(call);
    };
    Session session = recording();

    ReplayReport undeclared = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .executors(Executors.none().withTool("read_file", broken))
        .run(agent);
    ReplayReport misspelled = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read-file", Effect.PURE, broken)
        .run(agent);

    assertThat(undeclared.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(undeclared.notReexecuted()).isEqualTo(2);
    assertThat(misspelled.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(executions).hasValue(0);
  }

  @Test
  void the_effect_of_a_tool_may_be_declared_before_the_mode_is_set() throws Exception {
    ReplayReport report = Replay.of(recording())
        .tool("read_file", Effect.PURE, echo())
        .mode(ReplayMode.TOOLS_LIVE)
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges().executed()).isEqualTo(2);
  }

  @Test
  void a_recording_that_was_altered_is_unverified_if_its_replay_is_forced() throws Exception {
    Session session = recording();
    Files.writeString(
        session.log(),
        Files.readString(session.log())
            .replace("\"output\":{\"path\":\"file-2\"}", "\"output\":{\"path\":\"file-3\"}"));

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).force(true).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
  }

  @Test
  void a_live_call_that_was_not_recorded_is_a_miss() throws Exception {
    AtomicInteger executions = new AtomicInteger();
    ToolExecutor deleting = call -> {
      executions.incrementAndGet();
      return echo().execute(call);
    };
    ReplayAgent changed = scope -> {
      scope.call("read_file", path(1));
      scope.call("delete", path(1));
      scope.call("read_file", path(2));
    };
    Replay live = Replay.of(recording())
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, echo())
        .tool("delete", Effect.WRITES_WORKSPACE, deleting);

    ReplayReport report = live.run(changed);

    assertThat(report.divergencesByKind()).containsOnly(Map.entry("MISS", 1L));
    assertThat(report.missed()).isOne();
    assertThat(executions).hasValue(1);
  }

  @Test
  void a_live_call_that_was_not_recorded_is_not_executed_if_a_divergence_stops() throws Exception {
    AtomicInteger executions = new AtomicInteger();
    ToolExecutor deleting = call -> {
      executions.incrementAndGet();
      return echo().execute(call);
    };

    ReplayReport report = Replay.of(recording())
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("delete", Effect.WRITES_WORKSPACE, deleting)
        .stopOnDivergence(true)
        .run(scope -> scope.call("delete", path(1)));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(executions).hasValue(0);
  }

  @Test
  void token_counts_of_an_executed_model_are_not_compared() throws Exception {
    ReplayAgent asking = scope -> scope.ask("gpt-5", "Hi");
    ModelExecutor counting = (call, pieces) ->
        ModelResult.of(call.id(), "Hello").withTokens(ModelResult.TokenCounts.of(5, 7));
    ModelExecutor silent = (call, pieces) -> ModelResult.of(call.id(), "Hello");
    Session session =
        record(directory.resolve("tokens"), asking, Executors.none().withModel(counting));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .model(silent)
        .stopOnDivergence(true)
        .run(asking);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_drift_before_the_first_difference_is_the_root() throws Exception {
    ReplayAgent valued = scope -> {
      String id = scope.context().ulid();
      scope.call("read_file", JsonObject.of("id", id));
    };
    Session session = record(
        directory.resolve("valued"),
        valued,
        Executors.none().withTool("read_file", echo()),
        SampleAgent.withContext());

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.POSITION)
        .run(scope -> {
          long time = scope.context().clock().millis();
          scope.call("read_file", JsonObject.of("id", "at " + time));
        });

    assertThat(report.root()).isNotNull();
    assertThat(report.root().kind()).isEqualTo("DRIFT");
    assertThat(report.divergences().stream().filter(each -> each.role() == Divergence.Role.ROOT))
        .hasSize(1);
  }

  @Test
  void the_ledger_is_for_its_owner_alone() throws Exception {
    Path out = directory.resolve("out");

    Replay.of(recording()).mode(ReplayMode.MOCK).directory(out).run(agent);

    assertThat(Files.getPosixFilePermissions(out.resolve(Replay.LEDGER_NAME)))
        .isEqualTo(Files.getPosixFilePermissions(out.resolve("REPLAY.jsonl")));
  }
}
