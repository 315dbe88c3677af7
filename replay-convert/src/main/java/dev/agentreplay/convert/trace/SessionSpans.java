package dev.agentreplay.convert.trace;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.prompt.PromptHistory;
import dev.agentreplay.convert.PublishedCopyException;
import dev.agentreplay.convert.trace.export.Exchange;
import dev.agentreplay.convert.trace.export.ExportSource;
import dev.agentreplay.convert.trace.export.ExportedSession;
import dev.agentreplay.convert.trace.export.SpanWriter;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a session while it is recorded: the span of a call as soon as its result is in the
 * log, and at the end those of the session, its sub-agents and of calls without a result. They are
 * the spans of an export of the whole session, with the same ids, in the JSON form of the
 * OpenTelemetry protocol.
 *
 * <pre>{@code
 * SessionSpans spans = SessionSpans.of(session, TraceFormat.OTEL);
 * try (LogFollower log = LogFollower.open(session.log())) {
 *   for (ReplayLine line = log.next(); line != null; line = log.next()) {
 *     spans.add(line, log.dialect()).forEach(span -> System.out.println(span));
 *   }
 * }
 * spans.end().forEach(span -> System.out.println(span));
 * }</pre>
 *
 * <p>The values of the session are held in memory until the end, up to
 * {@link ExportOptions#maxBytes} by default. Not safe for use by several threads.
 */
public final class SessionSpans {

  private final Session session;
  private final SpanWriter writer;
  private final ExportSource source;
  private final PromptHistory prompts;
  private final Set<Exchange> written = new HashSet<>();
  private @Nullable ExportedSession exported;

  private SessionSpans(Session session, SpanWriter writer) {
    this.session = session;
    this.writer = writer;
    this.source = new ExportSource(session, false, ExportOptions.defaults().maxBytes(), true);
    this.prompts = new PromptHistory(session::resolve);
  }

  /**
   * Creates the spans of a session, from its first line on.
   *
   * @param conventions {@link TraceFormat#OTEL} or {@link TraceFormat#OPENINFERENCE}
   * @throws IllegalArgumentException if the format is a different one
   */
  public static SessionSpans of(Session session, TraceFormat conventions) {
    return switch (conventions) {
      case OTEL -> new SessionSpans(session, SpanWriter.genAi());
      case OPENINFERENCE -> new SessionSpans(session, SpanWriter.openInference());
      default -> throw new IllegalArgumentException("not a format of spans: " + conventions.id());
    };
  }

  /**
   * Adds the next line of the log. Returns the span that is complete with it, or an empty list.
   *
   * @param dialect the dialect of the log
   * @throws PublishedCopyException if the log is a published copy
   * @throws IOException if a blob cannot be read, or the values are too long
   */
  public List<JsonObject> add(ReplayLine line, Dialect dialect) throws IOException {
    if (exported == null) {
      if (line.json().has(Names.PUBLISHED)) {
        throw new PublishedCopyException(session.log());
      }
      String id = session.id();
      exported = new ExportedSession(id == null ? session.log().getFileName().toString() : id);
    }
    ReplayEvent event = prompts.expand(line.event());
    Exchange answered = source.add(line, event, dialect, exported);
    if (answered == null) {
      return List.of();
    }
    written.add(answered);
    return List.of(writer.span(exported, answered));
  }

  /** Returns the spans that are not complete before the session has ended. */
  public List<JsonObject> end() {
    if (exported == null) {
      return List.of();
    }
    exported.complete();
    return writer.spans(exported, written).stream().map(span -> span.asObject()).toList();
  }

  /** The name of the agent, which is the name of the service in an export of spans. */
  public String agentName() {
    return exported == null ? "unknown" : exported.agentName();
  }
}
