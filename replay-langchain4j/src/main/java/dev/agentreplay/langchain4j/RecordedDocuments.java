package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Restores retrieved contents from their events, the reverse of {@link RetrievalEvents}. */
final class RecordedDocuments {

  private RecordedDocuments() {}

  /**
   * The contents of a retrieval that did not fail; null if the retriever returned null. A content
   * is of LangChain4j's own class.
   *
   * @throws IllegalStateException if the event does not have the contents of a retrieval
   */
  static @Nullable List<Content> of(ToolResult result) {
    JsonValue output = result.output().value();
    if (output instanceof JsonNull) {
      return null;
    }
    if (!(output instanceof JsonArray documents)) {
      throw new IllegalStateException(
          "the recorded output of retrieval %s is not an array of documents"
              .formatted(result.id()));
    }
    List<Content> contents = new ArrayList<>();
    for (JsonValue document : documents) {
      contents.add(content(result, "/output/" + contents.size(), document.asObject()));
    }
    return contents;
  }

  private static Content content(ToolResult result, String pointer, JsonObject document) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    if (document.get("metadata") instanceof JsonObject recorded) {
      recorded.forEach((name, value) -> {
        Object java = value(result, pointer + "/metadata/" + escaped(name), value);
        if (java != null) {
          metadata.put(name, java);
        }
      });
    }
    if (!(document.get("text") instanceof JsonString)) {
      throw new IllegalStateException(
          "a document of retrieval %s at %s has no text".formatted(result.id(), pointer));
    }
    Object text = value(result, pointer + "/text", document.get("text"));
    Map<ContentMetadata, Object> scores = new EnumMap<>(ContentMetadata.class);
    for (ContentMetadata name : ContentMetadata.values()) {
      String member = ParametersJson.lowerCase(name);
      JsonValue value = document.get(member);
      Object java = value == null ? null : value(result, pointer + "/" + member, value);
      if (java != null) {
        scores.put(name, java instanceof Number number ? number.doubleValue() : java);
      }
    }
    return Content.from(TextSegment.from((String) text, Metadata.from(metadata)), scores);
  }

  private static @Nullable Object value(ToolResult result, String pointer, JsonValue value) {
    String exact = EventTexts.exact(result, pointer);
    return exact == null ? RecordedToolResults.java(value) : exact;
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
