package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.failure.RecordedFailureException;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tools and models that fail, or return what has no JSON form: in a replay as when recorded. */
class ReplayedFailuresTest {

  private static final JsonObject PARAMS = JsonObject.of("path", "a.txt");

  @TempDir
  Path directory;

  private final List<@Nullable Object> seen = new ArrayList<>();

  /** Sees the output of the tool, or its exception. */
  private final ReplayAgent agent = scope -> {
    seen.add(null);
    Throwable thrown =
        catchThrowable(() -> seen.set(seen.size() - 1, scope.call("read_file", PARAMS)));
    if (thrown != null) {
      seen.set(seen.size() - 1, thrown);
    }
  };

  private Session record(ToolExecutor tool) throws Exception {
    Session session = TestRecordings.record(
        directory.resolve("recorded"), agent, Executors.none().withTool("read_file", tool));
    seen.clear();
    return session;
  }

  private ReplayReport mock(Session session) throws Exception {
    return checked(Replay.of(session).mode(ReplayMode.MOCK).run(agent));
  }

  private ReplayReport live(Session session, ToolExecutor tool) throws Exception {
    return checked(Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, tool)
        .run(agent));
  }

  private static ReplayReport checked(ReplayReport report) {
    requireClosedCounts(report);
    assertThat(report.failure()).isNull();
    return report;
  }

  private static ToolExecutor throwing(Throwable thrown) {
    return call -> {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (Exception) thrown;
    };
  }

  @Test
  void a_recorded_exception_of_the_jdk_is_thrown_as_it_was() throws Exception {
    Session session = record(throwing(new FileNotFoundException("a.txt")));

    ReplayReport report = mock(session);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat((Throwable) seen.get(0))
        .isExactlyInstanceOf(FileNotFoundException.class)
        .hasMessage("a.txt")
        .hasNoCause();
  }

  /** An exception of an agent's own. */
  private static final class Overloaded extends Exception {
    private static final long serialVersionUID = 1L;

    private Overloaded(String message, Throwable cause) {
      super(message, cause);
    }
  }

  @Test
  void a_recorded_exception_of_a_different_class_has_its_name_message_and_cause() throws Exception {
    Session session = record(throwing(new Overloaded("busy", new IOException("reset"))));

    assertThat(mock(session).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);

    RecordedFailureException thrown = (RecordedFailureException) seen.get(0);
    assertThat(thrown).hasMessage("busy").hasToString(Overloaded.class.getName() + ": busy");
    assertThat(thrown.name()).isEqualTo(Overloaded.class.getName());
    assertThat(thrown.getCause()).isExactlyInstanceOf(IOException.class).hasMessage("reset");
  }

  @Test
  void an_agent_that_reports_a_failure_and_tries_again_is_identical() throws Exception {
    ReplayAgent reporting = scope -> {
      for (int attempt = 0; attempt < 2; attempt++) {
        String text;
        try {
          text = scope
              .run("read", PARAMS, () -> {
                throw new NoSuchFileException("a.txt", null, "deleted");
              })
              .asString();
        } catch (NoSuchFileException e) {
          text = e.getMessage() + ", " + e;
        }
        scope.run("report", JsonObject.of("text", text), () -> "ok");
      }
    };
    Session session =
        TestRecordings.record(directory.resolve("reported"), reporting, Executors.none());

    ReplayReport report = checked(Replay.of(session).mode(ReplayMode.MOCK).run(reporting));

    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges().executed()).isZero();
  }

  @Test
  void a_tool_that_fails_again_is_identical_and_throws_its_exception() throws Exception {
    Session session = record(throwing(new FileNotFoundException("a.txt")));

    ReplayReport report = live(session, throwing(new FileNotFoundException("a.txt")));

    assertThat(seen.get(0)).isInstanceOf(FileNotFoundException.class);
    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_tool_that_fails_differently_diverges_in_its_outcome() throws Exception {
    Session session = record(throwing(new FileNotFoundException("a.txt")));

    assertThat(live(session, throwing(new IllegalStateException("a.txt"))).divergencesByKind())
        .containsOnlyKeys("OUTCOME");
    assertThat(live(session, TestRecordings.echo()).divergencesByKind())
        .containsOnlyKeys("OUTCOME");
  }

  @Test
  void a_tool_that_no_longer_fails_diverges_whatever_the_agent_does() throws Exception {
    Session session = record(TestRecordings.echo());

    ReplayReport report = live(session, throwing(new FileNotFoundException("a.txt")));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsOnlyKeys("OUTCOME");
  }

  @Test
  void an_error_is_recorded_and_thrown_as_a_failure() throws Exception {
    Session session = record(throwing(new StackOverflowError("deep")));

    assertThat(mock(session).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(seen.get(0)).isInstanceOf(RecordedFailureException.class);
    assertThat(live(session, throwing(new StackOverflowError("deep"))).verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(seen.get(1))
        .isInstanceOf(ExecutionException.class)
        .extracting(thrown -> ((Throwable) thrown).getCause())
        .isInstanceOf(StackOverflowError.class);
  }

  @Test
  void null_is_an_output() throws Exception {
    Session session = record(ToolExecutor.of(params -> null));

    assertThat(mock(session).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(live(session, ToolExecutor.of(params -> null)).verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(seen).containsExactly(JsonNull.NULL, JsonNull.NULL);
    assertThat(live(session, ToolExecutor.of(params -> "")).divergencesByKind())
        .containsOnlyKeys("OUTPUT");
  }

  /** A value without a JSON form. */
  private static final class Opaque {
    @Override
    public String toString() {
      return "opaque";
    }
  }

  @Test
  void a_value_without_a_json_form_is_the_same_for_the_agent_in_each_run() throws Exception {
    ToolExecutor opaque = ToolExecutor.of(params -> List.of(1, new Opaque(), Double.NaN, "\uD800"));
    Session session = record(opaque);

    ReplayReport mock = mock(session);
    ReplayReport live = live(session, opaque);

    assertThat(mock.divergences()).isEmpty();
    assertThat(mock.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(live.divergences()).isEmpty();
    assertThat(live.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(seen.get(0)).isEqualTo(seen.get(1));
    assertThat(seen.get(0).toString()).contains("opaque");
  }

  @Test
  void an_exit_code_is_returned_and_compared() throws Exception {
    ToolExecutor failing =
        call -> ToolResult.of(call.id(), "no such file").withOutcome(Outcome.exit(2));
    Session session = record(failing);

    assertThat(mock(session).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(live(session, failing).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    ToolExecutor other =
        call -> ToolResult.of(call.id(), "no such file").withOutcome(Outcome.exit(3));
    assertThat(live(session, other).divergencesByKind()).containsOnlyKeys("OUTCOME");
  }

  @Test
  void a_result_with_the_id_of_a_different_call_answers_its_own_call() throws Exception {
    ToolExecutor confused = call -> ToolResult.of("call-77", call.params().value());
    Session session = record(confused);

    assertThat(live(session, confused).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_failure_of_a_model_is_thrown_again() throws Exception {
    ReplayAgent asking = scope -> {
      Throwable thrown = catchThrowable(() -> scope.ask("gpt-5", "hi"));
      seen.add(thrown);
    };
    Session session = TestRecordings.record(
        directory.resolve("asked"),
        asking,
        Executors.none().withModel((call, pieces) -> ModelResult.of(call.id(), null)
            .withFinish(ModelResult.Completion.failed("RateLimit", "429"))));

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(asking);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(seen).hasSize(2).allSatisfy(thrown -> assertThat((Throwable) thrown)
        .isInstanceOf(RecordedFailureException.class)
        .hasMessage("429")
        .hasToString("RateLimit: 429"));
  }

  @Test
  void an_agent_that_asks_a_model_again_after_a_failure_is_identical() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ReplayAgent asking = scope -> {
      try {
        scope.ask("gpt-5", "hi");
      } catch (SocketTimeoutException e) {
        seen.add(scope.ask("gpt-5", "hi").answer().value());
      }
    };
    Session session = TestRecordings.record(
        directory.resolve("asked"), asking, Executors.none().withModel((call, pieces) -> {
          if (calls.getAndIncrement() == 0) {
            throw new SocketTimeoutException("slow");
          }
          return ModelResult.of(call.id(), "hello");
        }));

    ReplayReport report = checked(Replay.of(session).mode(ReplayMode.MOCK).run(asking));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(seen).hasSize(2).containsOnly(JsonString.of("hello"));
    assertThat(calls).hasValue(2);
  }

  @Test
  void a_model_that_returns_null_has_failed() throws Exception {
    ReplayAgent asking = scope -> seen.add(catchThrowable(() -> scope.ask("gpt-5", "hi")));
    Session session = TestRecordings.record(
        directory.resolve("asked"),
        asking,
        Executors.none().withModel((call, pieces) -> ModelResult.of(call.id(), "hello")));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .model((call, pieces) -> null)
        .run(asking);

    assertThat(seen.get(1)).isInstanceOf(NullPointerException.class);
    assertThat(report.divergencesByKind()).containsKey("OUTCOME");
    assertThat(report.exchanges().executed()).isOne();
  }

  static Stream<ToolResult> unrecordable() {
    ToolResult result = ToolResult.of("call-1", "x");
    JsonValue deep = JsonNull.NULL;
    for (int depth = 0; depth < JsonValue.MAX_DEPTH; depth++) {
      deep = JsonArray.of(deep);
    }
    return Stream.of(
        result.withStepUtility(Double.NaN),
        result.withStepUtility(2.0),
        result.withLatencyMillis(-1L),
        result.withOutput(Content.of(deep)),
        result.withOutput(Content.NONE),
        result.withTiming(Timing.of(1).withChunks(Chunks.builder().add(0, 9).build())),
        result.withMeta(Meta.NONE.withExtra(JsonObject.of("output", 1))));
  }

  @ParameterizedTest
  @MethodSource("unrecordable")
  void a_result_that_cannot_be_recorded_is_a_failure_of_its_tool(ToolResult unrecordable)
      throws Exception {
    Session session = record(TestRecordings.echo());
    Path out = directory.resolve("replayed");

    ReplayReport report = checked(Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .directory(out)
        .tool("read_file", Effect.PURE, call -> unrecordable)
        .run(agent));

    assertThat(report.divergencesByKind()).containsOnlyKeys("OUTCOME");
    assertThat(report.exchanges().executed()).isOne();
    assertThat((Throwable) seen.get(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the result of read_file cannot be recorded: ToolResult");
    assertThat(TestRecordings.events(Session.open(out)))
        .filteredOn(ToolResult.class::isInstance)
        .singleElement()
        .satisfies(event -> assertThat(((ToolResult) event).outcome().error().message())
            .contains("cannot be recorded"));
  }

  @Test
  void a_tool_that_throws_what_is_not_well_formed_has_failed() throws Exception {
    Session session = record(TestRecordings.echo());

    ReplayReport report = live(session, call -> {
      throw new IllegalStateException("\uD800");
    });
    ReplayReport text = live(session, call -> ToolResult.of("call-1", "\uD800"));

    assertThat(report.divergencesByKind()).containsOnlyKeys("OUTCOME");
    assertThat(text.divergencesByKind()).containsOnlyKeys("OUTCOME");
  }

  @Test
  void an_answer_that_cannot_be_recorded_is_a_failure_of_its_model() throws Exception {
    ReplayAgent asking = scope -> seen.add(catchThrowable(() -> scope.ask("gpt-5", "hi")));
    Session session = TestRecordings.record(
        directory.resolve("asked"),
        asking,
        Executors.none().withModel((call, pieces) -> ModelResult.of(call.id(), "hello")));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .model((call, pieces) ->
            ModelResult.of(call.id(), "hello").withTokens(ModelResult.TokenCounts.of(-1, 1)))
        .run(asking);

    assertThat(report.divergencesByKind()).containsKey("OUTCOME");
    assertThat((Throwable) seen.get(1)).hasMessageContaining("tokens_in must not be negative: -1");
  }
}
