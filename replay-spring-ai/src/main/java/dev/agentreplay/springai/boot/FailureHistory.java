package dev.agentreplay.springai.boot;

import dev.agentreplay.io.agent.RecordingFailure;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** The last failures of recording. Warns of the first one of each session. Safe for threads. */
final class FailureHistory {

  /** A failure with its time. */
  record Entry(Instant time, RecordingFailure failure) {}

  private static final Log LOG = LogFactory.getLog("dev.agentreplay.springai");
  private static final int KEPT = 10;

  private final Deque<Entry> last = new ArrayDeque<>();
  private @Nullable String warned;

  /** Adds a failure. */
  void add(RecordingFailure failure) {
    boolean warns;
    synchronized (this) {
      if (last.size() == KEPT) {
        last.removeFirst();
      }
      last.addLast(new Entry(Instant.now(), failure));
      warns = !failure.session().equals(warned);
      warned = failure.session();
    }
    if (warns) {
      LOG.warn(
          failure.session() + ": " + failure.event() + " was not recorded; the agent continues",
          failure.cause());
    }
  }

  /** The last failures, the oldest first. */
  synchronized List<Entry> last() {
    return List.copyOf(last);
  }
}
