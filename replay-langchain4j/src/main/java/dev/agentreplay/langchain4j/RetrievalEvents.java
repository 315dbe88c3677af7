package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.content.DefaultContent;
import dev.langchain4j.rag.query.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the events of retrievals. */
final class RetrievalEvents {

  private RetrievalEvents() {}

  /** Creates the event of a query; its id is empty. */
  static ToolCall call(String tool, Query query) {
    EventTexts text = new EventTexts();
    String name = text.at("/tool", tool);
    JsonValue params = JsonObject.of("query", text.at("/params/query", query.text()));
    return ToolCall.of("", name, params).withMeta(text.meta());
  }

  /** Creates the event of retrieved contents; null if the retriever returned null. */
  static ToolResult result(
      String id, @Nullable List<Content> contents, @Nullable Long latencyMillis) {
    EventTexts text = new EventTexts();
    JsonValue output = text.value("/output", contents == null ? null : documents(contents));
    return ToolResult.of(id, output)
        .withOutcome(Outcome.OK)
        .withLatencyMillis(latencyMillis)
        .withMeta(text.meta());
  }

  /** Creates the event of a retriever that threw; it has no effects that could be unknown. */
  static ToolResult failed(String id, Throwable error, @Nullable Long latencyMillis) {
    return ToolEvents.failed(id, error, latencyMillis)
        .withOutcome(Outcome.failed(Failure.of(error)));
  }

  private static List<Map<String, @Nullable Object>> documents(List<Content> contents) {
    List<Map<String, @Nullable Object>> documents = new ArrayList<>(contents.size());
    for (Content content : contents) {
      documents.add(document(content));
    }
    return documents;
  }

  private static Map<String, @Nullable Object> document(Content content) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    TextSegment segment = content.textSegment();
    if (segment != null) {
      document.put("text", segment.text());
      if (!segment.metadata().toMap().isEmpty()) {
        document.put("metadata", segment.metadata().toMap());
      }
    }
    for (ContentMetadata name : ContentMetadata.values()) {
      if (content.metadata().containsKey(name)) {
        document.put(ParametersJson.lowerCase(name), content.metadata().get(name));
      }
    }
    if (content.getClass() != DefaultContent.class) { // it may have more than a text
      document.put("content", content);
    }
    return document;
  }
}
