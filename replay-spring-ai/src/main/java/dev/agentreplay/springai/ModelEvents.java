package dev.agentreplay.springai;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AbstractMessage;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.EmptyUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;

/** Creates the events of model requests and responses. */
final class ModelEvents {

  /** The place of the answer in the event of a response. */
  static final String ANSWER = "/answer";

  /** The member with the model that answered, and its place in an event. */
  static final String MODEL = "model";

  static final String MODEL_PLACE = "/model";

  static final String RESPONSE_ID_PLACE = "/" + Names.RESPONSE_ID;

  /** The member of an event and of an answer with metadata of the provider. */
  static final String METADATA = "metadata";

  static final String GENERATION = "generation";
  static final String GENERATIONS = "generations";
  static final String CONTENT_FILTERS = "content_filters";
  static final String TOTAL = "total";
  static final String CACHE_READ = "cache_read";
  static final String CACHE_WRITE = "cache_write";

  private ModelEvents() {}

  /** Creates the event of a request to a model. */
  static ModelCall call(String id, ChatModel called, Prompt prompt, MessageJson json) {
    EventTexts text = new EventTexts();
    ChatOptions options = prompt.getOptions() == null ? options(called) : prompt.getOptions();
    ModelCall.Prompt content = json.prompt(text, prompt.getInstructions(), options);
    String model = options == null ? null : options.getModel();
    return new ModelCall(
        id,
        model == null ? null : text.at(MODEL_PLACE, model),
        Content.of(content.json()),
        ParametersJson.of(text, options),
        text.meta());
  }

  /** The options of a model, which apply if a prompt has none. */
  @SuppressWarnings("removal")
  private static @Nullable ChatOptions options(ChatModel model) {
    try {
      return model.getOptions();
    } catch (NoSuchMethodError e) { // the name in Spring AI 1.1
      return model.getDefaultOptions();
    }
  }

  /** Creates the event of a response; null is a response, too. */
  static ModelResult result(
      String id, @Nullable ChatResponse response, @Nullable Long latencyMillis) {
    EventTexts text = new EventTexts();
    List<Generation> generations = response == null ? List.of() : response.getResults();
    ModelResult result =
        ModelResult.of(id, answer(text, generations)).withLatencyMillis(latencyMillis);
    String reason = generations.isEmpty() ? null : finishReason(generations.get(0));
    if (reason != null && !reason.isBlank()) {
      result = result.withFinish(Completion.of(EventTexts.wellFormed(reason)));
    }
    ChatResponseMetadata metadata = response == null ? null : response.getMetadata();
    if (metadata != null) {
      result = result.withTokens(tokens(text, metadata.getUsage()));
      String model = metadata.getModel();
      if (model != null && !model.isEmpty()) {
        text.add(MODEL, text.at(MODEL_PLACE, model));
      }
      String responseId = metadata.getId();
      if (responseId != null && !responseId.isEmpty()) {
        text.add(Names.RESPONSE_ID, text.at(RESPONSE_ID_PLACE, responseId));
      }
      Map<String, Object> others = map(metadata.entrySet());
      if (!others.isEmpty()) {
        text.add(METADATA, text.value("/" + METADATA, others));
      }
    }
    return result.withMeta(text.meta());
  }

  /** Creates the event of a model call that threw, with the part of the answer that arrived. */
  static ModelResult failed(
      String id, Failure error, @Nullable Long latencyMillis, StreamedText part) {
    EventTexts text = new EventTexts();
    String answer = part.finish() ? text.at(ANSWER, part.text()) : null;
    return ModelResult.of(id, answer)
        .withFinish(Completion.failed(error))
        .withTiming(new Timing(latencyMillis, part.chunks()))
        .withMeta(text.meta());
  }

  private static JsonValue answer(EventTexts text, List<Generation> generations) {
    if (generations.isEmpty()) {
      return JsonNull.NULL;
    }
    if (generations.size() > 1) {
      return text.value(
          ANSWER,
          Map.of(
              GENERATIONS, generations.stream().map(ModelEvents::oneOfSeveral).toList()));
    }
    Generation only = generations.get(0);
    Map<String, Object> form = generation(only);
    String whole = only.getOutput() == null ? null : only.getOutput().getText();
    return whole != null && form.size() == 2 // its role and content
        ? JsonValue.of(text.at(ANSWER, whole))
        : text.value(ANSWER, form);
  }

  /** The form of a generation whose finish reason may not be that of the event. */
  private static Map<String, Object> oneOfSeveral(Generation generation) {
    Map<String, Object> form = generation(generation);
    String reason = finishReason(generation);
    if (reason != null && !reason.isBlank()) {
      form.put(Names.FINISH_REASON, reason);
    }
    return form;
  }

  private static Map<String, Object> generation(Generation generation) {
    AssistantMessage message = generation.getOutput();
    Map<String, Object> form = new LinkedHashMap<>();
    if (message == null) {
      form.put(MessageJson.ROLE, MessageType.ASSISTANT.getValue());
    } else {
      form.putAll(MessageJson.message(message));
      Map<String, Object> metadata = new LinkedHashMap<>(message.getMetadata());
      metadata.remove(AbstractMessage.MESSAGE_TYPE);
      if (!metadata.isEmpty()) {
        form.put(METADATA, metadata);
      }
    }
    Map<String, Object> others = new LinkedHashMap<>();
    ChatGenerationMetadata stated = generation.getMetadata();
    if (stated != null) {
      Map<String, Object> values = map(stated.entrySet());
      if (!values.isEmpty()) {
        others.put(METADATA, values);
      }
      Set<String> filters = stated.getContentFilters();
      if (filters != null && !filters.isEmpty()) {
        others.put(CONTENT_FILTERS, List.copyOf(new TreeSet<>(filters)));
      }
    }
    if (!others.isEmpty()) {
      form.put(GENERATION, others);
    }
    return form;
  }

  /** The finish reason of a generation; null if it states none. */
  static @Nullable String finishReason(Generation generation) {
    ChatGenerationMetadata metadata = generation.getMetadata();
    return metadata == null ? null : metadata.getFinishReason();
  }

  private static Map<String, Object> map(@Nullable Set<Map.Entry<String, Object>> entries) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (entries != null) {
      entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    }
    return map;
  }

  private static TokenCounts tokens(EventTexts text, @Nullable Usage usage) {
    if (usage == null || usage instanceof EmptyUsage) {
      return TokenCounts.NONE;
    }
    TokenCounts counts =
        new TokenCounts(count(usage.getPromptTokens()), count(usage.getCompletionTokens()));
    JsonObject details = details(usage, counts);
    if (!details.isEmpty()) {
      text.add(Names.TOKEN_DETAILS, details);
    }
    if (!isNegative(counts.input()) && !isNegative(counts.output())) {
      return counts;
    }
    text.add(Names.TOKEN_USAGE, text.at("/token_usage", usage.toString()));
    return TokenCounts.NONE;
  }

  private static JsonObject details(Usage usage, TokenCounts counts) {
    JsonObject details = JsonObject.EMPTY;
    Integer total = usage.getTotalTokens();
    long sum = orZero(counts.input()) + orZero(counts.output());
    if (total != null && total != sum) {
      details = details.with(TOTAL, total);
    }
    try {
      Long read = usage.getCacheReadInputTokens();
      details = read == null ? details : details.with(CACHE_READ, read);
      Long written = usage.getCacheWriteInputTokens();
      return written == null ? details : details.with(CACHE_WRITE, written);
    } catch (LinkageError e) {
      return details; // Spring AI 1.1 does not state them
    }
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : count;
  }

  private static @Nullable Long count(@Nullable Integer tokens) {
    return tokens == null ? null : tokens.longValue();
  }

  private static boolean isNegative(@Nullable Long count) {
    return count != null && count < 0;
  }
}
