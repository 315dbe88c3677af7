package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.ParameterCheck.Fault;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parameters of the tools that a fork executes are checked, whatever its mode. */
class ForkParameterCheckTest {

  private static final JsonObject SCHEMA = JsonObject.of("type", "object");

  @TempDir
  Path directory;

  private Session session;
  private final SampleAgent agent = new SampleAgent(3);
  private final List<JsonValue> compiled = Collections.synchronizedList(new ArrayList<>());
  private final List<JsonValue> checked = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void record() throws Exception {
    session = new SampleAgent(3)
        .record(
            directory.resolve("recorded"),
            RecorderOptions.defaults()
                .withCircumstances(Circumstances.defaults()
                    .withTool(ToolDescription.of("read_file").withSchema(SCHEMA))
                    .withTool(ToolDescription.of("never_called").withSchema(SCHEMA))));
  }

  /** Refuses each path but the recorded ones. */
  private List<Fault> check(JsonValue params) {
    checked.add(params);
    return params.at("/path").asString().startsWith("file-")
        ? List.of()
        : List.of(new Fault("/path", "pattern", "is not a file"));
  }

  private ParameterCheck compile(JsonValue schema) {
    compiled.add(schema);
    return this::check;
  }

  /** A fork at the call of the tool in the second turn. */
  private Fork fork() throws Exception {
    return Fork.at(ForkPoints.of(session).all().get(3).line());
  }

  private Replay replay(ReplayMode mode, Fork fork) {
    return Replay.of(session)
        .policy(ReplayPolicy.of(mode).withEffect("read_file", Effect.PURE))
        .executors(agent.executors())
        .fork(fork);
  }

  private void requireRefused(ReplayReport report) {
    assertThat(report.failure())
        .isInstanceOf(ExchangeRefusedException.class)
        .hasMessage("tool read_file is not executed, because its parameters do not fit:"
            + " at /path: is not a file (pattern)");
    assertThat(report.divergencesByKind()).containsEntry("REFUSED", 1L);
    assertThat(agent.executions).hasValue(0);
    assertThat(checked).containsExactly(JsonObject.of("path", "other"));
  }

  @Test
  void a_changed_call_is_checked_by_the_recorded_schema() throws Exception {
    Fork changed = fork().set("/params/path", JsonString.of("other"));

    requireRefused(
        replay(ReplayMode.MOCK, changed).recordedSchemas(this::compile).run(agent));
    assertThat(compiled).containsExactly(SCHEMA);
  }

  @Test
  void a_changed_call_is_checked_by_the_given_check() throws Exception {
    Fork changed = fork().set("/params/path", JsonString.of("other"));

    requireRefused(
        replay(ReplayMode.MOCK, changed).check("read_file", this::check).run(agent));
  }

  @Test
  void a_call_that_follows_from_a_change_is_checked() throws Exception {
    long answer = ForkPoints.of(session).all().get(2).line();

    requireRefused(replay(ReplayMode.MOCK, Fork.at(answer).set("/answer", JsonString.of("other")))
        .recordedSchemas(this::compile)
        .run(agent));
  }

  @Test
  void a_tool_that_the_fork_executes_is_checked_whatever_its_effect() throws Exception {
    ReplayReport report = replay(ReplayMode.MOCK, fork().withTool("read_file"))
        .recordedSchemas(this::compile)
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(agent.executions).hasValue(2);
    assertThat(compiled).containsExactly(SCHEMA);
    assertThat(checked).hasSize(2); // not the first, which is before the point
  }

  @Test
  void calls_that_are_served_are_not_checked() throws Exception {
    ReplayReport report =
        replay(ReplayMode.MOCK, fork()).check("read_file", this::check).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(checked).isEmpty();
  }

  @Test
  void calls_before_the_point_are_not_checked_in_a_mode_that_executes() throws Exception {
    ReplayReport report =
        replay(ReplayMode.FULL, fork()).check("read_file", this::check).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(checked).hasSize(2);
  }

  @Test
  void schemas_of_tools_that_a_fork_never_executes_are_not_compiled() throws Exception {
    Replay.of(session)
        .mode(ReplayMode.MOCK)
        .recordedSchemas(this::compile)
        .fork(fork())
        .run(agent);

    assertThat(compiled).isEmpty();
  }

  @Test
  void a_check_that_is_cut_off_by_an_abort_is_not_a_difference() throws Exception {
    ReplayControl control = new ReplayControl();

    ReplayReport report = replay(ReplayMode.FULL, fork())
        .control(control)
        .check("read_file", params -> {
          control.abort("enough");
          try {
            Thread.sleep(Long.MAX_VALUE);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return List.of();
        })
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.divergencesByKind()).doesNotContainKey("REFUSED");
    assertThat(agent.executions).hasValue(0);
  }
}
