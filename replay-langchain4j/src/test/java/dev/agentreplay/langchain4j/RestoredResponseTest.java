package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.json.JsonObject;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A response that is recorded and restored is the same. */
class RestoredResponseTest {

  @Provide
  Arbitrary<ChatResponse> responses() {
    Arbitrary<String> texts = Arbitraries.oneOf(
        Arbitraries.strings().all().ofMaxLength(20),
        Arbitraries.of("", "{}", "null", "\"a\"", "\ud83d", "a\udc00b", "\ud83d\ude00", "\u0000"));
    Arbitrary<ToolExecutionRequest> requests = Combinators.combine(
            texts.injectNull(0.2), Arbitraries.of("read", "\ud83d"), texts)
        .as(ScriptedModel::request);
    Arbitrary<Map<String, Object>> attributes = Arbitraries.maps(
            Arbitraries.of("signature", "n", "list"),
            Arbitraries.oneOf(
                texts.map(text -> (Object) text),
                Arbitraries.integers().map(number -> (Object) number),
                texts.list().ofMaxSize(2).map(list -> (Object) list)))
        .ofMaxSize(2);
    Arbitrary<AiMessage> messages = Combinators.combine(
            texts.injectNull(0.3), texts.injectNull(0.6), requests.list().ofMaxSize(3), attributes)
        .as((text, thinking, calls, attributed) -> AiMessage.builder()
            .text(text)
            .thinking(thinking)
            .toolExecutionRequests(calls)
            .attributes(attributed)
            .build());
    Arbitrary<TokenUsage> tokens = Combinators.combine(
            Arbitraries.integers().greaterOrEqual(0).injectNull(0.2),
            Arbitraries.integers().between(0, 1_000))
        .as(TokenUsage::new);
    return Combinators.combine(
            messages,
            tokens.injectNull(0.2),
            Arbitraries.of(FinishReason.class).injectNull(0.2),
            texts.injectNull(0.2),
            texts.injectNull(0.2))
        .as((message, usage, finish, model, id) -> ChatResponse.builder()
            .id(id)
            .aiMessage(message)
            .tokenUsage(usage)
            .finishReason(finish)
            .modelName(model)
            .build());
  }

  @Property
  void response_is_the_same(@ForAll("responses") ChatResponse response) {
    ModelResult result = ModelEvents.result("model-1", response, 1L);

    assertThat(RecordedResponses.of(result)).isEqualTo(response);
  }

  @Example
  void unknown_finish_reason_is_other() {
    ModelResult result =
        ModelResult.of("m", "a").withFinish(ModelResult.Completion.of("pause_turn"));

    assertThat(RecordedResponses.of(result).finishReason()).isEqualTo(FinishReason.OTHER);
  }

  @Example
  void answer_that_is_not_of_langchain4j_is_rejected() {
    List<ModelResult> results = List.of(
        ModelResult.of("m", JsonObject.of("error", "e", "to_string", "s")),
        ModelResult.of("m", JsonObject.of("type", "USER", "contents", List.of())),
        ModelResult.of("m", 3),
        ModelResult.of("m", "a").withAnswer(Content.ofHash(ContentHash.of(new byte[32]))));

    assertThat(results).allSatisfy(result -> assertThatThrownBy(() -> RecordedResponses.of(result))
        .isInstanceOf(RuntimeException.class));
  }

  @Example
  void exact_text_that_cannot_be_read_is_rejected() {
    ModelResult result = ModelEvents.result(
        "m", ChatResponse.builder().aiMessage(AiMessage.from("\ud83d")).build(), 1L);
    JsonObject extra = JsonObject.of("utf16", JsonObject.of("/answer", "no base64!"));

    assertThatThrownBy(() -> RecordedResponses.of(result.withMeta(result.meta().withExtra(extra))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("utf16 of the ModelResult at /answer is not text");
  }
}
