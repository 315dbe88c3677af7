package dev.agentreplay.engine.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException.Reason;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tools and models that are programs. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ProcessExecutorsTest {

  private static final JsonObject PARAMS = JsonObject.of("path", "a.txt");

  private static ProcessTools tools(String json) {
    return ProcessTools.parse(JsonText.parse(json).asObject(), UnaryOperator.identity(), null);
  }

  private static ToolResult run(String script) throws Exception {
    JsonObject tool = JsonObject.of("command", List.of("sh", "-c", script), "effect", "pure");
    JsonObject tools = JsonObject.of("tools", JsonObject.of("t", tool));
    return ProcessTools.parse(tools, UnaryOperator.identity(), null)
        .executor("t")
        .execute(ToolCall.of("c", "t", PARAMS));
  }

  private static ModelResult ask(String script) throws Exception {
    ModelCall call =
        ModelCall.of("m", "gpt-5", Prompt.of("Hi")).withParameters(Parameters.NONE.withSeed(7));
    return ProcessModel.of(ProcessCommand.of(List.of("sh", "-c", script))).call(call, piece -> {});
  }

  @Test
  void tool_gets_its_parameters_as_a_line_and_prints_json() throws Exception {
    ToolResult result = run("cat");

    assertThat(result.id()).isEqualTo("c");
    assertThat(result.output().value()).isEqualTo(PARAMS);
    assertThat(result.succeeded()).isTrue();
  }

  @Test
  void output_that_is_not_json_is_a_text() throws Exception {
    assertThat(run("echo hello; echo world").output().value())
        .isEqualTo(JsonString.of("hello\nworld"));
    assertThat(run("printf '\\n hello\\n\\n'").output().value())
        .isEqualTo(JsonString.of("\n hello\n"));
    assertThat(run("printf 'hello\\r\\n'").output().value()).isEqualTo(JsonString.of("hello"));
    assertThat(run("printf hello").output().value()).isEqualTo(JsonString.of("hello"));
    assertThat(run("true").output().value()).isEqualTo(JsonString.of(""));
    assertThat(run("echo 42").output().value()).isEqualTo(JsonValue.of(42));
  }

  @Test
  void exit_code_other_than_zero_is_a_failed_outcome() throws Exception {
    ToolResult result = run("echo partly; exit 3");

    assertThat(result.succeeded()).isFalse();
    assertThat(result.outcome().exitCode()).isEqualTo(3);
    assertThat(result.output().value()).isEqualTo(JsonString.of("partly"));
  }

  @Test
  void large_parameters_that_a_program_does_not_read_do_not_block_it() throws Exception {
    JsonObject large = JsonObject.of("text", "x".repeat(1_000_000));
    JsonObject tool = JsonObject.of("command", List.of("echo", "1"));
    ToolResult result = ProcessTools.parse(
            JsonObject.of("tools", JsonObject.of("t", tool)), UnaryOperator.identity(), null)
        .executor("t")
        .execute(ToolCall.of("c", "t", large));

    assertThat(result.output().value()).isEqualTo(JsonValue.of(1));
  }

  @Test
  void flood_of_output_is_refused() {
    assertThatThrownBy(() -> run("yes"))
        .isInstanceOfSatisfying(
            NotExecutedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LIMIT))
        .hasMessageContaining("it wrote more than 67,108,864 bytes");
  }

  @Test
  void program_that_cannot_be_started_has_no_result() {
    ProcessTools tools = tools("{\"tools\":{\"t\":{\"command\":[\"./no-such-tool\"]}}}");
    ProcessModel model = ProcessModel.of(ProcessCommand.of(List.of("./no-such-model")));

    assertThatThrownBy(() -> tools.executor("t").execute(ToolCall.of("c", "t", PARAMS)))
        .isInstanceOfSatisfying(
            NotExecutedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_STARTED))
        .hasMessage("cannot start \"./no-such-tool\": No such file or directory");
    assertThatThrownBy(() -> model.call(ModelCall.of("m", "gpt", Prompt.of("?")), piece -> {}))
        .isInstanceOf(NotExecutedException.class)
        .hasMessage("cannot start \"./no-such-model\": No such file or directory");
  }

  @Test
  @Tag("slow")
  void program_that_closes_its_output_and_does_not_exit_has_no_result() {
    assertThatThrownBy(() -> run("exec >&-; exec sleep 1000"))
        .isInstanceOfSatisfying(
            NotExecutedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LIMIT))
        .hasMessage("the program \"sh\": it closed its output, and did not exit in 10 s");
  }

  @Test
  @Tag("slow")
  void interrupted_call_ends_the_program_and_its_children() throws Exception {
    CompletableFuture<String> child = new CompletableFuture<>();
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    ProcessModel model =
        ProcessModel.of(ProcessCommand.of(List.of("sh", "-c", "sleep 1000 & echo $! >&2; wait"))
            .withErrors(child::complete));
    Thread thread = new Thread(() -> failure.complete(
        catchThrowable(() -> model.call(ModelCall.of("m", "gpt", Prompt.of("?")), piece -> {}))));
    thread.start();
    ProcessHandle sleep =
        ProcessHandle.of(Long.parseLong(child.get(30, TimeUnit.SECONDS))).orElseThrow();

    thread.interrupt();

    assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    sleep.onExit().get(30, TimeUnit.SECONDS);
    assertThat(sleep.isAlive()).isFalse();
  }

  @Test
  void effects_are_those_that_are_described_and_external_otherwise() {
    ProcessTools tools =
        tools("{\"tools\":{\"a\":{\"command\":[\"a\"],\"effect\":\"writes_workspace\"},"
            + "\"b\":{\"command\":[\"b\"]}}}");

    assertThat(tools.names()).containsExactly("a", "b");
    assertThat(tools.effect("a")).isEqualTo(Effect.WRITES_WORKSPACE);
    assertThat(tools.effect("b")).isEqualTo(Effect.EXTERNAL);
    assertThat(tools.effect("c")).isNull();
    assertThat(tools.executor("c")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | expected an object with one member \"tools\"",
        "{\"tools\":[]} | expected an object with one member \"tools\"",
        "{\"tools\":{},\"more\":1} | expected an object with one member \"tools\"",
        "{\"tools\":{\"t\":1}} | tools: t: expected an object, found a",
        "{\"tools\":{\"t\":{}}} | tools: t: expected an array of strings as \"command\"",
        "{\"tools\":{\"t\":{\"command\":\"sh\"}}} | expected an array of strings",
        "{\"tools\":{\"t\":{\"command\":[]}}} | a command needs a program",
        "{\"tools\":{\"t\":{\"command\":[1]}}} | expected an array of strings",
        "{\"tools\":{\"t\":{\"command\":[\"a\"],\"effect\":\"none\"}}} | found \"none\"",
        "{\"tools\":{\"t\":{\"command\":[\"a\"],\"effect\":\"model\"}}} | found \"model\"",
        "{\"tools\":{\"t\":{\"command\":[\"a\"],\"schema\":1}}} | expected an object as \"schema\"",
        "{\"tools\":{\"t\":{\"command\":[\"a\"],\"schema\":{}}}} | there is no compiler of schemas",
        "{\"tools\":{\"t\":{\"command\":[\"a\"],\"cmd\":1}}} | expected command, effect or schema, found the member \"cmd\"",
      })
  void description_that_is_wrong_is_refused_with_its_place(String json, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tools(json))
        .withMessageContaining(message);
  }

  @Test
  void executors_of_a_recording_have_each_tool_with_its_check() {
    JsonObject described = JsonText.parse(
            """
            {"tools":{"a":{"command":["true"],"schema":{"type":"object"}},"b":{"command":["true"]}}}
            """)
        .asObject();
    ProcessTools tools =
        ProcessTools.parse(described, UnaryOperator.identity(), schema -> params -> null);

    Executors executors = tools.addTo(Executors.none().withTool("c", call -> null));

    assertThat(executors.tools()).containsExactly("a", "b", "c");
    assertThat(executors.tool("b")).isSameAs(tools.executor("b"));
    assertThat(executors.check("a")).isNotNull();
    assertThat(executors.check("b")).isNull();
  }

  @Test
  void schema_is_compiled_and_its_errors_name_the_tool() {
    JsonObject tools = JsonText.parse(
            "{\"tools\":{\"t\":{\"command\":[\"a\"],\"schema\":{\"type\":1}}}}")
        .asObject();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProcessTools.parse(tools, UnaryOperator.identity(), schema -> {
          throw new IllegalArgumentException("is not valid: " + schema);
        }))
        .withMessage("tools: t: \"schema\" is not valid: {\"type\":1}");
  }

  @Test
  void model_gets_the_call_as_an_event() throws Exception {
    JsonObject event = JsonText.parse(ask("cat").answer().value().asString()).asObject();

    assertThat(event)
        .isEqualTo(JsonObject.of(
            "event", "ModelCall",
            "id", "m",
            "model", "gpt-5",
            "prompt", Prompt.of("Hi").json(),
            "parameters", JsonObject.of("seed", 7)));
  }

  @Test
  void answer_of_a_model_has_its_reason_and_tokens() throws Exception {
    ModelResult result = ask("echo '{\"answer\":{\"a\":1},\"finish_reason\":\"length\","
        + "\"tokens_in\":3,\"tokens_out\":1}'");

    assertThat(result.answer().value()).isEqualTo(JsonObject.of("a", 1));
    assertThat(result.finish().reason()).isEqualTo("length");
    assertThat(result.tokens()).isEqualTo(TokenCounts.of(3, 1));
    assertThat(ask("printf Hello").answer().value()).isEqualTo(JsonString.of("Hello"));
    assertThat(ask("echo Hello; echo").answer().value()).isEqualTo(JsonString.of("Hello\n"));
    assertThat(ask("echo 42").answer().value()).isEqualTo(JsonString.of("42"));
  }

  @Test
  void answer_that_is_wrong_is_refused() {
    List<String> wrong = new ArrayList<>();
    for (String answer : List.of(
        "{\"answer\":1,\"reason\":\"stop\"}",
        "{\"answer\":1,\"tokens_in\":\"3\"}",
        "{\"answer\":1,\"tokens_out\":-3}",
        "{\"answer\":1,\"tokens_out\":1.5}")) {
      wrong.add(catchThrowable(() -> ask("echo '" + answer + "'")).getMessage());
    }
    assertThat(wrong).hasSize(4).allMatch(message -> message.startsWith("the answer of \"sh\""));
  }

  @Test
  void model_that_fails_is_a_failed_completion() throws Exception {
    ModelResult result = ask("echo no network >&2; exit 2");

    assertThat(result.succeeded()).isFalse();
    assertThat(result.finish().error().message())
        .isEqualTo("the program \"sh\" exited with 2:\nno network");
  }
}
