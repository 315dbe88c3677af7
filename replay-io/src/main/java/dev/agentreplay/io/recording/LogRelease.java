package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogSegments;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Gives up the journal of a log and the right to write it, in that order, also after a failure. An
 * Error need not come again: what it interrupts is tried once more. Not safe for use by several
 * threads.
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

  /** Whether both are given up. */
  boolean isClosed() {
    return closed;
  }

  /** The number of events that were buffered, and lost with the journal. */
  int lostEvents() {
    return lostEvents;
  }

  /**
   * Finishes the journal, and gives up both. What fails does not keep the rest from being done;
   * when an Error has, this may be called again.
   *
   * @param forces whether the journal is forced to the disk in any case
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

  /** Gives up both because of a failure, and deletes the log. */
  void discard(Disk disk, Path log, Throwable failure) {
    int segments = journal.segment();
    close(journal, failure);
    delete(disk, log, segments, failure);
    close(claim, failure);
    closed = true;
  }

  /** Gives up a file or a lock because of a failure. */
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
