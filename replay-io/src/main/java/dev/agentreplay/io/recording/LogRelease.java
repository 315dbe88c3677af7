package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogSegments;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Releases the journal and the lock of a log, in that order, also after a failure. An Error may not
 * recur: a step that it interrupts is tried once more. Not safe for use by several threads.
 */
final class LogRelease {

  private static final int ATTEMPTS = 2;

  private final Journal journal;
  private final Closeable claim;
  private int lostEvents;
  private boolean closed;

  LogRelease(Journal journal, Closeable claim) {
    this.journal = journal;
    this.claim = claim;
  }

  /** Whether both are released. */
  boolean isClosed() {
    return closed;
  }

  /** The number of events that were buffered, and lost with the journal. */
  int lostEvents() {
    return lostEvents;
  }

  /**
   * Finishes the journal, and releases both. A step that fails does not prevent the others; after
   * an Error this may be called again.
   *
   * @param forces whether the journal is forced to disk with any durability
   */
  void close(boolean forces) throws IOException {
    if (closed) {
      return;
    }
    Throwable failure = null;
    boolean isReleased = true;
    int attempts = 0;
    for (int step = 0; step < 3; ) {
      try {
        if (step == 0) {
          journal.finish(forces);
        } else if (step == 1) {
          lostEvents = journal.bufferedEvents();
          journal.close();
        } else {
          claim.close();
        }
        attempts = 0;
        step++;
      } catch (Throwable e) {
        boolean isError = e instanceof Error || e.getCause() instanceof Error;
        if (!isError || ++attempts == ATTEMPTS) {
          failure = failure == null ? e : failure;
          isReleased &= step == 0 || !isError;
          attempts = 0;
          step++;
        }
      }
    }
    closed = isReleased;
    throwIfFailed(failure);
  }

  /** Releases both because of a failure, and deletes the log. */
  void discard(Disk disk, Path log, Throwable failure) {
    int segments = journal.segment();
    close(journal, failure);
    delete(disk, log, segments, failure);
    close(claim, failure);
    closed = true;
  }

  /** Releases a file or a lock because of a failure. */
  static void close(@Nullable Closeable resource, Throwable failure) {
    for (int attempt = 1; resource != null && attempt <= ATTEMPTS; attempt++) {
      try {
        resource.close();
        return;
      } catch (Error e) {
        failure.addSuppressed(e);
      } catch (Throwable e) {
        failure.addSuppressed(e);
        return;
      }
    }
  }

  /** Deletes the segments of a log because of a failure. */
  static void delete(Disk disk, Path log, int segments, Throwable failure) {
    try {
      for (int segment = segments; segment > 0; segment--) {
        disk.delete(LogSegments.file(log, segment));
      }
      disk.forceParent(log);
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }

  static void throwIfFailed(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }
}
