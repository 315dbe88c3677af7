package dev.agentreplay.engine.view;

import dev.agentreplay.model.Status;
import dev.agentreplay.model.check.EventRules;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The totals over many sessions. Its memory is bounded by the names of statuses, tools and models.
 * Not safe for use by several threads.
 *
 * <pre>{@code
 * FolderTotals totals = new FolderTotals();
 * try (Stream<FolderEntry<SessionSummary>> entries = SessionFolder.at(directory).summaries()) {
 *   entries.forEach(totals::add);
 * }
 * System.out.println(totals.stats().tokensIn());
 * }</pre>
 */
public final class FolderTotals {

  /** The key in {@link #byStatus} of the sessions that have not ended. */
  public static final String NOT_ENDED = "not-ended";

  private final StatsSum sum = new StatsSum();
  private final Map<String, Long> byStatus = new TreeMap<>();
  private long sessions;
  private long unreadable;
  private long skipped;
  private long durationMillis;

  /** Creates totals over no session. */
  public FolderTotals() {}

  /** Adds a session, or a place that could not be read. */
  public void add(FolderEntry<SessionSummary> entry) {
    if (entry instanceof FolderEntry.Loaded<SessionSummary> read) {
      add(read.value());
    } else if (entry instanceof FolderEntry.Failed<SessionSummary> failed) {
      skipped += failed.isSkipped() ? 1 : 0;
      unreadable += failed.isSkipped() ? 0 : 1;
    }
  }

  /** Adds a session. */
  public void add(SessionSummary summary) {
    sessions++;
    byStatus.merge(statusOf(summary), 1L, Long::sum);
    sum.add(summary.totals());
    Duration duration = summary.totals().duration();
    durationMillis =
        EventRules.addTotal(durationMillis, duration == null ? null : duration.toMillis());
  }

  /** The word for the status of a session: {@link Status#word}, or {@link #NOT_ENDED}. */
  public static String statusOf(SessionSummary summary) {
    Objects.requireNonNull(summary, "summary");
    Status status = summary.status();
    return status == null ? NOT_ENDED : status.word();
  }

  /** The number of sessions that were read. */
  public long sessions() {
    return sessions;
  }

  /** The number of sessions that could not be read, which are in no other total. */
  public long unreadable() {
    return unreadable;
  }

  /** The number of places that were not searched for sessions. */
  public long skipped() {
    return skipped;
  }

  /** The numbers of sessions by the word for their status, sorted. Unmodifiable. */
  public Map<String, Long> byStatus() {
    return Collections.unmodifiableMap(new TreeMap<>(byStatus));
  }

  /** The sum of the durations of the sessions, as far as their events state times. */
  public Duration totalDuration() {
    return Duration.ofMillis(durationMillis);
  }

  /**
   * The sums over all sessions. The first and the last time are those of any session, so that the
   * duration between them is not the sum of the durations; there are no totals by agent.
   */
  public SessionStats stats() {
    return sum.toStats();
  }

  @Override
  public String toString() {
    return "%d sessions: %s, unreadable: %d, skipped: %d"
        .formatted(sessions, byStatus, unreadable, skipped);
  }
}
