package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.ParameterCheck.Fault;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.failure.RecordedFailureException;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters of tools are checked before a tool is executed. */
class ParameterCheckTest {

  /** A schema of which the compiler of this test knows that nothing fits it. */
  private static final JsonObject NOTHING = JsonObject.of("not", JsonObject.EMPTY);

  private static final JsonObject ANYTHING = JsonObject.EMPTY;

  @TempDir
  Path directory;

  private Session session;
  private final SampleAgent agent = new SampleAgent(2);
  private final List<JsonValue> compiled = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void record() throws Exception {
    session = new SampleAgent(2).record(directory.resolve("recorded"));
  }

  private Replay replay(Session recording) {
    return Replay.of(recording)
        .executors(agent.executors())
        .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("read_file", Effect.PURE));
  }

  private static List<Fault> refuse(JsonValue params) {
    return List.of(new Fault("/path", "type", "integer expected, found " + params.at("/path")));
  }

  private ParameterCheck compile(JsonValue schema) {
    compiled.add(schema);
    if (schema.equals(JsonObject.of("type", 1))) {
      throw new IllegalArgumentException("is not valid: at /type");
    }
    return schema.equals(NOTHING) ? ParameterCheckTest::refuse : params -> List.of();
  }

  @Test
  void call_whose_parameters_fit_is_executed() throws Exception {
    List<JsonValue> checked = Collections.synchronizedList(new ArrayList<>());

    ReplayReport report = replay(session)
        .check("read_file", params -> {
          checked.add(params);
          return List.of();
        })
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(agent.executions).hasValue(2);
    assertThat(checked)
        .containsExactly(JsonObject.of("path", "file-1"), JsonObject.of("path", "file-3"));
  }

  @Test
  void call_whose_parameters_do_not_fit_is_refused_and_not_executed() throws Exception {
    List<LedgerEntry> entries = Collections.synchronizedList(new ArrayList<>());
    agent.swallows = true;

    ReplayReport report = replay(session)
        .check("read_file", ParameterCheckTest::refuse)
        .listener(new ReplayListener() {
          @Override
          public void exchange(LedgerEntry entry) {
            entries.add(entry);
          }
        })
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(agent.executions).hasValue(0);
    assertThat(report.divergencesByKind()).containsKey("REFUSED");
    LedgerEntry refused = entries.stream()
        .filter(entry -> entry.name().equals("read_file"))
        .findFirst()
        .orElseThrow();
    assertThat(refused.result()).isEqualTo(LedgerEntry.Result.REFUSED);
    assertThat(refused.message())
        .isEqualTo("tool read_file is not executed, because its parameters do not fit:"
            + " at /path: integer expected, found \"file-1\" (type)");
  }

  @Test
  void agent_gets_an_exception() throws Exception {
    ReplayReport report =
        replay(session).check("read_file", ParameterCheckTest::refuse).run(agent);

    assertThat(report.failure()).isInstanceOf(ExchangeRefusedException.class);
  }

  @Test
  void code_that_the_agent_brings_is_not_executed_either() throws Exception {
    AtomicInteger runs = new AtomicInteger();

    replay(session)
        .check("read_file", ParameterCheckTest::refuse)
        .run(scope -> scope.run("read_file", Map.of("path", "a"), runs::incrementAndGet));

    assertThat(runs).hasValue(0);
  }

  @Test
  void recorded_calls_that_are_issued_without_an_agent_are_checked() throws Exception {
    ReplayReport report = Replay.of(session)
        .executors(agent.executors())
        .policy(ReplayPolicy.of(ReplayMode.NODE).withEffect("read_file", Effect.PURE))
        .check("read_file", ParameterCheckTest::refuse)
        .run();

    assertThat(report.divergencesByKind()).containsEntry("REFUSED", 2L);
    assertThat(agent.executions).hasValue(2); // the models
  }

  @Test
  void call_that_is_served_is_not_checked() throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .check("read_file", ParameterCheckTest::refuse)
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void check_that_fails_refuses_the_call() throws Exception {
    ReplayReport report = replay(session)
        .check("read_file", params -> {
          throw new IllegalArgumentException("the pattern takes too many steps");
        })
        .run(agent);

    assertThat(agent.executions).hasValue(0);
    assertThat(report.failure())
        .hasMessage("tool read_file is not executed, because its parameters cannot be checked:"
            + " the pattern takes too many steps");
  }

  @Test
  void check_that_overflows_the_stack_refuses_the_call() throws Exception {
    ReplayReport report = replay(session)
        .check("read_file", params -> {
          throw new StackOverflowError();
        })
        .run(agent);

    assertThat(agent.executions).hasValue(0);
    assertThat(report.failure())
        .isInstanceOf(ExchangeRefusedException.class)
        .hasMessageContaining("cannot be checked: ");
  }

  @Test
  void abort_ends_a_check_that_hangs() throws Exception {
    ReplayControl control = new ReplayControl();

    ReplayReport report = replay(session)
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
    assertThat(agent.executions).hasValue(0);
  }

  @Test
  void message_names_three_faults_and_is_bounded() throws Exception {
    Fault fault = new Fault("", "required", "x".repeat(10_000));

    ReplayReport report = replay(session)
        .check("read_file", params -> Collections.nCopies(5, fault))
        .run(agent);

    assertThat(report.failure().getMessage())
        .endsWith(" (required); and 2 more")
        .hasSizeLessThan(1_200);
  }

  @Test
  void recording_refuses_and_records_the_refusal() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Path recorded = directory.resolve("checked");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "checked")) {
      AgentScope scope = AgentScope.recording(
          recorder,
          Executors.none()
              .withTool("t", ToolExecutor.of(runs::incrementAndGet))
              .withCheck("t", ParameterCheckTest::refuse));
      assertThatThrownBy(() -> scope.call("t", Map.of("path", "a")))
          .isInstanceOf(ExchangeRefusedException.class);
      scope.end(SessionEnd.of(Status.FAILED));
    }

    assertThat(runs).hasValue(0);
    assertThat(Replay.of(Session.open(recorded))
            .mode(ReplayMode.MOCK)
            .run(scope -> {
              assertThatThrownBy(() -> scope.call("t", Map.of("path", "a")))
                  .isInstanceOf(RecordedFailureException.class);
              scope.end(SessionEnd.of(Status.FAILED));
            })
            .verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @ParameterizedTest
  @EnumSource(names = {"MOCK", "TOOLS_LIVE", "FULL"})
  void refusal_that_was_recorded_is_not_a_difference(ReplayMode mode) throws Exception {
    Executors executors = agent.executors().withCheck("read_file", ParameterCheckTest::refuse);
    ReplayAgent swallowing = scope -> {
      assertThatThrownBy(() -> scope.call("read_file", Map.of("path", "a")));
    };
    Session recorded = TestRecordings.record(directory.resolve("refused"), swallowing, executors);

    ReplayReport report = Replay.of(recorded)
        .executors(executors)
        .policy(ReplayPolicy.of(mode).withEffect("read_file", Effect.PURE))
        .run(swallowing);

    assertThat(agent.executions).hasValue(0);
    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges().unread()).isZero();
    TestRecordings.requireClosedCounts(report);
  }

  @Test
  void refusal_for_a_different_reason_than_the_recorded_one_diverges() throws Exception {
    ReplayAgent swallowing =
        scope -> assertThatThrownBy(() -> scope.call("read_file", Map.of("path", "a")));
    Session recorded = TestRecordings.record(
        directory.resolve("refused"),
        swallowing,
        agent.executors().withCheck("read_file", ParameterCheckTest::refuse));

    ReplayReport report = replay(recorded)
        .check("read_file", params -> List.of(new Fault("/path", "maxLength", "too long")))
        .run(swallowing);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsOnly(Map.entry("REFUSED", 1L));
  }

  private Session withSettings(JsonValue schema) throws Exception {
    return new SampleAgent(2)
        .record(
            directory.resolve("declared"),
            RecorderOptions.defaults()
                .withCircumstances(Circumstances.defaults()
                    .withTool(ToolDescription.of("read_file").withSchema(schema))));
  }

  @Test
  void schema_in_recorded_settings_is_used() throws Exception {
    ReplayReport report =
        replay(withSettings(NOTHING)).recordedSchemas(this::compile).run(agent);

    assertThat(report.failure()).isInstanceOf(ExchangeRefusedException.class);
    assertThat(agent.executions).hasValue(0);
  }

  @Test
  void recorded_schema_is_not_used_without_a_compiler() throws Exception {
    ReplayReport report = replay(withSettings(NOTHING)).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void given_check_replaces_the_recorded_schema() throws Exception {
    ReplayReport report = replay(withSettings(NOTHING))
        .recordedSchemas(this::compile)
        .check("read_file", params -> List.of())
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(compiled).isEmpty();
  }

  @Test
  void recorded_schema_that_is_not_valid_is_a_circumstance() throws Exception {
    ReplayReport report = replay(withSettings(JsonObject.of("type", 1)))
        .recordedSchemas(this::compile)
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.circumstances())
        .filteredOn(each -> each.name().equals("schema"))
        .extracting(Circumstance::message)
        .containsExactly("the parameters of read_file are not checked: its recorded schema"
            + " is not valid: at /type");
  }

  @Test
  void recorded_schemas_of_tools_that_are_not_executed_are_not_compiled() throws Exception {
    Replay.of(withSettings(JsonObject.of("type", 1)))
        .mode(ReplayMode.MOCK)
        .recordedSchemas(this::compile)
        .run(agent);

    assertThat(compiled).isEmpty();
  }

  private Session withPrompts(String... tools) throws Exception {
    Path recorded = directory.resolve("prompts");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "prompts")) {
      AgentScope scope = AgentScope.recording(
          recorder, agent.executors().withModel((call, pieces) -> ModelResult.of(call.id(), "a")));
      for (String each : tools) {
        scope.ask(
            "m", JsonText.parse("{\"messages\":[\"Hi\"],\"context\":{\"tools\":" + each + "}}"));
      }
      scope.call("read_file", Map.of("path", "a"));
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    agent.executions.set(0);
    return Session.open(recorded);
  }

  private ReplayReport node(Session recording) throws Exception {
    return Replay.of(recording)
        .executors(agent.executors())
        .policy(ReplayPolicy.of(ReplayMode.NODE).withEffect("read_file", Effect.PURE))
        .recordedSchemas(this::compile)
        .run();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"name\":\"read_file\",\"schema\":{\"not\":{}}}]",
        "[{\"name\":\"read_file\",\"parameters\":{\"not\":{}}}]",
        "[{\"name\":\"read_file\",\"input_schema\":{\"not\":{}}}]",
        "[{\"name\":\"read_file\",\"inputSchema\":{\"not\":{}}}]",
        "[{\"type\":\"function\",\"function\":{\"name\":\"read_file\",\"parameters\":{\"not\":{}}}}]"
      })
  void schema_in_a_recorded_prompt_is_used(String tools) throws Exception {
    ReplayReport report = node(withPrompts(tools));

    assertThat(compiled).containsExactly(NOTHING);
    assertThat(report.divergencesByKind()).containsEntry("REFUSED", 1L);
  }

  @Test
  void tool_with_several_recorded_schemas_needs_to_fit_one() throws Exception {
    ReplayReport report = node(withPrompts(
        "[{\"name\":\"read_file\",\"parameters\":{\"not\":{}}}]",
        "[{\"name\":\"read_file\",\"parameters\":{}}]"));

    assertThat(compiled).containsExactly(NOTHING, ANYTHING);
    assertThat(report.divergencesByKind()).doesNotContainKey("REFUSED");
    assertThat(agent.executions).hasValue(3); // with two models
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "[1]",
        "[{\"name\":1,\"parameters\":{\"not\":{}}}]",
        "[{\"name\":\"read_file\"}]",
        "[{\"name\":\"read_file\",\"parameters\":null}]",
        "\"read_file\""
      })
  void prompt_without_schemas_has_none(String tools) throws Exception {
    ReplayReport report = node(withPrompts(tools));

    assertThat(compiled).isEmpty();
    assertThat(report.divergencesByKind()).doesNotContainKey("REFUSED");
  }
}
