package dev.agentreplay.convert.trace.langfuse;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.convert.trace.span.SpanLines;
import dev.agentreplay.convert.trace.span.SpanSessions;
import java.io.IOException;

/**
 * Reads exports of Langfuse: the {@code observations_v2} of its export to blob storage, in JSON
 * lines or a JSON array, and traces with their observations from its API or user interface.
 */
public final class LangfuseReader implements TraceReader {

  /** Creates a reader. */
  public LangfuseReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.LANGFUSE;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    return LangfuseDocument.isRecognized(head.document())
        || head.anyLine(LangfuseDocument::isRecognized);
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    SpanSessions sessions = new SpanSessions(LangfuseVocabulary.INSTANCE);
    LangfuseDocument document = new LangfuseDocument(sessions);
    if (SpanLines.hasLines(source, LangfuseDocument::isRecognized)) {
      SpanLines.read(source, sessions, document::add);
    } else {
      document.add(source.document(), SourcePlace.DOCUMENT);
    }
    sessions.write(output);
  }
}
