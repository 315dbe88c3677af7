package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Logs a replay. The parameters of each message are the name of an event and a JSON object with its
 * fields, as docs/replaying.md lists them, so that a logger for programs need not parse the text.
 */
final class ReplayLog {

  /** The name of the logger. */
  static final String NAME = "dev.agentreplay.engine.replay";

  /** The name of the replay in messages: the id of the session, or the path of the log. */
  private final String session;

  private final Logger logger;

  /** The lines of the recording whose divergences were logged. */
  private final Set<Long> logged = ConcurrentHashMap.newKeySet();

  ReplayLog(Replay replay, RecordingFacts facts) {
    this.session = facts.sessionIdOr(replay.session.log().toString());
    this.logger = replay.logger == null ? System.getLogger(NAME) : replay.logger;
  }

  /** The name of the replay in messages. */
  String session() {
    return session;
  }

  void started(ReplayMode mode, RecordingFacts facts, long exchanges) {
    log(Level.INFO, "replay.started", () -> {
      JsonObject fields = JsonObject.of(
          "mode",
          mode.id(),
          "events",
          facts.events,
          "exchanges",
          exchanges,
          "ended",
          facts.end != null);
      fields = with(fields, "producer", facts.header == null ? null : facts.header.producer());
      fields = with(fields, "version", facts.header == null ? null : facts.header.version());
      return with(
          fields,
          Names.STARTED_AT,
          facts.startedAt() == null ? null : facts.startedAt().toString());
    });
  }

  void ended(ReplayReport report) {
    report.divergences().stream().filter(this::isNew).forEach(this::divergence);
    log(
        Level.INFO,
        "replay.ended",
        () -> JsonObject.of(
            "mode",
            report.mode().id(),
            "verdict",
            report.verdict().id(),
            "requests",
            report.requests(),
            "divergences",
            report.divergenceCount(),
            Names.DURATION_MS,
            report.duration().toMillis()));
  }

  void stopped(Stop stop) {
    log(
        stop.cause().isIncomplete() ? Level.WARNING : Level.DEBUG,
        "replay.stopped",
        () -> JsonObject.of(
            "cause", stop.cause().name().toLowerCase(Locale.ROOT), "reason", stop.reason()));
  }

  /** Logs the circumstances that are known before anything runs, and tells the listeners. */
  void circumstances(List<Circumstance> found, List<ReplayListener> listeners) {
    found.forEach(each -> log(Level.INFO, "replay.circumstance", each::json));
    listeners.forEach(listener -> tell(() -> listener.circumstances(found)));
  }

  void exchange(LedgerEntry entry) {
    log(Level.DEBUG, "replay.exchange", entry::json);
  }

  /** Whether a divergence was found at the end, and so is not in the log. */
  private boolean isNew(ReplayDivergence divergence) {
    Long line = divergence.recordedLine();
    return DivergenceData.isFoundAtEnd(divergence.kind())
        && (line == null || !logged.contains(line));
  }

  private void divergence(ReplayDivergence divergence) {
    log(Level.WARNING, "replay.divergence", () -> {
      JsonObject fields = JsonObject.of("kind", divergence.kind(), "message", divergence.message());
      Long line = divergence.recordedLine();
      return line == null ? fields : fields.with("line", line);
    });
  }

  /** Logs a divergence without the values that differ, which may be secrets. */
  void divergence(LedgerEntry entry, String message) {
    if (entry.line() != null) {
      logged.add(entry.line());
    }
    log(Level.WARNING, "replay.divergence", () -> {
      ReplayMiss miss = entry.miss();
      ReplayMiss.Nearest nearest = miss == null ? null : miss.nearest();
      JsonObject fields = JsonObject.of(
          "request",
          entry.number(),
          "name",
          entry.name(),
          "message",
          message.lines().findFirst().orElse(""));
      fields = with(fields, "miss", miss == null ? null : miss.kind().id());
      return with(fields, "pointer", nearest == null ? null : nearest.pointer());
    });
  }

  void timedOut(String name, Duration waited, ReplayTimeouts.OnTimeout decided) {
    log(
        Level.WARNING,
        "replay.timeout",
        () -> JsonObject.of(
            "name",
            name,
            "waited_ms",
            waited.toMillis(),
            "decision",
            decided.name().toLowerCase(Locale.ROOT)));
  }

  void progress(ReplayListener.Progress progress) {
    log(
        Level.DEBUG,
        "replay.progress",
        () -> JsonObject.of(
            "requests",
            progress.requests(),
            "read",
            progress.read(),
            "recorded",
            progress.recorded(),
            "paused",
            progress.paused()));
  }

  /** Calls a listener; whatever it throws is logged, and keeps no result from the log. */
  void tell(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      listenerFailed(e);
    }
  }

  /** Logs that a listener threw an exception. It has no fields: a logger takes one or the other. */
  void listenerFailed(Throwable e) {
    logger.log(Level.WARNING, "replay.listener_failed", e);
  }

  void metricsFailed(RuntimeException e) {
    logger.log(Level.WARNING, "replay.metrics_failed", e);
  }

  private interface Fields {
    JsonObject get();
  }

  private void log(Level level, String event, Fields fields) {
    if (logger.isLoggable(level)) {
      logger.log(level, "{0} {1}", event, fields.get().with("session", session));
    }
  }

  private static JsonObject with(JsonObject json, String name, @Nullable String value) {
    return value == null ? json : json.with(name, value);
  }
}
