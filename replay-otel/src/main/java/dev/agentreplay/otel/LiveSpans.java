package dev.agentreplay.otel;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.convert.trace.SessionSpans;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.log.FollowOptions;
import dev.agentreplay.io.log.LogFollower;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the spans of sessions to an exporter: each call when its result is in the log, the session
 * and its sub-agents at the end. The ids of the spans are derived from those of the session and its
 * calls, so that sending a session again gives the same spans.
 *
 * <p>One thread sends; {@link #close} may be called by any thread, and ends {@link #follow}.
 */
public final class LiveSpans implements Closeable {

  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final SpanExporter exporter;
  private final TraceFormat conventions;
  private volatile boolean isClosed;
  private volatile @Nullable LogFollower followed;

  private LiveSpans(SpanExporter exporter, TraceFormat conventions) {
    this.exporter = Objects.requireNonNull(exporter, "exporter");
    this.conventions = conventions;
  }

  /**
   * Creates a sender. The exporter is not closed with it.
   *
   * @param conventions the names of the attributes: {@link TraceFormat#OTEL} or
   *     {@link TraceFormat#OPENINFERENCE}
   * @throws IllegalArgumentException if the format is a different one
   */
  public static LiveSpans to(SpanExporter exporter, TraceFormat conventions) {
    if (conventions != TraceFormat.OTEL && conventions != TraceFormat.OPENINFERENCE) {
      throw new IllegalArgumentException("not a format of spans: " + conventions.id());
    }
    return new LiveSpans(exporter, conventions);
  }

  /**
   * Follows a log while it is written, until the session ends or this sender is closed, and sends
   * its spans.
   *
   * @param log the log; it is waited for if it does not exist yet
   * @return the number of spans
   * @throws IOException if the log cannot be read, or the exporter does not accept spans
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public long follow(Path log) throws IOException, InterruptedException {
    SessionSpans spans = null;
    long sent = 0;
    try (LogFollower lines = LogFollower.open(log, FollowOptions.defaults().withAwaitsFile(true))) {
      followed = lines;
      if (isClosed) {
        return 0;
      }
      for (ReplayLine line = lines.next(); line != null; line = lines.next()) {
        if (spans == null) {
          spans = SessionSpans.of(Session.open(log), conventions);
        }
        sent += send(spans.add(line, dialect(lines.dialect())), spans);
      }
    } finally {
      followed = null;
    }
    return spans == null ? sent : sent + send(spans.end(), spans);
  }

  /**
   * Sends the spans of a session that was recorded.
   *
   * @return the number of spans
   * @throws IOException if the log cannot be read, or the exporter does not accept spans
   */
  public long send(Session session) throws IOException {
    SessionSpans spans = SessionSpans.of(session, conventions);
    long sent = 0;
    try (ReplayReader lines = session.reader()) {
      for (ReplayLine line = lines.read(); line != null; line = lines.read()) {
        sent += send(spans.add(line, dialect(lines.dialect())), spans);
      }
    }
    return sent + send(spans.end(), spans);
  }

  private static Dialect dialect(@Nullable Dialect dialect) {
    return dialect == null ? Dialect.EVENT : dialect;
  }

  private long send(List<JsonObject> spans, SessionSpans session) throws IOException {
    if (spans.isEmpty()) {
      return 0;
    }
    Resource resource = Resource.create(Attributes.of(SERVICE, session.agentName()));
    List<SpanData> data = new ArrayList<>(spans.size());
    for (JsonObject span : spans) {
      data.add(new OtlpSpan(span, resource));
    }
    CompletableResultCode result =
        exporter.export(data).join(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    if (!result.isSuccess()) {
      Throwable reason = result.getFailureThrowable();
      throw new IOException(
          "the exporter did not accept %d spans%s"
              .formatted(data.size(), reason == null ? "" : ": " + reason),
          reason);
    }
    return data.size();
  }

  /** Ends {@link #follow}, which sends the spans of what it has read. */
  @Override
  public void close() throws IOException {
    isClosed = true;
    LogFollower open = followed;
    if (open != null) {
      open.close();
    }
  }
}
