package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.echo;
import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.record;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pairs that are compared: those that requests were matched to, not similar ones. */
class MatchedPairsTest {

  @TempDir
  Path directory;

  /** Reads files, and continues after each exception. */
  private static ReplayAgent reading(Integer... files) {
    return scope -> {
      for (int file : files) {
        try {
          scope.call("read_file", path(file));
        } catch (Exception e) {
          // continues
        }
      }
    };
  }

  private Session recording(ReplayAgent agent) throws Exception {
    Executors executors = Executors.none()
        .withTool("read_file", echo())
        .withModel((call, pieces) -> ModelResult.of(call.id(), "Hello"));
    return record(directory.resolve("recording"), agent, executors);
  }

  /** A session with a call without a result, on line 3, and one with a result. */
  private Session undecided() throws Exception {
    Path recorded = directory.resolve("undecided");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "undecided")) {
      recorder.call(ToolCall.of("call-1", "read_file", path(1)));
      recorder.call("read_file", path(2)).result(path(2));
      recorder.end(Status.SUCCESS);
    }
    return Session.open(recorded);
  }

  @ParameterizedTest
  @EnumSource(OnUnmatched.class)
  void one_changed_request_of_several_equal_ones_is_at_its_line(OnUnmatched behavior)
      throws Exception {
    Session session = recording(reading(1, 1, 1, 1, 2));

    for (int changed = 0; changed < 5; changed++) {
      Integer[] files = {1, 1, 1, 1, 2};
      files[changed] = 9;
      ReplayReport report =
          Replay.of(session).mode(ReplayMode.MOCK).onUnmatched(behavior).run(reading(files));

      assertThat(report.divergences()).hasSize(1);
      assertThat(report.divergences().get(0).recordedLine()).isEqualTo(3L + 2 * changed);
      assertThat(report.divergences().get(0).role()).isEqualTo(Role.ROOT);
      requireClosedCounts(report);
    }
  }

  @Test
  void an_equal_request_too_many_is_exhausted_wherever_it_is() throws Exception {
    Session session = recording(reading(1, 2, 3));

    for (Integer[] files : List.of(
        new Integer[] {1, 1, 2, 3}, new Integer[] {1, 2, 1, 3}, new Integer[] {1, 2, 3, 3})) {
      ReplayReport report = Replay.of(session)
          .mode(ReplayMode.MOCK)
          .onUnmatched(OnUnmatched.ERROR)
          .run(reading(files));

      assertThat(report.divergencesByKind()).isEqualTo(Map.of("MISS", 1L));
      assertThat(report.divergences().get(0).miss().kind()).isEqualTo(MissKind.EXHAUSTED);
      assertThat(report.exchanges().unread()).isZero();
    }
  }

  @Test
  void a_changed_request_of_a_call_without_a_result_is_reported_with_it() throws Exception {
    ReplayReport report = Replay.of(undecided())
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.POSITION)
        .run(reading(9, 2));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).isEqualTo(Map.of("PARAMS", 1L, "UNDECIDED", 1L));
  }

  @ParameterizedTest
  @EnumSource(
      value = ReplayMode.class,
      names = {"TOOLS_LIVE", "FULL"})
  void an_executed_call_without_a_recorded_result_is_undecided(ReplayMode mode) throws Exception {
    ReplayReport report =
        Replay.of(undecided()).mode(mode).tool("read_file", Effect.PURE, echo()).run(reading(1, 2));

    assertThat(report.divergencesByKind()).isEqualTo(Map.of("UNDECIDED", 1L));
    assertThat(report.divergences().get(0).recordedLine()).isEqualTo(3L);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).containsExactly("1 recorded call without a result");
  }

  @Test
  void a_validation_is_incomplete_if_a_call_has_no_result() throws Exception {
    ReplayReport report = Replay.of(undecided()).run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).containsExactly("1 recorded call without a result");
  }

  @Test
  void a_step_utility_that_an_executor_does_not_know_is_not_compared() throws Exception {
    Path recorded = directory.resolve("assessed");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "assessed")) {
      recorder.call(ToolCall.of("call-1", "read_file", path(1)));
      recorder.emit(ToolResult.of("call-1", path(1)).withStepUtility(0.75).withLatencyMillis(1L));
      recorder.end(Status.SUCCESS);
    }
    Replay live = Replay.of(Session.open(recorded))
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, echo());

    assertThat(live.run(reading(1)).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);

    ToolExecutor assessing = call -> ToolResult.of(call.id(), path(1)).withStepUtility(0.25);
    ReplayReport assessed = Replay.of(Session.open(recorded))
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, assessing)
        .run(reading(1));
    assertThat(assessed.divergencesByKind()).isEqualTo(Map.of("ASSESSMENT", 1L));
  }

  @Test
  void nothing_executed_in_a_live_mode_is_unverified() throws Exception {
    Session session = recording(reading(1));

    ReplayReport model = Replay.of(session).mode(ReplayMode.MODEL_LIVE).run(reading(1));

    assertThat(model.divergences()).isEmpty();
    assertThat(model.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
  }

  @Test
  void only_executed_tools_verify_the_tools() throws Exception {
    ReplayAgent agent = scope -> {
      scope.ask("gpt-5", "Hello?");
      scope.call("read_file", path(1));
    };
    Session session = recording(agent);
    ReplayPolicy policy = ReplayPolicy.of(ReplayMode.TOOLS_LIVE)
        .withAction(Effect.MODEL, ReplayAction.EXECUTE_AND_COMPARE);

    ReplayReport report = Replay.of(session)
        .policy(policy)
        .model((call, pieces) -> ModelResult.of(call.id(), "Hello"))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(report.divergencesByKind()).isEqualTo(Map.of("NOT_REEXECUTED", 1L));
  }

  @Test
  void a_difference_before_the_miss_at_which_a_replay_stops_is_the_root() throws Exception {
    ReplayAgent agent = scope ->
        scope.call("report", Map.of("text", scope.call("read_file", path(1)).toString()));
    Session session = record(
        directory.resolve("reported"),
        agent,
        Executors.none().withTool("read_file", echo()).withTool("report", echo()));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> "changed"))
        .run(agent);

    assertThat(report.divergencesByKind()).isEqualTo(Map.of("MISS", 1L, "OUTPUT", 1L));
    assertThat(report.root().kind()).isEqualTo("OUTPUT");
    assertThat(report.root().recordedLine()).isEqualTo(3L);
  }

  @Test
  void an_accepted_difference_does_not_hide_that_a_call_was_not_executed() throws Exception {
    ReplayAgent agent = scope -> {
      scope.call("read_file", path(1));
      scope.call("pay", path(2));
    };
    Session session = record(
        directory.resolve("paid"),
        agent,
        Executors.none().withTool("read_file", echo()).withTool("pay", echo()));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.FULL)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> "changed"))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.verdictIfAccepted()).isEqualTo(ReplayVerdict.UNVERIFIED);
  }

  /** An agent with a tool that calls another tool. */
  private static ReplayAgent nested(int file) {
    return scope ->
        scope.run("ask", Map.of(), () -> scope.agent("reader", null).call("read_file", path(file)));
  }

  @Test
  void a_miss_inside_a_call_that_fails_because_of_it_is_the_root() throws Exception {
    Session session = recording(nested(1));

    ReplayReport report = Replay.of(session)
        .policy(ReplayPolicy.of(ReplayMode.MOCK).withTool("ask", ReplayAction.EXECUTE_AND_COMPARE))
        .run(nested(2));

    assertThat(report.root().kind()).isEqualTo("MISS");
    assertThat(report.root().agent()).isEqualTo("reader");
    assertThat(report.divergences().stream().filter(each -> each.role() == Role.ROOT))
        .hasSize(1);
  }
}
