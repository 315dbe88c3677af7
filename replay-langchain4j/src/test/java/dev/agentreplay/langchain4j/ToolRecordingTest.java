package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolRecordingTest {

  private static final AiMessage DONE = AiMessage.from("done");

  @TempDir
  Path sessions;

  private final List<RecordingFailure> failures = new ArrayList<>();

  private AiServiceRecorder recorder() {
    return AiServiceRecorder.into(sessions).onFailure(failures::add);
  }

  /**
   * Lets an agent call a tool of the name "tool", of which this is the body, with some requests.
   */
  private Recorded record(
      Function<ToolExecutionRequest, ToolExecutionResult> body, ToolExecutionRequest... requests) {
    try (AiServiceRecorder recording = recorder()) {
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(AiMessage.from(requests), DONE))
              .tools(Tools.tool(body)))
          .build();
      assertThat(assistant.chat("go")).isEqualTo("done");
    }
    assertThat(failures).isEmpty();
    return Recorded.only(sessions).isValid();
  }

  private static ToolExecutionResult contents(Content... contents) {
    return ToolExecutionResult.builder().resultContents(List.of(contents)).build();
  }

  @Test
  void call_and_result_are_between_the_model_calls_that_they_belong_to() {
    try (AiServiceRecorder recording = recorder()) {
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(
                  ScriptedModel.of(ScriptedModel.call("a1", "read", "{\"path\":\"a.txt\"}"), DONE))
              .tools(new Tools.Files()))
          .build()
          .chat("go");
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.kinds())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "SessionEnd");
    ToolCall call = recorded.toolCalls().get(0);
    assertThat(call.id()).isEqualTo("a1");
    assertThat(call.tool()).isEqualTo("read");
    assertThat(call.params().value()).isEqualTo(JsonObject.of("path", "a.txt"));
    assertThat(call.meta().extra()).isEqualTo(JsonObject.EMPTY);
    ToolResult result = recorded.toolResults().get(0);
    assertThat(result.id()).isEqualTo("a1");
    assertThat(result.output().value()).isEqualTo(JsonValue.of("content of a.txt"));
    assertThat(result.outcome()).isEqualTo(Outcome.OK);
    assertThat(result.latencyMillis()).isNotNull();
    assertThat(failures).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"path":"a","limit":12345678901234567890} | {"path":"a","limit":12345678901234567890} |
          {"path":"a","path":"b"}                   | "{\\"path\\":\\"a\\",\\"path\\":\\"b\\"}" |
          {"path":                                  | "{\\"path\\":"                            |
          ``                                        | ""                                        |
          read a.txt                                | "read a.txt"                              |
          "read a.txt"                              | "read a.txt"                              | "read a.txt"
          null                                      | null                                      | null
          """)
  void arguments_that_a_model_made_are_recorded_as_the_value_or_the_text_that_they_are(
      String arguments, String params, String text) {
    Recorded recorded =
        record(request -> Tools.text("ok"), ScriptedModel.request("a1", "tool", arguments));

    ToolCall call = recorded.toolCalls().get(0);
    assertThat(call.params().value()).isEqualTo(JsonText.parse(params));
    assertThat(call.meta().extra())
        .isEqualTo(text == null ? JsonObject.EMPTY : JsonObject.of("params_text", text));
  }

  @Test
  void absent_arguments_are_null() {
    Recorded recorded =
        record(request -> Tools.text("ok"), ScriptedModel.request("a1", "tool", null));

    assertThat(recorded.toolCalls().get(0).params().value()).isEqualTo(JsonNull.NULL);
    assertThat(recorded.toolCalls().get(0).meta().extra()).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void arguments_as_deep_as_a_value_may_be_are_recorded_as_text() {
    String arguments = "[".repeat(JsonValue.MAX_DEPTH) + "]".repeat(JsonValue.MAX_DEPTH);
    Recorded recorded =
        record(request -> Tools.text("ok"), ScriptedModel.request("a1", "tool", arguments));

    assertThat(recorded.toolCalls().get(0).params().value()).isEqualTo(JsonString.of(arguments));
  }

  @Test
  void unpaired_surrogate_is_replaced_and_the_original_kept() {
    Recorded recorded =
        record(request -> Tools.text("out\udc00"), ScriptedModel.request("a1", "tool", "in\ud83d"));

    ToolCall call = recorded.toolCalls().get(0);
    assertThat(call.params().value()).isEqualTo(JsonString.of("in\ufffd"));
    assertThat(ExactText.of(call, "/params")).isEqualTo("in\ud83d");
    ToolResult result = recorded.toolResults().get(0);
    assertThat(result.output().value()).isEqualTo(JsonString.of("out\ufffd"));
    assertThat(ExactText.of(result, "/output")).isEqualTo("out\udc00");
    assertThat(ExactText.of(recorded.modelResults().get(0), "/answer")).contains("in\ud83d");
    assertThat(ExactText.of(recorded.modelCalls().get(1), "/prompt/messages/2"))
        .contains("out\udc00");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " "})
  void missing_id_is_generated(String id) {
    Recorded recorded = record(
        request -> Tools.text("out of " + request.arguments()),
        ScriptedModel.request(id, "tool", "1"),
        ScriptedModel.request(id, "tool", "2"));

    assertThat(recorded.toolCalls()).extracting(ToolCall::id).containsExactly("call-1", "call-2");
    assertThat(recorded.toolResults())
        .extracting(ToolResult::id)
        .containsExactly("call-1", "call-2");
  }

  @Test
  void image_is_recorded_as_it_is() {
    Recorded recorded = record(
        request -> contents(ImageContent.from("aGVsbG8=", "image/png")),
        ScriptedModel.request("a1", "tool", "{}"));

    JsonValue output = recorded.toolResults().get(0).output().value();
    assertThat(output).isInstanceOf(JsonArray.class);
    assertThat(output.at("/0/type").asString()).isEqualTo("IMAGE");
    assertThat(output.at("/0/image/base64Data").asString()).isEqualTo("aGVsbG8=");
    assertThat(output.at("/0/image/mimeType").asString()).isEqualTo("image/png");
  }

  @Test
  void several_contents_are_recorded_in_order() {
    Recorded recorded = record(
        request -> contents(
            TextContent.from("one\ud800"),
            AudioContent.from("https://example.org/a.mp3"),
            TextContent.from("two")),
        ScriptedModel.request("a1", "tool", "{}"));

    ToolResult result = recorded.toolResults().get(0);
    JsonArray output = (JsonArray) result.output().value();
    assertThat(output.size()).isEqualTo(3);
    assertThat(output.at("/0/text").asString()).isEqualTo("one\ufffd");
    assertThat(output.at("/1/audio/url").asString()).isEqualTo("https://example.org/a.mp3");
    assertThat(output.at("/2/text").asString()).isEqualTo("two");
    assertThat(ExactText.of(result, "/output")).contains("one\ud800");
  }

  @Test
  void tool_that_fails_is_recorded_with_the_message_to_the_model() {
    try (AiServiceRecorder recording = recorder()) {
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(
                  ScriptedModel.of(ScriptedModel.call("a1", "broken", "{\"path\":\"a\"}"), DONE))
              .tools(new Tools.Files()))
          .build()
          .chat("go");
    }

    ToolResult result = Recorded.only(sessions).isValid().toolResults().get(0);
    assertThat(result.output().value()).isEqualTo(JsonValue.of("cannot read a"));
    assertThat(result.outcome())
        .isEqualTo(Outcome.of(false, null, new Failure(JsonObject.of("message", "cannot read a"))));
    assertThat(result.meta().extra().get("exception").at("/name").asString())
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(Recorded.only(sessions).end().status()).isEqualTo(Status.SUCCESS);
  }

  @Test
  void error_handler_decides_what_the_model_gets_and_the_exception_is_recorded() {
    List<Throwable> handled = new ArrayList<>();
    try (AiServiceRecorder recording = recorder()) {
      AiServices<Assistant> builder = AiServices.builder(Assistant.class)
          .chatModel(ScriptedModel.of(
              AiMessage.from(
                  ScriptedModel.request("a1", "broken", "{\"path\":\"a\"}"),
                  ScriptedModel.request("a2", "broken", "{\"path\":\"b\"}")),
              DONE))
          .tools(new Tools.Files())
          .toolExecutionErrorHandler((error, context) -> {
            handled.add(error);
            return ToolErrorHandlerResult.text("try later");
          });
      recording.record(recording.record(builder)).build().chat("go");
    }

    List<ToolResult> results = Recorded.only(sessions).isValid().toolResults();
    assertThat(handled).hasSize(2);
    assertThat(results)
        .extracting(result -> result.output().value())
        .containsOnly(JsonValue.of("try later"));
    assertThat(results)
        .extracting(
            result -> result.meta().extra().get("exception").at("/message").asString())
        .containsExactly(handled.get(0).getMessage(), handled.get(1).getMessage())
        .doesNotHaveDuplicates();
    assertThat(failures).isEmpty();
  }

  @Test
  void tool_whose_error_ends_the_invocation_is_recorded_as_failed() {
    try (AiServiceRecorder recording = recorder()) {
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(
                  ScriptedModel.of(ScriptedModel.call("a1", "broken", "{\"path\":\"a\"}"), DONE))
              .tools(new Tools.Files())
              .toolExecutionErrorHandler((error, context) -> {
                throw new IllegalStateException("gave up");
              }))
          .build();
      assertThatThrownBy(() -> assistant.chat("go")).hasMessage("gave up");
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolResults().get(0).outcome())
        .isEqualTo(Outcome.failed("java.lang.IllegalStateException", "gave up"));
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
    assertThat(recorded.end().errorMessage()).isEqualTo("gave up");
    assertThat(failures).isEmpty();
  }

  @Test
  void tool_that_does_not_exist_is_recorded() {
    try (AiServiceRecorder recording = recorder()) {
      AiServices<Assistant> builder = AiServices.builder(Assistant.class)
          .chatModel(new ScriptedModel(request ->
              request.messages().size() == 1 ? ScriptedModel.call("a1", "fly", "{}") : DONE))
          .tools(new Tools.Files());
      Assistant refusing = recording.record(builder).build();
      assertThatThrownBy(() -> refusing.chat("go")).isInstanceOf(RuntimeException.class);
    }
    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolCalls().get(0).tool()).isEqualTo("fly");
    assertThat(recorded.toolResults().get(0).outcome().ok()).isFalse();
  }

  @Test
  void tool_that_does_not_exist_is_recorded_with_the_message_to_the_model() {
    try (AiServiceRecorder recording = recorder()) {
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(ScriptedModel.call("a1", "fly", "{}"), DONE))
              .tools(new Tools.Files())
              .hallucinatedToolNameStrategy(
                  request -> ToolExecutionResultMessage.from(request, "no tool " + request.name())))
          .build()
          .chat("go");
    }
    assertThat(Recorded.only(sessions).isValid().toolResults().get(0).output().value())
        .isEqualTo(JsonValue.of("no tool fly"));
  }
}
