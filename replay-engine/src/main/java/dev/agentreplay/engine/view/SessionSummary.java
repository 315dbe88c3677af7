package dev.agentreplay.engine.view;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ImportOrigin;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The task, labels, outcome and totals of a session, read in one pass and in bounded memory.
 * Immutable and safe for use by several threads.
 */
public final class SessionSummary {

  private final Session session;
  private final SessionStats totals;
  private final @Nullable String sessionId;
  private final @Nullable SessionStart start;
  private final @Nullable SessionEnd end;
  private final @Nullable SessionOrigin origin;
  private final @Nullable ImportOrigin importedFrom;
  private final @Nullable String doubt;

  private SessionSummary(
      Session session,
      SessionStats totals,
      @Nullable String sessionId,
      @Nullable SessionStart start,
      @Nullable SessionEnd end,
      @Nullable SessionOrigin origin,
      @Nullable ImportOrigin importedFrom,
      @Nullable String doubt) {
    this.session = session;
    this.totals = totals;
    this.sessionId = sessionId;
    this.start = start;
    this.end = end;
    this.origin = origin;
    this.importedFrom = importedFrom;
    this.doubt = doubt;
  }

  /**
   * Reads the log of a session.
   *
   * @throws IOException if the log cannot be read, or a line is malformed
   */
  public static SessionSummary read(Session session) throws IOException {
    StatsAccumulator totals = new StatsAccumulator();
    long totalLines = 0;
    String sessionId = null;
    SessionStart start = null;
    SessionEnd end = null;
    SessionOrigin origin = null;
    ImportOrigin importedFrom = null;
    String doubt = null;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        ReplayEvent event = line.event();
        totals.add(event);
        sessionId = sessionId == null ? event.meta().sessionId() : sessionId;
        if (totalLines++ == 0 && reader.foreignFormat() != null) {
          doubt = "the file looks like " + reader.foreignFormat();
        }
        if (event instanceof ReplayHeader header) {
          origin = SessionOrigin.of(header);
          importedFrom = ImportOrigin.of(header);
          doubt =
              header.support() == ReplayHeader.Support.UNSUPPORTED ? header.versionFault() : doubt;
        } else if (event instanceof SessionStart first && start == null) {
          start = first;
        } else if (event instanceof SessionEnd last) {
          end = last;
        }
      }
    }
    SessionStats stats = totals.toStats();
    if (doubt == null && stats.events() == stats.unknownEvents()) {
      doubt = stats.events() == 0
          ? "expected a log, found no events"
          : "expected a log, found no event of a known kind in its lines: " + stats.events();
    }
    return new SessionSummary(session, stats, sessionId, start, end, origin, importedFrom, doubt);
  }

  /** The session. */
  public Session session() {
    return session;
  }

  /** The id of the session: the first that an event states; null if none does. */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /** The task of the agent in words; null if it is not stated. */
  public @Nullable String task() {
    return start == null ? null : start.task().text();
  }

  /** The service which ran, as its tag states it; null if none does. */
  public @Nullable String service() {
    return labels().service();
  }

  /** The labels of the session. */
  public Labels labels() {
    return start == null ? Labels.NONE : start.labels();
  }

  /** The commit of the repository that the agent worked in; null if it is not stated. */
  public @Nullable String commit() {
    return start != null
            && start.repository() != null
            && start.repository().get("commit") instanceof JsonString commit
        ? commit.value()
        : null;
  }

  /** The time of the first event; null if no event states a time. */
  public @Nullable Timestamp startTime() {
    return totals.firstTime();
  }

  /** The status with which the session ended; null if it has not ended. */
  public @Nullable Status status() {
    return end == null ? null : end.status();
  }

  /** The end of the session; null if it has not ended. */
  public @Nullable SessionEnd end() {
    return end;
  }

  /** The fork that the session is, as its header states it; null if it is none. */
  public @Nullable ForkOrigin forkedFrom() {
    return origin == null ? null : origin.fork();
  }

  /** The session that this one is a replay of, as its header states it; null if it is none. */
  public @Nullable ReplayOrigin replayOf() {
    return origin == null ? null : origin.replay();
  }

  /** The session that this one was made from, as a fork or a replay; null if it is neither. */
  public @Nullable SessionOrigin origin() {
    return origin;
  }

  /** The trace that the session was imported from, as its header states it; null if it is none. */
  public @Nullable ImportOrigin importedFrom() {
    return importedFrom;
  }

  /** Whether the session ended with a status other than success. */
  public boolean failed() {
    return end != null && !end.status().isSuccess();
  }

  /**
   * The reason why the file may not be a log that this version understands: an unsupported version
   * in its header, no event of a known kind, or a different format. Null if there is none.
   */
  public @Nullable String doubt() {
    return doubt;
  }

  /** The totals of the session. */
  public SessionStats totals() {
    return totals;
  }

  @Override
  public String toString() {
    return "%s: %s"
        .formatted(session.log(), end == null ? "not ended" : end.status().word());
  }
}
