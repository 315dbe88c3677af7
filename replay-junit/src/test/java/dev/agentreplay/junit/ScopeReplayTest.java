package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayStoppedException;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Tests whose agents are replayed. The classes at the end are run by those above. */
class ScopeReplayTest {

  /** The number of methods with executors that were called. */
  private static final AtomicInteger CREATED = new AtomicInteger();

  /** The number of calls that were executed. */
  private static final AtomicInteger CALLS = new AtomicInteger();

  private final TestRun run;

  ScopeReplayTest(@TempDir Path root) {
    run = new TestRun(root);
  }

  @BeforeEach
  void record() throws IOException {
    CREATED.set(0);
    CALLS.set(0);
    ReviewAgent.record(run.recordings().resolve("reviews"));
  }

  private void passes(Class<?> test) {
    assertThat(TestRun.failures(run.of(test))).isEmpty();
  }

  private Throwable failure(Class<?> test) {
    List<Throwable> failures = TestRun.failures(run.of(test));
    assertThat(failures).hasSize(1);
    return failures.get(0);
  }

  @Test
  void same_requests_pass_and_nothing_is_executed() throws Exception {
    passes(Same.class);
    assertThat(CREATED).hasValue(0);
    assertThat(CALLS).hasValue(0);
    assertThat(TestRun.files(run.output().resolve(Same.class.getName()).resolve("test")))
        .contains("REPLAY.jsonl", "LEDGER.jsonl");
  }

  @Test
  void session_of_an_earlier_replay_is_replaced() {
    passes(Same.class);
    passes(Same.class);
  }

  @Test
  void changed_request_fails_with_the_values_and_the_command() throws Exception {
    Throwable failure = failure(Changed.class);
    assertThat(failure.getMessage().replaceAll("[0-9.]+ s\\b", "TIME"))
        .isEqualTo(
            """
        replay mismatch: replayed 0 of 3 exchanges in TIME (recorded: TIME)
          tool call read_file cannot be answered from the recording: it differs from what was recorded (DIVERGED)
            request: {"path":"b.txt"}
            nearest recorded request: line 3, first difference at /params/path
            - recorded  "a.txt"
            + actual    "b.txt"
        recorded: RECORDINGS/reviews/REPLAY.jsonl
        replay:   OUTPUT/dev.agentreplay.junit.ScopeReplayTest$Changed/test/REPLAY.jsonl
        to record it again: mvn test "-Dtest=dev.agentreplay.junit.ScopeReplayTest?Changed#test" \
        "-Dsurefire.failIfNoSpecifiedTests=false" "-Dreplay.recordings=RECORDINGS" "-Dreplay.update=all\""""
                .replace("RECORDINGS", run.recordings().toString())
                .replace("OUTPUT", run.output().toString()));
    assertThat(failure).isInstanceOf(AssertionFailedError.class);
    assertThat(failure.getCause()).isInstanceOf(ReplayMissException.class);
    AssertionFailedError error = (AssertionFailedError) failure;
    assertThat(error.getExpected().getStringRepresentation()).contains("a.txt");
    assertThat(error.getActual().getStringRepresentation()).contains("b.txt");
    assertThat(TestRun.files(run.published())).containsExactly("replay/report.html");
    assertThat(Files.readString(run.published().resolve("replay/report.html")))
        .contains("<title>Replay of reviews</title>", "\"kind\":\"MISS\"");
  }

  @Test
  void swallowed_exception_fails_with_the_report() {
    Throwable failure = failure(Swallowed.class);
    assertThat(failure)
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("/params/path")
        .hasMessageContaining("to record it again: mvn test ")
        .cause()
        .isInstanceOf(ReplayMissException.class)
        .satisfies(miss -> assertThat(miss.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(ReviewAgent.class.getName())));
  }

  @Test
  void annotation_of_a_parameter_is_enough() {
    assertThat(failure(OfParameter.class)).hasMessageStartingWith("replay mismatch: ");
  }

  @Test
  void exception_in_place_of_a_miss_is_the_cause_of_the_report() {
    assertThat(failure(Wrapped.class))
        .hasMessageStartingWith("replay mismatch: ")
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the agent failed");
    assertThat(failure(Wrapped.class)).hasNoSuppressedExceptions();
  }

  @Test
  void exception_that_the_agent_throws_after_a_miss_is_the_cause_of_the_report() {
    Throwable failure = failure(Unrelated.class);
    assertThat(failure).hasMessageStartingWith("replay mismatch: ").cause().hasMessage("no answer");
    assertThat(failure.getSuppressed()).singleElement().isInstanceOf(ReplayMissException.class);
  }

  @ParameterizedTest
  @ValueSource(classes = {Asserts.class, AssertsEarly.class})
  void assertion_that_fails_for_other_reasons_stays_the_failure(Class<?> test) {
    assertThat(failure(test)).hasMessage("2 is not 3").hasNoSuppressedExceptions();
  }

  @Test
  void assertion_that_fails_after_a_divergence_is_the_cause_of_the_report() {
    assertThat(failure(AssertsByPosition.class))
        .hasMessageStartingWith("replay mismatch: ")
        .cause()
        .hasMessage("2 is not 3");
  }

  @Test
  void request_that_was_not_recorded_fails() {
    assertThat(failure(Additional.class))
        .hasMessageStartingWith("replay mismatch: ")
        .hasMessageContaining("delete_file");
  }

  @Test
  void recorded_request_that_is_not_made_fails() {
    assertThat(failure(Fewer.class))
        .hasMessageStartingWith("replay mismatch: ")
        .hasMessageContaining("comment")
        .hasNoCause();
    assertThat(failure(Nothing.class))
        .hasMessageStartingWith("replay mismatch: ")
        .hasMessageContaining(
            "\n  no model and no tool was requested from the scope: is the agent built on it?\n");
    assertThat(failure(Fewer.class).getMessage()).doesNotContain("is the agent built on it?");
  }

  @Test
  void end_that_differs_fails() {
    assertThat(failure(Ends.class))
        .hasMessageStartingWith("replay mismatch: ")
        .hasMessageContaining("the session ended differently")
        .hasNoCause();
  }

  @Test
  void aborted_test_is_neither_passed_nor_failed() {
    EngineExecutionResults results = run.of(Aborted.class);
    assertThat(results.testEvents().aborted().count()).isEqualTo(1);
  }

  @Test
  void test_that_is_aborted_after_a_miss_fails() {
    assertThat(failure(AbortedAfterMiss.class))
        .hasMessageStartingWith("replay mismatch: ")
        .cause()
        .isInstanceOf(TestAbortedException.class);
  }

  @Test
  void unmatched_request_gets_the_exchange_at_its_place_if_the_annotation_says_so() {
    assertThat(failure(ByPosition.class))
        .hasMessageStartingWith("replay mismatch: ")
        .hasMessageContaining("a.txt")
        .hasMessageContaining("b.txt")
        .hasNoCause();
  }

  @Test
  void methods_before_replays_configure_them_from_the_outermost() {
    passes(Configured.class);
  }

  @Test
  void executors_are_created_for_modes_that_run_tools() {
    passes(ToolsLive.class);
    assertThat(CREATED).hasValue(1);
    assertThat(CALLS).hasValue(1); // comment has an external effect
  }

  @Test
  void tools_that_are_served_because_their_effects_are_not_declared_are_named() {
    assertThat(failure(Undeclared.class))
        .hasMessageContaining("NOT_REEXECUTED  read_file: 1 call served from the recording")
        .hasMessageEndingWith("\nto execute them, declare their effects in a @BeforeReplay method,"
            + " as in replay.policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE)"
            + ".withEffect(\"read_file\", Effect.PURE).withEffect(\"comment\", Effect.PURE))");
  }

  @Test
  void invocations_that_share_a_recording_are_advised_to_have_one_each() {
    assertThat(failure(Shared.class))
        .hasMessageContaining("\nall invocations of this test replay one recording: if their"
            + " requests differ, name it \"reviews-{index}\", and record with"
            + " replay.update=missing\n")
        .hasMessageContaining("\nto record it again: ");
    assertThat(failure(Changed.class).getMessage()).doesNotContain("{index}");
  }

  @Test
  void before_each_method_and_test_share_the_replay() {
    passes(Lifecycle.class);
  }

  @Test
  void miss_in_a_before_each_method_is_reported() {
    assertThat(failure(MissBefore.class))
        .hasMessageStartingWith("replay mismatch: ")
        .cause()
        .isInstanceOf(ReplayMissException.class);
  }

  @Test
  void replay_has_ended_in_an_after_each_method() {
    passes(After.class);
    assertThat(failure(UsesAfter.class))
        .hasMessage("an @AfterEach method made a request, but a replay ends with the test method")
        .cause()
        .isInstanceOf(ReplayStoppedException.class);
  }

  @Test
  void each_invocation_is_replayed() throws Exception {
    ReviewAgent.record(run.recordings().resolve("each-1"));
    ReviewAgent.record(run.recordings().resolve("each-2"));
    passes(Invocations.class);
    assertThat(TestRun.files(run.output().resolve(Invocations.class.getName())))
        .contains(
            "factory/REPLAY.jsonl",
            "parameterized/1/REPLAY.jsonl",
            "parameterized/2/REPLAY.jsonl",
            "repeated/1/REPLAY.jsonl",
            "repeated/2/REPLAY.jsonl");
  }

  @Test
  void nested_test_has_the_mode_and_the_recording_of_its_class() {
    passes(Outer.class);
  }

  @Test
  void parallel_tests_are_replayed_apart() {
    EngineExecutionResults results = run.builder(Parallel.class)
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
        .execute();
    assertThat(results.testEvents().succeeded().count()).isEqualTo(Parallel.TESTS / 2);
    assertThat(TestRun.failures(results)).hasSize(Parallel.TESTS / 2).allSatisfy(failure -> {
      assertThat(failure).hasMessageContaining("other.txt");
    });
  }

  @Test
  void damaged_recording_is_not_replayed() throws Exception {
    Path log = run.recordings().resolve("reviews").resolve(Session.LOG_NAME);
    Files.writeString(log, Files.readString(log).replace("login", "logout"));
    assertThat(failure(Same.class))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessageContaining("\nrestore it, as from version control; git must not convert its line"
            + " ends (-text in .gitattributes); replay verify " + log + " lists what is"
            + " wrong\n")
        .hasMessageContaining("\nto record it again: mvn test ");
  }

  @Test
  void scope_without_a_mode_is_an_error() {
    assertThat(failure(NoMode.class))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessage("an AgentScope replays a session: expected a mode, as in"
            + " @ReplaySession(value = \"reviews\", mode = ReplayMode.MOCK)");
  }

  @Test
  void mode_without_an_agent_is_an_error() {
    assertThat(failure(NodeMode.class))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessageEndingWith("expected MOCK, TOOLS_LIVE, MODEL_LIVE or FULL");
  }

  @Test
  void mode_without_a_scope_is_an_error() {
    assertThat(failure(NoScope.class)).hasMessageStartingWith("nothing can be replayed: ");
    assertThat(CALLS).hasValue(0);
  }

  @Test
  void scope_and_recorder_in_one_test_are_an_error() {
    for (Class<?> both : List.of(ScopeThenRecorder.class, RecorderThenScope.class)) {
      assertThat(failure(both))
          .isInstanceOf(ParameterResolutionException.class)
          .hasMessageContaining("expected no SessionRecorder");
    }
  }

  @Test
  void two_recordings_in_one_test_are_an_error() throws Exception {
    ReviewAgent.record(run.recordings().resolve("other"));
    assertThat(failure(TwoRecordings.class))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessageContaining("a test replays one recording");
  }

  @Test
  void scope_outside_of_a_test_is_an_error() {
    assertThat(failure(InConstructor.class))
        .hasMessageContaining("an AgentScope is created for each test");
  }

  @Test
  void hook_of_another_form_is_an_error() {
    assertThat(failure(BadHook.class))
        .hasMessageContaining(
            "expected a method that has a Replay as its only parameter, or a Replay and its");
  }

  @Test
  void recording_is_a_parameter_as_well() {
    passes(WithRecording.class);
  }

  /** An agent that asks a second one, in the lane of the call. */
  private static void delegate(AgentScope scope) throws Exception {
    scope.execute(ToolCall.of("call-ask", "ask", JsonObject.of("topic", "bees")), call -> {
      scope.agent("helper", call.id()).run("read_file", JsonObject.of("path", "a"), () -> "bees");
      return ToolResult.of(call.id(), "they fly");
    });
  }

  @Test
  void agent_whose_call_was_served_is_named_with_the_remedy() throws Exception {
    Path recording = run.recordings().resolve("delegates");
    try (SessionRecorder recorder = SessionRecorder.start(recording, "delegates")) {
      delegate(AgentScope.recording(recorder, Executors.none()));
      recorder.end(Status.SUCCESS);
    }

    assertThat(failure(Delegates.class))
        .hasMessageContaining("agents: ask on line 3 was served")
        .hasMessageContaining("did not run: helper;")
        .hasMessageContaining("ReplayPolicy.withTool(\"ask\", ReplayAction.EXECUTE)");
    passes(DelegatesToRunning.class);
  }

  static class Delegates {
    @Test
    @ReplaySession(value = "delegates", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      delegate(scope);
    }
  }

  static class DelegatesToRunning extends Delegates {
    @BeforeReplay
    static void configure(Replay replay) {
      replay.policy(ReplayPolicy.of(ReplayMode.MOCK).withTool("ask", ReplayAction.EXECUTE));
    }
  }

  static class Same {
    @ReplayExecutors
    static Executors live() {
      CREATED.incrementAndGet();
      return Executors.none();
    }

    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }
  }

  @ExtendWith(ReviewAgent.Environment.class)
  static class Changed {
    @ReplayExecutors
    static Executors live() {
      return Executors.none();
    }

    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope, "b.txt");
    }
  }

  static class Swallowed {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {
      assertThatThrownBy(() -> ReviewAgent.review(scope, "b.txt")).isNotNull();
    }
  }

  static class OfParameter {
    @Test
    void test(@ReplaySession(value = "reviews", mode = ReplayMode.MOCK) AgentScope scope) {
      assertThatThrownBy(() -> ReviewAgent.review(scope, "b.txt")).isNotNull();
    }
  }

  static class Wrapped {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {
      try {
        ReviewAgent.review(scope, "b.txt");
      } catch (Exception e) {
        throw new IllegalStateException("the agent failed", e);
      }
    }
  }

  static class Unrelated {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {
      assertThatThrownBy(() -> ReviewAgent.review(scope, "b.txt")).isNotNull();
      throw new IllegalStateException("no answer");
    }
  }

  static class Asserts {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
      throw new AssertionError("2 is not 3");
    }
  }

  static class AssertsEarly {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      scope.call("read_file", JsonObject.of("path", "a.txt"));
      throw new AssertionError("2 is not 3");
    }
  }

  static class AssertsByPosition {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK, onUnmatched = OnUnmatched.POSITION)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope, "b.txt");
      throw new AssertionError("2 is not 3");
    }
  }

  static class Additional {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
      scope.call("delete_file", JsonObject.of("path", "a.txt"));
    }
  }

  static class Fewer {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      scope.call("read_file", JsonObject.of("path", "a.txt"));
      scope.ask(ReviewAgent.MODEL, "Review this: fn login() {}");
    }
  }

  static class Nothing {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {}
  }

  static class Ends {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
      scope.end(SessionEnd.of(Status.FAILED));
    }
  }

  static class Aborted {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      scope.call("read_file", JsonObject.of("path", "a.txt"));
      assumeTrue(false);
    }
  }

  static class AbortedAfterMiss {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {
      assertThatThrownBy(() -> ReviewAgent.review(scope, "b.txt")).isNotNull();
      assumeTrue(false);
    }
  }

  static class ByPosition {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK, onUnmatched = OnUnmatched.POSITION)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope, "b.txt");
    }
  }

  @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
  static class Configured {
    private String path = "/tmp/x/a.txt";

    @BeforeReplay
    void configure(Replay replay) {
      path = "a.txt";
    }

    @Nested
    class Inner {
      @BeforeReplay
      void configure(Replay replay) {
        assertThat(path).isEqualTo("a.txt");
        replay.comparison(
            ReplayAssertions.ignoring(Normalizer.pattern("file", "[ab]\\.txt", "FILE")));
      }

      @Test
      void test(AgentScope scope) throws Exception {
        ReviewAgent.review(scope, "b.txt");
      }
    }
  }

  static class ToolsLive {
    @ReplayExecutors
    Executors live() {
      CREATED.incrementAndGet();
      return ReviewAgent.executors(CALLS, "not called");
    }

    @BeforeReplay
    static void effects(Replay replay) {
      replay.tool("read_file", Effect.PURE, ToolExecutor.of(params -> {
        CALLS.incrementAndGet();
        return "fn login() {}";
      }));
    }

    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.TOOLS_LIVE)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }
  }

  static class Undeclared {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.TOOLS_LIVE)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }
  }

  static class Shared {
    @ParameterizedTest
    @ValueSource(strings = {"a.txt", "b.txt"})
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(String path, AgentScope scope) throws Exception {
      ReviewAgent.review(scope, path);
    }
  }

  static class Lifecycle {
    @BeforeEach
    void read(AgentScope scope) throws Exception {
      scope.call("read_file", JsonObject.of("path", "a.txt"));
    }

    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      scope.ask(ReviewAgent.MODEL, "Review this: fn login() {}");
      scope.call("comment", JsonObject.of("text", "it is empty"));
    }
  }

  @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
  static class MissBefore {
    @BeforeEach
    void read(AgentScope scope) throws Exception {
      scope.call("read_file", JsonObject.of("path", "b.txt"));
    }

    @Test
    void test() {}
  }

  @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
  static class After {
    @Test
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }

    @AfterEach
    void ended(AgentScope scope) {
      assertThatThrownBy(() -> ReviewAgent.review(scope))
          .isInstanceOf(ReplayStoppedException.class);
    }
  }

  @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
  static class UsesAfter {
    @Test
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }

    @AfterEach
    void ended(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }
  }

  static class Invocations {
    @RepeatedTest(2)
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void repeated(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }

    @TestFactory
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    Stream<DynamicTest> factory(AgentScope scope) {
      return Stream.of(DynamicTest.dynamicTest("review", () -> ReviewAgent.review(scope)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.txt", "a.txt"})
    @ReplaySession(value = "each-{index}", mode = ReplayMode.MOCK)
    void parameterized(String path, AgentScope scope) throws Exception {
      ReviewAgent.review(scope, path);
    }
  }

  @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
  static class Outer {
    @Nested
    class Inner {
      @Test
      void test(AgentScope scope) throws Exception {
        ReviewAgent.review(scope);
      }

      @Nested
      @ReplaySession
      class Innermost {
        @Test
        @ReplaySession(onUnmatched = OnUnmatched.ERROR)
        void test(AgentScope scope) throws Exception {
          ReviewAgent.review(scope);
        }
      }
    }
  }

  static class Parallel {
    static final int TESTS = 32;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    @RepeatedTest(TESTS)
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope, NUMBER.getAndIncrement() % 2 == 0 ? "a.txt" : "other.txt");
    }
  }

  static class NoMode {
    @Test
    @ReplaySession("reviews")
    void test(AgentScope scope) {}
  }

  static class NodeMode {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.NODE)
    void test(AgentScope scope) {}
  }

  static class NoScope {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(Session recording) {
      CALLS.incrementAndGet();
    }
  }

  @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
  static class ScopeThenRecorder {
    @Test
    void test(AgentScope scope, SessionRecorder recorder) {}
  }

  @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
  static class RecorderThenScope {
    @Test
    void test(SessionRecorder recorder, AgentScope scope) {}
  }

  @ReplaySession(mode = ReplayMode.MOCK)
  static class TwoRecordings {
    @Test
    void test(
        @ReplaySession("reviews") AgentScope scope, @ReplaySession("other") AgentScope other) {}
  }

  @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
  static class InConstructor {
    InConstructor(AgentScope scope) {}

    @Test
    void test() {}
  }

  static class BadHook {
    @BeforeReplay
    void configure() {}

    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {}
  }

  static class WithRecording {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(Session recording, AgentScope scope) throws Exception {
      ReplayAssertions.assertThat(recording).hasToolCalls("read_file", "comment");
      ReviewAgent.review(scope);
    }
  }
}
