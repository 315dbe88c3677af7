package dev.agentreplay.springai;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeType;

/** Restores responses of models from their events, the reverse of {@link ModelEvents}. */
final class RecordedResponses {

  private final ModelResult result;

  private RecordedResponses(ModelResult result) {
    this.result = result;
  }

  /**
   * The response of a result that is not a failure.
   *
   * @throws IllegalStateException if the event does not have the answer of a Spring AI model
   */
  static ChatResponse of(ModelResult result) {
    RecordedResponses restored = new RecordedResponses(result);
    return new ChatResponse(restored.generations(), restored.metadata().build());
  }

  /**
   * The responses that stream a result: one for each piece of its text, and one with all else.
   *
   * @param pieces the pieces that form the text of the answer, or others, which are not used
   */
  static List<ChatResponse> stream(ModelResult result, List<String> pieces) {
    ChatResponse whole = of(result);
    Generation first = whole.getResults().isEmpty() ? null : whole.getResults().get(0);
    if (first == null || !String.join("", pieces).equals(first.getOutput().getText())) {
      return List.of(whole);
    }
    List<ChatResponse> stream = new ArrayList<>(pieces(whole.getMetadata(), pieces));
    AssistantMessage message = first.getOutput();
    List<Generation> last = new ArrayList<>(whole.getResults());
    last.set(
        0,
        new Generation(
            AssistantMessage.builder()
                .content("")
                .properties(message.getMetadata())
                .toolCalls(message.getToolCalls())
                .media(message.getMedia())
                .build(),
            first.getMetadata()));
    stream.add(new ChatResponse(last, whole.getMetadata()));
    return stream;
  }

  /** The responses that stream the pieces of a text. */
  static List<ChatResponse> pieces(@Nullable ChatResponseMetadata whole, List<String> pieces) {
    ChatResponseMetadata.Builder metadata = ChatResponseMetadata.builder();
    if (whole != null) {
      metadata.id(whole.getId()).model(whole.getModel());
    }
    ChatResponseMetadata stated = metadata.build();
    return pieces.stream()
        .map(
            piece -> new ChatResponse(List.of(new Generation(new AssistantMessage(piece))), stated))
        .toList();
  }

  private List<Generation> generations() {
    JsonValue answer = result.answer().value();
    if (answer == null || answer instanceof JsonNull) {
      return List.of();
    }
    if (answer instanceof JsonString text) {
      String exact = EventTexts.exact(result, ModelEvents.ANSWER, text.value());
      return List.of(new Generation(
          new AssistantMessage(exact), generation(null, result.finish().reason())));
    }
    if (answer instanceof JsonObject object
        && object.get(ModelEvents.GENERATIONS) instanceof JsonArray several) {
      List<Generation> generations = new ArrayList<>();
      for (JsonValue each : several) {
        String pointer = ModelEvents.ANSWER + "/" + ModelEvents.GENERATIONS + "/";
        generations.add(generation(pointer + generations.size(), each, generations.isEmpty()));
      }
      return generations;
    }
    return List.of(generation(ModelEvents.ANSWER, answer, true));
  }

  private Generation generation(String pointer, JsonValue value, boolean isFirst) {
    if (!(value instanceof JsonObject json) || !json.has(MessageJson.ROLE)) {
      throw new IllegalStateException(
          "the recorded answer of model call %s is not a message that Spring AI can read"
              .formatted(result.id()));
    }
    AssistantMessage.Builder<?> message = AssistantMessage.builder();
    message.content(text(pointer, json, MessageJson.CONTENT));
    if (json.get(ModelEvents.METADATA) instanceof JsonObject metadata) {
      message.properties(map(pointer + "/" + ModelEvents.METADATA, metadata));
    }
    if (json.get(MessageJson.TOOL_CALLS) instanceof JsonArray calls) {
      message.toolCalls(calls(pointer + "/" + MessageJson.TOOL_CALLS, calls));
    }
    if (json.get(MessageJson.MEDIA) instanceof JsonArray media) {
      message.media(media(pointer + "/" + MessageJson.MEDIA, media));
    }
    JsonObject stated =
        json.get(ModelEvents.GENERATION) instanceof JsonObject object ? object : null;
    String ofGeneration = text(pointer, json, Names.FINISH_REASON);
    String reason = ofGeneration == null && isFirst ? result.finish().reason() : ofGeneration;
    return new Generation(message.build(), generation(stated, reason));
  }

  private ChatGenerationMetadata generation(@Nullable JsonObject stated, @Nullable String reason) {
    if (reason == null && stated == null) {
      return ChatGenerationMetadata.NULL;
    }
    ChatGenerationMetadata.Builder metadata = ChatGenerationMetadata.builder();
    metadata.finishReason(reason);
    if (stated != null && stated.get(ModelEvents.METADATA) instanceof JsonObject values) {
      map("", values).forEach(metadata::metadata);
    }
    if (stated != null && stated.get(ModelEvents.CONTENT_FILTERS) instanceof JsonArray filters) {
      filters.forEach(filter -> metadata.contentFilter(filter.asString()));
    }
    return metadata.build();
  }

  private List<ToolCall> calls(String pointer, JsonArray calls) {
    List<ToolCall> restored = new ArrayList<>();
    for (JsonValue each : calls) {
      JsonObject call = each.asObject();
      String place = pointer + "/" + restored.size();
      restored.add(toolCall(
          text(place, call, MessageJson.ID),
          text(place, call, MessageJson.TYPE),
          text(place, call, MessageJson.NAME),
          text(place, call, MessageJson.ARGUMENTS)));
    }
    return restored;
  }

  @SuppressWarnings("NullAway") // some models give no ids
  private static ToolCall toolCall(
      @Nullable String id,
      @Nullable String type,
      @Nullable String name,
      @Nullable String arguments) {
    return new ToolCall(id, type, name, arguments);
  }

  private List<Media> media(String pointer, JsonArray media) {
    List<Media> restored = new ArrayList<>();
    for (JsonValue each : media) {
      JsonObject json = each.asObject();
      String place = pointer + "/" + restored.size();
      Media.Builder builder = Media.builder();
      String type = text(place, json, MessageJson.MIME_TYPE);
      if (type != null) {
        builder.mimeType(MimeType.valueOf(type));
      }
      String data = text(place, json, MessageJson.DATA);
      String uri = text(place, json, MessageJson.URI);
      if (data != null) {
        builder.data(Base64.getDecoder().decode(data));
      } else if (uri != null) {
        data(builder, uri);
      }
      String id = text(place, json, MessageJson.ID);
      String name = text(place, json, MessageJson.NAME);
      if (id != null) {
        builder.id(id);
      }
      if (name != null) {
        builder.name(name);
      }
      restored.add(builder.build());
    }
    return restored;
  }

  private static void data(Media.Builder builder, String uri) {
    try {
      builder.data(URI.create(uri));
    } catch (IllegalArgumentException e) {
      builder.data(uri); // text of a different form
    }
  }

  private @Nullable String text(String pointer, JsonObject json, String name) {
    return json.get(name) instanceof JsonString text
        ? EventTexts.exact(result, pointer + "/" + name, text.value())
        : null;
  }

  private ChatResponseMetadata.Builder metadata() {
    ChatResponseMetadata.Builder metadata = ChatResponseMetadata.builder();
    JsonObject extra = result.meta().extra();
    if (extra.get(ModelEvents.METADATA) instanceof JsonObject values) {
      map("/" + ModelEvents.METADATA, values).forEach(metadata::keyValue);
    }
    if (extra.get(ModelEvents.MODEL) instanceof JsonString model) {
      metadata.model(EventTexts.exact(result, ModelEvents.MODEL_PLACE, model.value()));
    }
    if (extra.get(Names.RESPONSE_ID) instanceof JsonString id) {
      metadata.id(EventTexts.exact(result, ModelEvents.RESPONSE_ID_PLACE, id.value()));
    }
    Usage usage = usage(
        extra.get(Names.TOKEN_DETAILS) instanceof JsonObject details ? details : JsonObject.EMPTY);
    return usage == null ? metadata : metadata.usage(usage);
  }

  private @Nullable Usage usage(JsonObject details) {
    Long stated = result.tokens().input();
    Long answered = result.tokens().output();
    if (stated == null && answered == null) {
      return null;
    }
    int input = count(stated);
    int output = count(answered);
    Long sum = number(details, ModelEvents.TOTAL);
    int total = sum == null ? input + output : count(sum);
    Long read = number(details, ModelEvents.CACHE_READ);
    Long written = number(details, ModelEvents.CACHE_WRITE);
    return read == null && written == null
        ? new DefaultUsage(input, output, total)
        : new DefaultUsage(input, output, total, null, read, written);
  }

  private static @Nullable Long number(JsonObject details, String name) {
    return details.get(name) instanceof JsonNumber number ? (Long) number.asLong() : null;
  }

  private static int count(@Nullable Long tokens) {
    return tokens == null ? 0 : Math.toIntExact(tokens);
  }

  /** The values of an object, without null and those that had no JSON form. */
  private Map<String, Object> map(String pointer, JsonObject json) {
    JsonObject types = result.meta().extra().get(Names.JAVA_TYPES) instanceof JsonObject object
        ? object
        : JsonObject.EMPTY;
    Map<String, Object> map = new LinkedHashMap<>();
    json.forEach((name, value) -> {
      Object java = java(value);
      String place = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
      boolean isForeign = types.names().stream()
          .anyMatch(type -> type.equals(place) || type.startsWith(place + "/"));
      if (java != null && !isForeign) {
        map.put(name, java);
      }
    });
    return map;
  }

  private static @Nullable Object java(JsonValue value) {
    if (value instanceof JsonString text) {
      return text.value();
    } else if (value instanceof JsonBoolean bool) {
      return bool.value();
    } else if (value instanceof JsonNumber number) {
      return number(number);
    } else if (value instanceof JsonObject object) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      object.forEach((name, member) -> map.put(name, java(member)));
      return map;
    } else if (value instanceof JsonArray array) {
      List<@Nullable Object> list = new ArrayList<>();
      array.forEach(element -> list.add(java(element)));
      return list;
    }
    return null;
  }

  private static Object number(JsonNumber number) {
    if (!number.isIntegerLiteral()) {
      return number.asDouble();
    }
    long value = number.asLong();
    if (value == (int) value) {
      return (int) value;
    }
    return value;
  }
}
