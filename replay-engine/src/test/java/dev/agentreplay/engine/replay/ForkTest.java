package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.Expectation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerifyPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Forks of a recording of the sample agent: six turns, each a model call and a tool call. */
class ForkTest {

  private static final int TURNS = 6;

  @TempDir
  Path directory;

  private final SampleAgent agent = new SampleAgent(TURNS);
  private Session session;
  private ForkPoints points;

  @BeforeEach
  void record() throws Exception {
    session = new SampleAgent(TURNS).record(directory.resolve("recorded"));
    points = ForkPoints.of(session);
  }

  private Path out() {
    return directory.resolve("fork");
  }

  private Replay fork(Fork fork) {
    return Replay.of(session).mode(ReplayMode.MOCK).fork(fork).directory(out());
  }

  private static Replay withExecutors(Replay replay, SampleAgent agent) {
    return replay
        .executors(agent.executors())
        .policy(replay.policy.withEffect("read_file", Effect.PURE));
  }

  /** The contents of all calls and results of a session, with their provenance. */
  private static List<String> contents(Session session) throws Exception {
    List<String> contents = new ArrayList<>();
    for (ReplayEvent event : TestRecordings.events(session)) {
      if (event.callId() != null) {
        contents.add("%s %s".formatted(event.kind().id(), event.content().hash()));
      }
    }
    return contents;
  }

  private static ReplayHeader header(Session session) throws Exception {
    return (ReplayHeader) Objects.requireNonNull(session.firstLine()).event();
  }

  static List<String> actions(Path directory) throws Exception {
    return TestRecordings.events(Session.open(directory)).stream()
        .filter(event -> event instanceof ToolResult || event instanceof ModelResult)
        .map(event -> Objects.requireNonNull(Provenance.of(event)).action())
        .toList();
  }

  static Stream<JsonValue> outputs(Path directory) throws Exception {
    return TestRecordings.events(Session.open(directory)).stream()
        .filter(ToolResult.class::isInstance)
        .map(event -> event.content().value());
  }

  @Test
  void a_session_can_be_forked_before_each_of_its_calls() {
    assertThat(points.possible()).hasSize(2 * TURNS).hasSameSizeAs(points.all());
    assertThat(points.all()).extracting(ForkPoint::files).startsWith(ForkPoint.Files.UNCHANGED);
  }

  @ParameterizedTest
  @EnumSource(
      value = ReplayMode.class,
      names = {"MOCK", "TOOLS_LIVE", "MODEL_LIVE", "FULL"})
  void an_unchanged_fork_at_each_point_is_identical_in_each_mode(ReplayMode mode) throws Exception {
    for (ForkPoint point : points.possible()) {
      Path out = directory.resolve("fork-" + point.line());

      ReplayReport report = withExecutors(
              Replay.of(session).mode(mode).fork(Fork.at(point.line())).directory(out), agent)
          .run(agent);

      String what = point.toString();
      assertThat(report.divergences()).as(what).isEmpty();
      assertThat(report.verdict()).as(what).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(contents(Session.open(out))).as(what).isEqualTo(contents(session));
      assertThat(report.fork().isReached()).as(what).isTrue();
      TestRecordings.requireClosedCounts(report);
    }
  }

  @Test
  void what_is_before_the_point_is_served_and_the_rest_is_executed() throws Exception {
    ForkPoint point = points.all().get(5);

    ReplayReport report =
        withExecutors(fork(Fork.at(point.line())).mode(ReplayMode.FULL), agent).run(agent);

    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(12, 5, 7, 0));
    assertThat(actions(out()))
        .containsExactly(
            "served",
            "served",
            "served",
            "served",
            "served",
            "executed",
            "executed",
            "executed",
            "executed",
            "executed",
            "executed",
            "executed");
    assertThat(report.notReexecuted()).isZero();
  }

  @Test
  void the_header_states_the_point_and_the_changes() throws Exception {
    ForkPoint point = points.all().get(3);
    Fork fork = Fork.at(point.line()).set("/output", JsonString.of("changed"));

    withExecutors(fork(fork), agent).run(agent);

    ForkOrigin origin = ForkOrigin.of(header(Session.open(out())));
    assertThat(origin.head()).isEqualTo(point.head());
    assertThat(origin.line()).isEqualTo(point.line());
    assertThat(origin.sessionId()).isEqualTo("sample");
    assertThat(origin.changes())
        .hasToString(
            "[{\"change\":\"set\",\"line\":9,\"pointer\":\"/output\",\"value\":\"changed\"}]");
    assertThat(header(Session.open(out())).replayOf().head().size()).isEqualTo(27);
  }

  @Test
  void a_changed_result_is_served_and_what_follows_from_it_is_executed() throws Exception {
    ForkPoint point = points.all().get(3); // the tool of the second turn
    Fork fork = Fork.at(point.line()).set("/output", JsonString.of("changed"));

    ReplayReport report = withExecutors(fork(fork), agent).run(agent);

    assertThat(outputs(out()).skip(1).findFirst()).contains(JsonString.of("changed"));
    assertThat(actions(out()))
        .containsExactly(
            "served",
            "served",
            "served",
            "changed",
            "executed",
            "served",
            "executed",
            "served",
            "executed",
            "served",
            "executed",
            "served");
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergences())
        .allSatisfy(each -> assertThat(each.recordedLine()).isGreaterThanOrEqualTo(point.line()));
    assertThat(report.root().recordedLine()).isEqualTo(point.line());
    TestRecordings.requireClosedCounts(report);
  }

  @Test
  void without_an_executor_a_request_that_differs_after_the_point_is_a_miss() throws Exception {
    ForkPoint point = points.all().get(3);
    Fork fork = Fork.at(point.line()).set("/output", JsonString.of("changed"));

    ReplayReport report = fork(fork).run(agent);

    assertThat(actions(out())).containsExactly("served", "served", "served", "changed", "missed");
    assertThat(report.divergences()).anyMatch(each -> each.kind().equals("MISS"));
  }

  @Test
  void a_changed_model_executes_each_model_call_after_the_point() throws Exception {
    ForkPoint point = points.all().get(4);

    ReplayReport report = withExecutors(fork(Fork.at(point.line()).withModel()), agent)
        .model((call, pieces) -> ModelResult.of(call.id(), "other"))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(actions(out()).subList(0, 4)).containsOnly("served");
    assertThat(actions(out()).subList(4, 12)).containsOnly("executed");
    assertThat(outputs(out()).skip(2)).containsOnly(JsonString.of("content of other"));
  }

  @Test
  void a_changed_tool_executes_only_the_tool() throws Exception {
    ForkPoint point = points.all().get(4);
    Executors tool = agent.executors();

    ReplayReport report = fork(Fork.at(point.line()).withTool("read_file"))
        .tool("read_file", Effect.PURE, Objects.requireNonNull(tool.tool("read_file")))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(12, 8, 4, 0));
  }

  @Test
  void an_edited_prompt_stays_edited_in_the_turns_that_follow() throws Exception {
    ForkPoint point = points.all().get(2); // the model call of the second turn
    Fork fork =
        Fork.at(point.line()).set("/prompt/messages/0/content", JsonString.of("Fix the logout."));

    ReplayReport report = withExecutors(fork(fork), agent).run(agent);

    List<String> tasks = TestRecordings.events(Session.open(out())).stream()
        .filter(ModelCall.class::isInstance)
        .map(event -> prompt(event).at("/messages/0/content").asString())
        .toList();
    assertThat(tasks).startsWith("Fix the login.", "Fix the logout.").hasSize(TURNS);
    assertThat(tasks.subList(1, TURNS)).containsOnly("Fix the logout.");
    assertThat(report.root().recordedLine()).isEqualTo(point.line());
    assertThat(report.root().kind()).isEqualTo("PROMPT");
  }

  private JsonValue prompt(ReplayEvent event) {
    try (var reader = Session.open(out()).readerWithFullPrompts()) {
      for (var line = reader.read(); line != null; line = reader.read()) {
        if (Objects.equals(line.event().callId(), event.callId())
            && line.event() instanceof ModelCall call) {
          return call.prompt().value();
        }
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    throw new AssertionError("no call " + event.callId());
  }

  @Test
  void edited_parameters_of_a_tool_are_executed() throws Exception {
    ForkPoint point = points.all().get(3);
    Fork fork = Fork.at(point.line()).set("/params/path", JsonString.of("other"));

    withExecutors(fork(fork), agent).run(agent);

    assertThat(outputs(out()).skip(1).findFirst()).contains(JsonString.of("content of other"));
  }

  @Test
  void an_agent_that_differs_before_the_point_does_not_reach_it() throws Exception {
    SampleAgent other = new SampleAgent(TURNS);
    other.task = "Fix the logout.";
    ForkPoint point = points.all().get(3);

    ReplayReport report = withExecutors(
            fork(Fork.at(point.line()).withModel()).onUnmatched(OnUnmatched.POSITION), other)
        .run(other);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.fork().isReached()).isFalse();
    assertThat(report.incomplete())
        .containsExactly("the point of the fork, line 9, was not reached");
    assertThat(other.executions).hasValue(0);
  }

  @Test
  void what_cannot_be_forked_is_refused_before_anything_runs() {
    long line = points.all().get(3).line();
    String[][] refused = {
      {"1000", "", "line 1000 is not the line of a call or value; the nearest possible: line 25"},
      {
        "" + (line + 1),
        "",
        "line 10 is not the line of a call or value; the nearest possible: line 9, 11"
      },
      {"" + line, "/prompt/system", "a call of a tool has no \"/prompt/system\""},
      {
        "" + line,
        "/output/x/y",
        "there is no place \"/output/x/y\": the string at \"/output\" has no \"x\""
      },
      {"" + line, "/value", "there is no nondeterministic value on line 9"},
      {"" + line, "/exit_code", "an exit code is an integer or null"},
      {"" + (line - 2), "/output", "the result of a model has no \"/output\""},
    };
    for (String[] each : refused) {
      Fork fork = Fork.at(Long.parseLong(each[0]));
      Fork changed = each[1].isEmpty() ? fork : fork.set(each[1], JsonString.of("x"));
      assertThatThrownBy(() -> fork(changed).run(agent))
          .as(each[0] + each[1])
          .isInstanceOf(ReplayRefusedException.class)
          .hasMessageContaining(each[2]);
    }
    assertThat(out()).doesNotExist();
  }

  @Test
  void tools_are_not_executed_on_files_that_are_not_known() throws Exception {
    long line = points.all().get(3).line();

    assertThatThrownBy(() -> fork(Fork.at(line).withTool("read_file"))
            .executors(agent.executors())
            .run(agent))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining(
            "there is no snapshot, and read_file on line 5 may have changed files");
    assertThat(agent.executions).hasValue(0);
  }

  /**
   * Edits three times with tools of its own; the second depends on the first, as the third does.
   */
  private record Editor(AtomicInteger runs) implements ReplayAgent {

    @Override
    public void run(AgentScope scope) throws Exception {
      JsonValue first = edit(scope, JsonValue.of("a"));
      edit(scope, edit(scope, first));
    }

    private JsonValue edit(AgentScope scope, JsonValue text) throws Exception {
      return scope.run("edit", JsonObject.of("text", text), () -> {
        runs.incrementAndGet();
        return text.asString() + "!";
      });
    }
  }

  private ReplayReport forkEditor(Editor editor, int point, String pointer) throws Exception {
    session = TestRecordings.record(directory.resolve("edits"), editor, Executors.none());
    editor.runs.set(0);
    long line = ForkPoints.of(session).all().get(point).line();
    return fork(Fork.at(line).set(pointer, JsonString.of("x")))
        .policy(ReplayPolicy.of(ReplayMode.MOCK).withEffect("edit", Effect.WRITES_WORKSPACE))
        .run(editor);
  }

  @Test
  void a_tool_of_the_agent_is_executed_after_a_change() throws Exception {
    Editor editor = new Editor(new AtomicInteger());

    forkEditor(editor, 0, "/output");

    assertThat(editor.runs).hasValue(2);
    assertThat(actions(out())).containsExactly("changed", "executed", "executed");
  }

  @Test
  void a_tool_of_the_agent_is_not_executed_on_files_that_are_not_known() throws Exception {
    Editor editor = new Editor(new AtomicInteger());

    ReplayReport report = forkEditor(editor, 1, "/output");

    assertThat(editor.runs).hasValue(0);
    assertThat(actions(out())).containsExactly("served", "changed", "missed");
    assertThat(report.missed()).isEqualTo(1);
  }

  @Test
  void a_changed_call_of_a_tool_needs_known_files() {
    Editor editor = new Editor(new AtomicInteger());

    assertThatThrownBy(() -> forkEditor(editor, 1, "/params/text"))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("there is no snapshot, and edit on line 3 may have changed files");
    assertThat(editor.runs).hasValue(0);
  }

  @Test
  void a_fork_without_an_agent_is_a_mistake_of_the_caller() {
    Fork fork = Fork.at(points.all().get(3).line());

    assertThatThrownBy(() -> Replay.of(session).mode(ReplayMode.NODE).fork(fork).run())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Fork.at(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> fork.set("/finish_reason", JsonString.of("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found \"/finish_reason\"");
  }

  /** An agent whose tool "delegate" runs another agent, which calls "echo" twice. */
  private static ReplayAgent delegating(int calls) {
    return scope -> {
      ToolCall delegate = ToolCall.of("d", "delegate", JsonObject.EMPTY);
      scope.execute(delegate, call -> {
        for (int i = 0; i < 2; i++) {
          scope.agent("helper", "d").call("echo", JsonObject.of("n", i));
        }
        return ToolResult.of(call.id(), "done");
      });
      for (int i = 0; i < calls; i++) {
        scope.call("echo", JsonObject.of("n", 10 + i));
      }
    };
  }

  @Test
  void an_agent_that_ended_before_the_point_need_not_run_again() throws Exception {
    session = TestRecordings.record(
        directory.resolve("agents"),
        delegating(2),
        Executors.none().withTool("echo", TestRecordings.echo()));
    List<ForkPoint> all = ForkPoints.of(session).all();
    assertThat(ForkPoints.of(session).possible()).hasSize(5);
    long last = all.get(4).line();
    assertThat(ForkPoints.of(session).agentsEndedBefore(last)).containsExactly("helper");

    ReplayReport report = fork(Fork.at(last)).run(delegating(2));

    assertThat(report.fork().isReached()).isTrue();
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(5, 3, 0, 2));
    assertThat(findings()).isEmpty();
  }

  @Test
  void an_agent_runs_again_if_the_policy_names_the_tool_that_starts_it() throws Exception {
    session = TestRecordings.record(
        directory.resolve("agents"),
        delegating(2),
        Executors.none().withTool("echo", TestRecordings.echo()));
    for (ForkPoint point : ForkPoints.of(session).possible()) {
      Path to = directory.resolve("agents-" + point.line());

      ReplayReport report = Replay.of(session)
          .policy(ReplayPolicy.of(ReplayMode.MOCK).withTool("delegate", ReplayAction.EXECUTE))
          .fork(Fork.at(point.line()))
          .directory(to)
          .run(delegating(2));

      assertThat(report.verdict()).as(point.toString()).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(findings(to)).isEmpty();
    }
  }

  private List<Finding> findings() throws Exception {
    return findings(out());
  }

  private List<Finding> findings(Path fork) throws Exception {
    VerifyPolicy policy = VerifyPolicy.defaults().expecting(Expectation.forkOf(session));
    return SessionVerifier.of(policy).verify(Session.open(fork)).findings();
  }

  @Test
  void a_lane_that_the_recording_does_not_have_is_not_after_the_point() throws Exception {
    AtomicInteger executed = new AtomicInteger();
    ReplayAgent ahead = scope -> {
      scope.agent("new", null).run("read_file", JsonObject.of("path", "x"), () -> {
        executed.incrementAndGet();
        return "x";
      });
      agent.run(scope);
    };

    ReplayReport report = withExecutors(fork(Fork.at(points.all().get(3).line())), agent)
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMillis(1)))
        .run(ahead);

    assertThat(executed).hasValue(0);
    assertThat(report.fork().isReached()).isFalse();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
  }

  @Test
  void lanes_of_several_threads_wait_for_each_other_at_the_point() throws Exception {
    ReplayAgent two = scope -> {
      CountDownLatch started = new CountDownLatch(1);
      AtomicReference<Exception> failure = new AtomicReference<>();
      Thread other = new Thread(() -> {
        try {
          started.await();
          scope.agent("slow", null).call("echo", JsonObject.of("n", 1));
        } catch (Exception e) {
          failure.set(e);
        }
      });
      other.start();
      if (scope.recorded() == null) { // so that the slow lane is before the point
        started.countDown();
        other.join();
      }
      started.countDown();
      scope.call("echo", JsonObject.of("n", 2));
      scope.call("echo", JsonObject.of("n", 3));
      other.join();
      assertThat(failure.get()).isNull();
    };
    session = TestRecordings.record(
        directory.resolve("two"), two, Executors.none().withTool("echo", TestRecordings.echo()));
    long last = ForkPoints.of(session).all().get(2).line();

    ReplayReport report = fork(Fork.at(last).set("/output", JsonObject.of("n", 3)))
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMinutes(1)))
        .run(two);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(findings()).isEmpty();
  }

  @Test
  void a_changed_call_of_an_external_tool_is_not_executed() {
    Fork fork = Fork.at(points.all().get(3).line()).set("/params/path", JsonString.of("other"));

    assertThatThrownBy(() -> fork(fork).executors(agent.executors()).run(agent))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("the changed call of read_file on line 9 is not executed");
  }

  @Test
  void a_tool_that_the_recording_does_not_have_is_refused() {
    Fork fork = Fork.at(points.all().get(3).line()).withTool("raed_file");

    assertThatThrownBy(() -> withExecutors(fork(fork), agent).run(agent))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("the recording has no tool \"raed_file\"");
  }

  @Test
  void a_changed_model_that_nothing_calls_leaves_the_fork_incomplete() throws Exception {
    long last = points.all().get(2 * TURNS - 1).line();

    ReplayReport report = withExecutors(fork(Fork.at(last).withModel()), agent).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .containsExactly("no model was called after the point of the fork, line " + last);
  }
}
