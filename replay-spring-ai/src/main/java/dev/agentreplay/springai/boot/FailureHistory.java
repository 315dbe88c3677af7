package dev.agentreplay.springai.boot;

import dev.agentreplay.io.agent.RecordingFailure;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The last failures of recording. Warns of the first one of each session, as long as the session is
 * among the last {@value #SESSIONS} that failed. Safe for use by several threads.
 */
final class FailureHistory {

  /** A failure with its time. */
  record Entry(Instant time, RecordingFailure failure) {}

  private static final Log LOG = LogFactory.getLog("dev.agentreplay.springai");
  private static final int KEPT = 10;
  private static final int SESSIONS = 1000;

  private final BiConsumer<String, Throwable> warning;
  private final Deque<Entry> last = new ArrayDeque<>();
  private final Set<String> warned = new LinkedHashSet<>();
  private long count;

  FailureHistory() {
    this(LOG::warn);
  }

  FailureHistory(BiConsumer<String, Throwable> warning) {
    this.warning = warning;
  }

  /** Adds a failure. */
  void add(RecordingFailure failure) {
    boolean warns;
    synchronized (this) {
      count++;
      if (last.size() == KEPT) {
        last.removeFirst();
      }
      last.addLast(new Entry(Instant.now(), failure));
      warns = warned.add(failure.session());
      if (warned.size() > SESSIONS) {
        warned.remove(warned.iterator().next());
      }
    }
    if (warns) {
      warning.accept(
          failure.session() + ": " + failure.event() + " was not recorded; the agent continues",
          failure.cause());
    }
  }

  /** The number of failures so far. */
  synchronized long count() {
    return count;
  }

  /** The last failures, the oldest first. */
  synchronized List<Entry> last() {
    return List.copyOf(last);
  }
}
