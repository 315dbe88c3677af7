package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelRecordingTest {

  private static final AiMessage DONE = AiMessage.from("done");

  @TempDir
  Path sessions;

  private final List<RecordingFailure> failures = new ArrayList<>();

  @Test
  void answer_is_text_or_langchain4js_form_with_tokens_reason_and_model() {
    Recorded recorded = Recorded.chat(
        sessions,
        ScriptedModel.of(ScriptedModel.call("a1", "tool", "{}"), DONE),
        builder -> builder.tools(
            Map.of(ToolSpecification.builder().name("tool").build(), (request, memoryId) -> "ok")));

    ModelResult calls = recorded.modelResults().get(0);
    assertThat(ChatMessageDeserializer.messageFromJson(calls.answer().value().toString()))
        .isEqualTo(ScriptedModel.call("a1", "tool", "{}"));
    assertThat(calls.finish()).isEqualTo(Completion.of("tool_execution"));
    ModelResult text = recorded.modelResults().get(1);
    assertThat(text.answer().value()).isEqualTo(JsonString.of("done"));
    assertThat(text.finish()).isEqualTo(Completion.of("stop"));
    assertThat(text.tokens()).isEqualTo(TokenCounts.of(12, 3));
    assertThat(text.latencyMillis()).isNotNull();
    assertThat(text.meta().extra()).isEqualTo(JsonObject.of("model", "scripted-1"));
  }

  /** A usage with the accessors of those of providers, such as {@code OpenAiTokenUsage}. */
  public static final class ProviderUsage extends TokenUsage {

    ProviderUsage() {
      super(12, 3);
    }

    public Details inputTokensDetails() {
      return new Details(8);
    }

    public Details outputTokensDetails() {
      return new Details(null);
    }

    public Integer cacheCreationInputTokens() {
      return 4;
    }

    public Integer unknown() {
      throw new IllegalStateException("not stated");
    }

    @Override
    public ProviderUsage add(TokenUsage that) {
      return this;
    }

    /** Details in a class of their own. */
    public static final class Details {
      private final Integer cached;

      Details(Integer cached) {
        this.cached = cached;
      }

      public Integer cachedTokens() {
        return cached;
      }

      @Override
      public int hashCode() {
        return 7;
      }

      @Override
      public boolean equals(Object other) {
        return other == this;
      }
    }
  }

  @Test
  void response_has_its_id_and_the_details_of_the_tokens_that_a_provider_states() {
    ChatModel model = new ChatModel() {
      @Override
      public ChatResponse doChat(ChatRequest request) {
        return ChatResponse.builder()
            .id("resp-1")
            .aiMessage(DONE)
            .tokenUsage(new ProviderUsage())
            .build();
      }
    };

    Recorded recorded = Recorded.chat(sessions, model, builder -> builder);

    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.tokens()).isEqualTo(TokenCounts.of(12, 3));
    assertThat(result.meta().extra().get("response_id")).isEqualTo(JsonString.of("resp-1"));
    assertThat(result.meta().extra().get("token_details"))
        .isEqualTo(JsonObject.of(
            "cacheCreationInputTokens", 4, "inputTokensDetails", JsonObject.of("cachedTokens", 8)));
    assertThat(RecordedResponses.of(result).id()).isEqualTo("resp-1");
  }

  @Test
  void answer_with_more_than_text_is_langchain4js_form() {
    AiMessage thinking = AiMessage.builder().text("done").thinking("hm").build();

    Recorded recorded = Recorded.chat(sessions, ScriptedModel.of(thinking), builder -> builder);

    JsonValue answer = recorded.modelResults().get(0).answer().value();
    assertThat(ChatMessageDeserializer.messageFromJson(answer.toString())).isEqualTo(thinking);
  }

  @Test
  void every_parameter_is_recorded_that_the_request_or_else_the_model_states() {
    ChatRequestParameters ofModel = ChatRequestParameters.builder()
        .modelName("scripted")
        .temperature(0.5)
        .topP(0.9)
        .topK(40)
        .frequencyPenalty(-0.5)
        .presencePenalty(0.25)
        .maxOutputTokens(100)
        .stopSequences("END", "x\ud800")
        .build();
    ChatModel model = new ChatModel() {
      @Override
      public ChatRequestParameters defaultRequestParameters() {
        return ofModel;
      }

      @Override
      public ChatResponse doChat(ChatRequest request) {
        return ScriptedModel.response(DONE);
      }
    };
    ResponseFormat format = ResponseFormat.builder()
        .type(ResponseFormatType.JSON)
        .jsonSchema(JsonSchema.builder()
            .name("names")
            .rootElement(JsonArraySchema.builder().items(new JsonStringSchema()).build())
            .build())
        .build();
    Recorded recorded = Recorded.chat(
        sessions,
        model,
        builder -> builder.chatRequestTransformer(request -> request.toBuilder()
            .temperature(0.0)
            .toolChoice(ToolChoice.AUTO)
            .responseFormat(format)
            .build()));

    ModelCall call = recorded.modelCalls().get(0);
    assertThat(call.model()).isEqualTo("scripted");
    assertThat(call.parameters().json())
        .isEqualTo(JsonObject.of(
            "temperature",
            0.0,
            "top_p",
            0.9,
            "top_k",
            40,
            "frequency_penalty",
            -0.5,
            "presence_penalty",
            0.25,
            "max_tokens",
            100,
            "stop",
            JsonArray.of("END", "x\ufffd"),
            "tool_choice",
            "auto",
            "response_format",
            JsonObject.of(
                "type",
                "json",
                "json_schema",
                JsonObject.of(
                    "name",
                    "names",
                    "schema",
                    JsonObject.of("type", "array", "items", JsonObject.of("type", "string"))))));
    assertThat(ExactText.of(call, "/parameters/stop/1")).isEqualTo("x\ud800");
  }

  @Test
  void numbers_that_an_event_cannot_have_are_their_texts() {
    ChatModel model = new ChatModel() {
      @Override
      public ChatResponse doChat(ChatRequest request) {
        return ChatResponse.builder()
            .aiMessage(DONE)
            .tokenUsage(new TokenUsage(-1, 2))
            .build();
      }
    };
    Recorded recorded = Recorded.chat(
        sessions,
        model,
        builder -> builder.chatRequestTransformer(request -> request.toBuilder()
            .temperature(-1.0)
            .topP(Double.NaN)
            .presencePenalty(Double.NEGATIVE_INFINITY)
            .frequencyPenalty(-2.0)
            .maxOutputTokens(-5)
            .build()));

    assertThat(recorded.modelCalls().get(0).parameters().json())
        .isEqualTo(JsonObject.of(
            "temperature",
            "-1.0",
            "top_p",
            "NaN",
            "frequency_penalty",
            -2.0,
            "presence_penalty",
            "-Infinity",
            "max_tokens",
            "-5"));
    ModelResult result = recorded.modelResults().get(0);
    assertThat(result.answer().value()).isEqualTo(JsonString.of("done"));
    assertThat(result.tokens()).isEqualTo(TokenCounts.NONE);
    assertThat(result.meta().extra().get("token_usage").asString())
        .contains("inputTokenCount = -1", "outputTokenCount = 2");
  }

  /** The parameters of a provider, which have more than LangChain4j's own. */
  private static final class ProvidersParameters extends DefaultChatRequestParameters {

    static final class Builder extends DefaultChatRequestParameters.Builder<Builder> {
      @Override
      public ProvidersParameters build() {
        return new ProvidersParameters(this);
      }
    }

    private ProvidersParameters(Builder builder) {
      super(builder);
    }

    @Override
    public ChatRequestParameters overrideWith(ChatRequestParameters others) {
      return new Builder().overrideWith(this).overrideWith(others).build();
    }
  }

  @Test
  void parameters_of_a_provider_are_named_by_their_class() {
    ChatModel model = new ChatModel() {
      @Override
      public ChatRequestParameters defaultRequestParameters() {
        return new ProvidersParameters.Builder().temperature(0.5).build();
      }

      @Override
      public ModelProvider provider() {
        return ModelProvider.AMAZON_BEDROCK;
      }

      @Override
      public ChatResponse doChat(ChatRequest request) {
        return ScriptedModel.response(DONE);
      }
    };
    ModelCall call =
        Recorded.chat(sessions, model, builder -> builder).modelCalls().get(0);

    assertThat(call.parameters().json()).isEqualTo(JsonObject.of("temperature", 0.5));
    assertThat(call.meta().extra())
        .isEqualTo(JsonObject.of(
            "parameters_type", ProvidersParameters.class.getName(), "provider", "amazon_bedrock"));
  }

  @Test
  void model_that_throws_leaves_a_failed_result_and_a_failed_session() {
    ScriptedModel model = new ScriptedModel(request -> {
      throw new IllegalStateException("overloaded\ud800");
    });

    assertThatThrownBy(() -> Recorded.chat(sessions, model, builder -> builder))
        .hasMessage("overloaded\ud800");

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.kinds()).containsExactly("ModelCall", "ModelResult", "SessionEnd");
    assertThat(recorded.modelResults().get(0).finish())
        .isEqualTo(Completion.failed("java.lang.IllegalStateException", "overloaded\ufffd"));
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
    assertThat(recorded.end().errorMessage()).isEqualTo("overloaded\ufffd");
  }

  /** Wants another answer until it is polite. */
  static final class Politeness implements OutputGuardrail {
    @Override
    public OutputGuardrailResult validate(AiMessage answer) {
      if (answer.text().contains("!")) {
        throw new IllegalStateException("shouting");
      }
      return answer.text().startsWith("please") ? success() : reprompt("rude", "Say please");
    }
  }

  @Test
  void answer_to_the_request_of_a_guardrail_is_recorded() {
    Recorded recorded = Recorded.chat(
        sessions,
        ScriptedModel.of(AiMessage.from("go away"), AiMessage.from("please go away")),
        builder -> builder.outputGuardrails(new Politeness()));

    assertThat(recorded.kinds())
        .containsExactly("ModelCall", "ModelResult", "ModelCall", "ModelResult", "SessionEnd");
    assertThat(recorded.modelResults())
        .extracting(result -> result.answer().value())
        .containsExactly(JsonString.of("go away"), JsonString.of("please go away"));
    assertThat(Recorded.messages(recorded.modelCalls().get(1)))
        .last()
        .isEqualTo(UserMessage.from("Say please"));
  }

  @Test
  void guardrail_that_throws_is_not_a_failure_of_the_model() {
    assertThatThrownBy(() -> Recorded.chat(
            sessions,
            ScriptedModel.of(AiMessage.from("go away"), AiMessage.from("please!")),
            builder -> builder.outputGuardrails(new Politeness())))
        .hasMessageContaining("shouting");

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.kinds())
        .containsExactly("ModelCall", "ModelResult", "ModelCall", "SessionEnd");
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void answer_to_the_request_of_a_guardrail_that_calls_tools_is_left_to_the_next_prompt() {
    Recorded recorded = Recorded.chat(
        sessions,
        ScriptedModel.of(
            AiMessage.from("go away"),
            ScriptedModel.call("a1", "tool", "{}"),
            AiMessage.from("please go away")),
        builder -> builder
            .outputGuardrails(new Politeness())
            .tools(Map.of(
                ToolSpecification.builder().name("tool").build(), (request, memoryId) -> "ok")));

    assertThat(recorded.kinds())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ModelCall", // LangChain4j does not report its answer to listeners
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "SessionEnd");
    assertThat(recorded.modelResults())
        .extracting(ModelResult::id)
        .containsExactly("model-1", "model-3");
    assertThat(Recorded.messages(recorded.modelCalls().get(2)))
        .contains(ScriptedModel.call("a1", "tool", "{}"));
  }

  @Test
  void response_to_a_copy_of_the_request_is_that_to_the_open_one_and_another_leaves_a_gap()
      throws IOException {
    Path directory = sessions.resolve("s");
    RecordingFailures log = new RecordingFailures("dev.agentreplay.langchain4j");
    log.listen(failures::add);
    ChatRequest request = ChatRequest.builder().messages(UserMessage.from("go")).build();
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      RecordedInvocation invocation = new RecordedInvocation(GuardedSession.of(session, log));
      invocation.requestIssued(request, () -> ModelDefaults.UNKNOWN);
      ChatRequest copy = request.toBuilder().build();
      invocation.responseReceived(copy, ScriptedModel.response(DONE));
      assertThat(failures).isEmpty();
      invocation.responseReceived(copy, ScriptedModel.response(DONE));
      session.end(Status.SUCCESS, 1.0);
    }

    assertThat(Recorded.only(sessions).isValid().kinds())
        .containsExactly("ModelCall", "ModelResult", "RecordingGap", "SessionEnd");
    assertThat(failures).extracting(RecordingFailure::event).containsExactly("ModelResult");
  }
}
