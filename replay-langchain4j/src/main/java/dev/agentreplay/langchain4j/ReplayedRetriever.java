package dev.agentreplay.langchain4j;

import dev.agentreplay.engine.replay.agent.Execution;
import dev.agentreplay.engine.replay.agent.ReplayedLane;
import dev.agentreplay.model.ToolResult;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Query;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A content retriever whose retrievals are replayed. Safe for use by several threads if the
 * retriever is.
 */
final class ReplayedRetriever implements ContentRetriever {

  private final String tool;
  private final ContentRetriever retriever;

  /** Returns the lane that the retrieval of a query is replayed in. */
  private final Function<Query, ReplayedLane> lanes;

  ReplayedRetriever(String tool, ContentRetriever retriever, Function<Query, ReplayedLane> lanes) {
    this.tool = tool;
    this.retriever = retriever;
    this.lanes = lanes;
  }

  @Override
  public @Nullable List<Content> retrieve(Query query) {
    AtomicReference<@Nullable Execution<List<Content>>> executed = new AtomicReference<>();
    ToolResult result;
    try {
      result = lanes.apply(query).execute(RetrievalEvents.call(tool, query), 1, issued -> {
        Execution<List<Content>> execution = execute(issued.id(), query);
        executed.set(execution);
        return (ToolResult) execution.event();
      });
    } catch (Exception e) { // of the replay
      throw RecordedExceptions.<RuntimeException>thrown(e);
    }
    Execution<List<Content>> execution = Execution.ifAnswer(executed.get(), result);
    Throwable thrown = execution == null ? RecordedToolResults.thrown(result) : execution.thrown();
    if (thrown != null) {
      throw RecordedExceptions.<RuntimeException>thrown(thrown);
    }
    return execution == null ? RecordedDocuments.of(result) : execution.value();
  }

  private Execution<List<Content>> execute(String id, Query query) {
    try {
      List<Content> contents = retriever.retrieve(query);
      return new Execution<>(RetrievalEvents.result(id, contents, null), contents, null);
    } catch (Exception e) { // the retriever's own, of any class
      return new Execution<>(RetrievalEvents.failed(id, e, null), null, e);
    }
  }
}
