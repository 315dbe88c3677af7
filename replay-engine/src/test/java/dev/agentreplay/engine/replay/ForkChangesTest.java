package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkChange;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The changes that a fork makes. The agent asks a model twice in one conversation and once in
 * another, and calls a tool before and after.
 */
class ForkChangesTest {

  private static final JsonObject PARAMS =
      JsonObject.of("to", "x", "options", JsonObject.of("html", true));

  @TempDir
  Path directory;

  private final List<String> pieces = new ArrayList<>();
  private final List<ReplayEvent> executed = new ArrayList<>();
  private @Nullable ToolResult sent;
  private String path = "b";
  private boolean sends = true;
  private Session session;

  private void run(AgentScope scope) throws Exception {
    sent = scope.execute(ToolCall.of("s", "send", PARAMS));
    List<JsonValue> messages = new ArrayList<>(List.of(JsonString.of("Hi.")));
    ask(scope, "English.", messages, 5);
    messages.add(JsonString.of("Again."));
    ask(scope, "English.", messages, 5);
    ask(scope, "Spanish.", List.of(JsonString.of("Hi!")), 9);
    scope.call("read", JsonObject.of("path", "a"));
    if (sends) {
      scope.call("read", JsonObject.of("path", path));
    }
  }

  private void ask(AgentScope scope, String system, List<JsonValue> messages, int tokens)
      throws Exception {
    JsonObject prompt = JsonObject.of("system", system, "messages", JsonArray.copyOf(messages));
    JsonObject parameters = JsonObject.of("max_tokens", tokens);
    scope.execute(Requests.model("m", prompt, parameters), (Consumer<String>) pieces::add);
  }

  private Executors executors() {
    return Executors.none()
        .withTool("send", call -> result(call, "sent"))
        .withTool("read", call -> result(call, "text"))
        .withModel((call, stream) -> {
          executed.add(call);
          List.of("He", "llo").forEach(stream);
          return ModelResult.of(call.id(), "Hello");
        });
  }

  private ToolResult result(ToolCall call, String output) {
    executed.add(call);
    return ToolResult.of(call.id(), output);
  }

  @BeforeEach
  void record() throws Exception {
    session = TestRecordings.record(directory.resolve("recorded"), this::run, executors());
    executed.clear();
    pieces.clear();
  }

  /** The line of a point: send, three model calls, and two of read. */
  private long line(int point) throws Exception {
    return ForkPoints.of(session).all().get(point).line();
  }

  private Path out() {
    return directory.resolve("fork");
  }

  private Replay fork(Fork fork) {
    return Replay.of(session)
        .policy(ReplayPolicy.of(ReplayMode.MOCK)
            .withEffect("send", Effect.PURE)
            .withEffect("read", Effect.PURE))
        .executors(executors())
        .fork(fork)
        .directory(out());
  }

  private ReplayReport run(Fork fork) throws Exception {
    return fork(fork).run(this::run);
  }

  private static JsonObject json(ReplayEvent call) {
    return call instanceof ModelCall model
        ? JsonObject.of(
            "prompt", model.prompt().value(), "parameters", model.parameters().json())
        : JsonObject.of("params", call.content().value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/params/to", "/params/options/html"})
  void a_member_of_a_call_of_a_tool_is_removed(String pointer) throws Exception {
    long line = line(0);
    JsonPointer place = JsonPointer.parse(pointer);

    ReplayReport report = run(Fork.at(line).with(new ForkChange.RequestValue(line, place, null)));

    assertThat(executed).hasSize(1);
    JsonObject call = json(executed.get(0));
    assertThat(place.find(JsonObject.of("params", PARAMS))).isNotNull();
    assertThat(place.find(call)).isNull();
    assertThat(call.at("/params/options")).isNotNull();
    assertThat(report.root().recordedLine()).isEqualTo(line);
    assertThat(report.root().kind()).isEqualTo("PARAMS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/prompt/system", "/parameters/max_tokens"})
  void a_removed_member_of_a_model_call_stays_removed(String pointer) throws Exception {
    long line = line(1);
    JsonPointer place = JsonPointer.parse(pointer);

    run(Fork.at(line).with(new ForkChange.RequestValue(line, place, null)));

    assertThat(executed).hasSize(2).allSatisfy(call -> assertThat(place.find(json(call)))
        .isNull());
    assertThat(executed)
        .extracting(call -> json(call).at("/prompt/messages").asArray().size())
        .containsExactly(1, 2);
    assertThat(ForkTest.actions(out()))
        .containsExactly("served", "executed", "executed", "served", "served", "served");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/params", "/params/absent", "/params/to/absent"})
  void what_is_removed_must_be_a_member(String pointer) throws Exception {
    long line = line(0);
    ForkChange change = new ForkChange.RequestValue(line, JsonPointer.parse(pointer), null);

    assertThatThrownBy(() -> run(Fork.at(line).with(change)))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("there is no member \"%s\"".formatted(pointer));
    assertThat(executed).isEmpty();
  }

  @Test
  void a_conversation_that_begins_differently_is_as_the_agent_made_it() throws Exception {
    run(Fork.at(line(1)).set("/prompt/messages/0", JsonString.of("Good morning.")));

    assertThat(executed)
        .extracting(call -> json(call).at("/prompt/messages/0"))
        .containsExactly(JsonString.of("Good morning."), JsonString.of("Good morning."));
    List<ReplayEvent> calls = TestRecordings.events(Session.open(out())).stream()
        .filter(ModelCall.class::isInstance)
        .toList();
    assertThat(calls.get(2).content().value())
        .isEqualTo(JsonText.parse("{\"messages\":[\"Hi!\"],\"system\":\"Spanish.\"}"));
  }

  @ParameterizedTest
  @CsvSource({"1,false", "0,true", "null,"})
  void a_changed_exit_code_decides_whether_the_tool_has_succeeded(
      String code, @Nullable Boolean succeeded) throws Exception {
    ReplayReport report = run(Fork.at(line(0)).set("/exit_code", JsonText.parse(code)));

    Integer exitCode = code.equals("null") ? null : Integer.valueOf(code);
    assertThat(sent.outcome().exitCode()).isEqualTo(exitCode);
    assertThat(sent.outcome().ok()).isEqualTo(succeeded);
    assertThat(sent.output().value()).isEqualTo(JsonString.of("sent"));
    assertThat(sent.id()).isEqualTo("s");
    ToolResult logged = (ToolResult) TestRecordings.events(Session.open(out())).stream()
        .filter(ToolResult.class::isInstance)
        .findFirst()
        .orElseThrow();
    assertThat(logged.outcome().exitCode()).isEqualTo(exitCode);
    assertThat(ForkTest.actions(out())).startsWith("changed", "served");
    assertThat(report.incomplete()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"Good \uD83D\uDE00,1", "'',0"})
  void a_changed_stream_is_served_as_one_piece(String answer, int count) throws Exception {
    run(Fork.at(line(3)).set("/answer", JsonString.of(answer)));

    assertThat(pieces.subList(0, 4)).containsExactly("He", "llo", "He", "llo");
    assertThat(pieces.subList(4, pieces.size()))
        .isEqualTo(count == 0 ? List.of() : List.of(answer));
    ModelResult changed = (ModelResult) TestRecordings.events(Session.open(out())).stream()
        .filter(ModelResult.class::isInstance)
        .skip(2)
        .findFirst()
        .orElseThrow();
    assertThat(changed.answer().value()).isEqualTo(JsonString.of(answer));
    assertThat(changed.timing().chunks().size()).isEqualTo(count);
  }

  @Test
  void a_result_of_a_different_recording_gets_the_id_of_the_call() throws Exception {
    long line = line(0);
    ToolResult other = ToolResult.of("other", "x").withOutput(Content.of(JsonString.of("new")));

    run(Fork.at(line).with(new ForkChange.Result(line, other)));

    assertThat(sent.id()).isEqualTo("s");
    assertThat(sent.output().value()).isEqualTo(JsonString.of("new"));
    List<ReplayEvent> events = TestRecordings.events(Session.open(out()));
    List<String> ids = events.stream()
        .filter(event -> event instanceof ToolCall || event instanceof ToolResult)
        .map(ReplayEvent::callId)
        .toList();
    assertThat(ids.get(1)).isEqualTo(ids.get(0));
  }

  @ParameterizedTest
  @EnumSource(OnUnmatched.class)
  void what_nothing_answers_after_the_point_is_a_miss_and_the_caller_decides(
      OnUnmatched onUnmatched) throws Exception {
    path = "other";

    ReplayReport report = fork(Fork.at(line(5)))
        .executors(Executors.none())
        .onUnmatched(onUnmatched)
        .run(this::run);

    boolean isServed = onUnmatched == OnUnmatched.POSITION;
    assertThat(ForkTest.actions(out())).last().isEqualTo(isServed ? "served" : "missed");
    assertThat(report.fork().isReached()).isTrue();
    assertThat(report.matched().getOrDefault(MatchRung.POSITION, 0L)).isEqualTo(isServed ? 1 : 0);
    assertThat(report.missed()).isEqualTo(isServed ? 0 : 1);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    if (isServed) {
      assertThat(report.failure()).isNull();
      assertThat(report.root().kind()).isEqualTo("PARAMS");
    }
  }

  @Test
  void a_change_that_nothing_requests_leaves_the_fork_incomplete() throws Exception {
    sends = false;
    long last = line(5);

    ReplayReport report = run(Fork.at(line(4))
        .with(ForkChange.set(last, JsonPointer.parse("/output"), JsonString.of("x"))));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED); // it is unread, too
    assertThat(report.verdictIfAccepted()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .containsExactly(
            "the change of line %d was not made: nothing requested it again".formatted(last));
  }

  @Test
  void a_changed_tool_that_nothing_calls_leaves_the_fork_incomplete() throws Exception {
    long line = line(4);

    ReplayReport report = run(Fork.at(line).withTool("send").withModel().withTool("read"));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.isInconclusive()).isTrue();
    assertThat(report.incomplete()) // the first of the changes
        .containsExactly("the tool send was not called after the point of the fork, line " + line);
    assertThat(executed).hasSize(2);
  }

  @Test
  void a_fork_cannot_change_what_is_before_its_point() {
    Fork fork = Fork.at(7);
    JsonPointer output = JsonPointer.parse("/output");

    assertThatThrownBy(() -> fork.with(ForkChange.set(6, output, JsonString.of("x"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a fork at line 7 cannot change line 6, which is before it");
    for (long line : new long[] {7, 8}) {
      assertThat(fork.with(ForkChange.set(line, output, JsonString.of("x"))).changes())
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DivergenceSeverity.class,
      names = {"MINOR", "MAJOR"})
  void a_divergence_below_the_limit_does_not_hide_that_a_fork_is_incomplete(
      DivergenceSeverity limit) throws Exception {
    Fork fork = Fork.at(line(5)).set("/output", JsonString.of("x"));
    DiffOptions options = DiffOptions.defaults().failingFrom(limit);
    boolean isBelow = limit == DivergenceSeverity.MAJOR;

    ReplayReport complete = fork(fork).comparison(options).run(this::run);
    ReplayReport report = fork(fork.withTool("send"))
        .directory(directory.resolve("incomplete"))
        .comparison(options)
        .run(this::run);

    for (ReplayReport each : Arrays.asList(complete, report)) {
      assertThat(each.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
      assertThat(each.hasFailures()).isEqualTo(!isBelow);
    }
    assertThat(complete.passes()).isEqualTo(isBelow);
    assertThat(complete.isInconclusive()).isFalse();
    assertThat(report.passes()).isFalse();
    assertThat(report.isInconclusive()).isEqualTo(isBelow);
  }
}
