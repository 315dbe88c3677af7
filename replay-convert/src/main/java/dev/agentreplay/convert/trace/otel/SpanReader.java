package dev.agentreplay.convert.trace.otel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.convert.trace.span.SpanLines;
import dev.agentreplay.convert.trace.span.SpanSessions;
import java.io.IOException;
import java.util.List;

/**
 * Reads spans: a document, or JSON lines with a request, an export or a span each. All spans of a
 * source are held in memory, because those of one trace can be anywhere in it.
 */
public final class SpanReader implements TraceReader {

  private static final List<String> OPENINFERENCE =
      List.of("openinference.span.kind", "\"openinference\"", "llm.input_messages");

  private final TraceFormat format;

  /**
   * Creates a reader.
   *
   * @param format {@link TraceFormat#OTEL} or {@link TraceFormat#OPENINFERENCE}; both read the
   *     attributes of either
   */
  public SpanReader(TraceFormat format) {
    this.format = format;
  }

  @Override
  public TraceFormat format() {
    return format;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    boolean isRecognized =
        SpanDocument.isRecognized(head.document()) || head.anyLine(SpanDocument::isRecognized);
    return isRecognized && isOpenInference(head.bytes()) == (format == TraceFormat.OPENINFERENCE);
  }

  private static boolean isOpenInference(byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    return OPENINFERENCE.stream().anyMatch(text::contains);
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    SpanSessions sessions = new SpanSessions(OtelVocabulary.INSTANCE);
    SpanDocument document = new SpanDocument(sessions);
    if (SpanLines.hasLines(source, SpanDocument::isRecognized)) {
      SpanLines.read(source, sessions, document::add);
    } else {
      document.add(source.document(), SourcePlace.DOCUMENT);
    }
    sessions.write(output);
  }
}
