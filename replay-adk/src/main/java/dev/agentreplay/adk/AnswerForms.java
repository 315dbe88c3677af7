package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.FinishReason;
import com.google.genai.types.GenerateContentResponseUsageMetadata;
import com.google.genai.types.Part;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates the events of responses of models, and restores responses from their events. */
final class AnswerForms {

  private static final String ANSWER = "/answer";
  private static final String MODEL = "model";

  /** The member with what a response states in addition to that of an event. */
  private static final String RESPONSE = "response";

  private static final String ERROR_CODE = "error_code";

  /** The name of an error that a response states, not the class of an exception. */
  private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]*|Unknown error\\.");

  private AnswerForms() {}

  /** The text of a partial response that streams a part of the answer; empty if it has none. */
  static String piece(LlmResponse partial) {
    return partial.content().map(SessionForms::text).orElse("");
  }

  /** Whether a response is a part of an answer that is streamed. */
  static boolean isPartial(LlmResponse response) {
    return response.partial().orElse(false);
  }

  /** Joins the responses of one call: the last one, with the parts of all. */
  static LlmResponse joined(List<LlmResponse> responses) {
    LlmResponse last = responses.get(responses.size() - 1);
    List<Part> parts = new ArrayList<>();
    for (LlmResponse response : responses) {
      parts.addAll(response.content().flatMap(Content::parts).orElse(List.of()));
    }
    if (responses.size() == 1 || parts.isEmpty()) {
      return last;
    }
    Content.Builder content =
        last.content().map(Content::toBuilder).orElseGet(Content::builder).parts(parts);
    if (last.content().isEmpty()) {
      responses.stream()
          .flatMap(response -> response.content().flatMap(Content::role).stream())
          .findFirst()
          .ifPresent(content::role);
    }
    return last.toBuilder().content(content.build()).build();
  }

  /** The answer of a stream that stated no whole one: the text of its pieces. */
  static LlmResponse ofPieces(String text, LlmResponse last) {
    String role = last.content().flatMap(Content::role).orElse("model");
    return last.toBuilder()
        .partial(null)
        .content(Content.builder().role(role).parts(Part.fromText(text)).build())
        .build();
  }

  /** Creates the event of a response. */
  static ModelResult result(String id, LlmResponse response, Lane lane, BaseAgent agent) {
    EventTexts texts = new EventTexts();
    JsonValue answer = response.content().isPresent()
        ? GenAiJson.at(texts, ANSWER, response.content().get())
        : JsonObject.EMPTY;
    if (KeyOrder.isVisible(agent) && !KeyOrder.of(answer).isEmpty()) {
      texts.add(KeyOrder.NAME, KeyOrder.of(answer));
    }
    GenerateContentResponseUsageMetadata usage = response.usageMetadata().orElse(null);
    TokenCounts tokens = TokenCounts.NONE;
    if (usage != null) {
      texts.add(Names.TOKEN_DETAILS, GenAiJson.at(texts, "/" + Names.TOKEN_DETAILS, usage));
      tokens =
          new TokenCounts(count(usage.promptTokenCount()), count(usage.candidatesTokenCount()));
    }
    response.modelVersion().ifPresent(model -> texts.add(MODEL, texts.at("/" + MODEL, model)));
    if (GenAiJson.at(texts, "/" + RESPONSE, remainder(response)) instanceof JsonObject form
        && !form.isEmpty()) {
      texts.add(RESPONSE, form);
    }
    return ModelResult.of(id, answer)
        .withFinish(completion(response))
        .withTokens(tokens)
        .withMeta(lane.in(texts.meta()));
  }

  private static LlmResponse remainder(LlmResponse response) {
    return response.toBuilder()
        .content(null)
        .usageMetadata(null)
        .modelVersion(null)
        .finishReason(null)
        .build();
  }

  private static @Nullable Long count(Optional<Integer> tokens) {
    return tokens.filter(count -> count >= 0).map(Integer::longValue).orElse(null);
  }

  private static Completion completion(LlmResponse response) {
    String reason = response
        .finishReason()
        .map(FinishReason::toString)
        .map(EventTexts::wellFormed)
        .orElse(null);
    FinishReason code = response.errorCode().orElse(null);
    return new Completion(
        reason,
        null,
        code == null
            ? null
            : Failure.of(
                EventTexts.wellFormed(code.toString()),
                EventTexts.wellFormed(response.errorMessage().orElse(""))));
  }

  /** Creates the event of a call that threw, with the part of the answer that arrived. */
  static ModelResult failed(String id, Throwable error, StreamedText part, Lane lane) {
    EventTexts texts = new EventTexts();
    JsonValue answer = part.finish()
        ? GenAiJson.at(
            texts,
            ANSWER,
            Content.builder().role("model").parts(Part.fromText(part.text())).build())
        : JsonObject.EMPTY;
    return ModelResult.of(id, answer)
        .withFinish(Completion.failed(Failure.of(error)))
        .withMeta(lane.in(texts.meta()));
  }

  /** The result with its duration, and its pieces as far as they form a text of the answer. */
  static ModelResult timed(ModelResult result, StreamedText stream, @Nullable Long latencyMillis) {
    Chunks chunks = Chunks.NONE;
    if (stream.finish()) {
      Chunks pieces = stream.chunksIn(result.answer().value());
      chunks = pieces.textIn(result.answer().value()) == null ? Chunks.NONE : pieces;
    }
    return result.withTiming(new Timing(latencyMillis, chunks));
  }

  /** The exception of a result; null if its model returned a response, also one with an error. */
  static @Nullable Exception thrown(ModelResult result) {
    Failure error = result.finish().error();
    boolean isReturned = error == null
        || (result.meta().extra().get(RESPONSE) instanceof JsonObject form && form.has(ERROR_CODE))
        || (error.name() != null && CODE.matcher(error.name()).matches());
    return error == null || isReturned ? null : RecordedExceptions.of(error);
  }

  /**
   * Restores the response of a result.
   *
   * @throws IllegalStateException if the event does not have the answer of a model of the kit
   */
  static LlmResponse restored(ModelResult result) {
    JsonObject extra = result.meta().extra();
    Failure error = result.finish().error();
    JsonObject form = extra.get(RESPONSE) instanceof JsonObject stated
        ? GenAiJson.camel(stated).asObject()
        : JsonObject.EMPTY;
    if (error != null && !form.has("errorCode")) { // of an imported recording
      form = form.with("errorCode", error.name()).with("errorMessage", error.message());
    }
    if (result.finish().reason() != null) {
      form = form.with("finishReason", result.finish().reason());
    }
    if (extra.get(Names.TOKEN_DETAILS) instanceof JsonObject usage) {
      form = form.with("usageMetadata", GenAiJson.camel(usage));
    }
    if (extra.get(MODEL) instanceof JsonString model) {
      form = form.with("modelVersion", EventTexts.exact(result, "/" + MODEL, model.value()));
    }
    try {
      LlmResponse restored = LlmResponse.fromJsonString(form.toString(), LlmResponse.class);
      Content content = content(result);
      return content == null ? restored : restored.toBuilder().content(content).build();
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "the recorded answer of model call %s is not a response that the kit can read: %s"
              .formatted(result.id(), e.getMessage()),
          e);
    }
  }

  private static @Nullable Content content(ModelResult result) {
    JsonValue answer = result.answer().value();
    String exact = EventTexts.exact(result, ANSWER);
    if (exact != null) {
      return Content.fromJson(exact);
    } else if (answer instanceof JsonString text) { // of a fork, or of a different importer
      return Content.builder().role("model").parts(Part.fromText(text.value())).build();
    }
    return answer instanceof JsonObject content && !content.isEmpty()
        ? Content.fromJson(
            GenAiJson.camel(KeyOrder.restored(content, result.meta().extra().get(KeyOrder.NAME)))
                .toString())
        : null;
  }
}
