package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RunningCall;
import dev.agentreplay.langchain4j.OpenCalls.OpenCall;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Query;
import java.util.List;
import java.util.function.Function;

/**
 * A content retriever whose retrievals are recorded as calls of a tool, because the listeners of a
 * service see only the prompt that the contents become part of. Safe for use by several threads if
 * the retriever is.
 */
final class RecordedRetriever implements ContentRetriever {

  private final String tool;
  private final ContentRetriever retriever;

  /** Returns the session that the retrieval of a query is recorded into; never throws. */
  private final Function<Query, GuardedSession> sessions;

  RecordedRetriever(
      String tool, ContentRetriever retriever, Function<Query, GuardedSession> sessions) {
    this.tool = tool;
    this.retriever = retriever;
    this.sessions = sessions;
  }

  @Override
  public List<Content> retrieve(Query query) {
    GuardedSession session = sessions.apply(query);
    String callId = session.call(() -> RetrievalEvents.call(tool, query));
    RunningCall running = session.begin(callId, 1);
    OpenCall call = new OpenCall(query, callId, session.nanoTime());
    List<Content> contents;
    try {
      contents = retriever.retrieve(query);
    } catch (Throwable e) {
      long latencyMillis = call.millis(session.nanoTime());
      session.result("ToolResult", callId, id -> RetrievalEvents.failed(id, e, latencyMillis));
      throw e;
    } finally {
      if (running != null) {
        running.end();
      }
    }
    long latencyMillis = call.millis(session.nanoTime());
    session.result("ToolResult", callId, id -> RetrievalEvents.result(id, contents, latencyMillis));
    return contents;
  }
}
