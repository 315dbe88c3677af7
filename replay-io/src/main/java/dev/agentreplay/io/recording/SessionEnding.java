package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ends a recording: writes the event that ends the session, then the receipt and what else seals it
 * if there is a key, and closes the log. The next call resumes at a step that failed. Safe for use
 * by several threads.
 */
final class SessionEnding {

  private final Disk disk;
  private final Path directory;
  private final ReplayWriter writer;
  private final RecordingWriter events;
  private final SessionAccount account;
  private final LossLog losses;
  private final FailurePolicy policy;
  private final @Nullable Signer signer;
  private final @Nullable Salt salt;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Whether the end of the session is in the log. */
  private boolean hasEnded;

  /** The receipt that is being written. */
  private @Nullable SessionSeal seal;

  private boolean isSealed;
  private boolean closing;
  private boolean closed;

  SessionEnding(
      RecordingStart start,
      ReplayWriter writer,
      RecordingWriter events,
      SessionAccount account,
      LossLog losses) {
    this.disk = start.disk;
    this.directory = start.directory;
    this.writer = writer;
    this.events = events;
    this.account = account;
    this.losses = losses;
    this.policy = start.options.failurePolicy();
    this.signer = start.options.writer().evidence().signer();
    this.salt = start.salt;
  }

  /** Ends the session, as {@link SessionRecorder#end(SessionEnd)} specifies. */
  SessionReceipt end(SessionEnd end) throws IOException {
    losses.throwUntold();
    lock.lock();
    try {
      if (seal == null) {
        if (!hasEnded) {
          events.captureAtEnd();
          losses.throwUntold();
        }
        if (!hasEnded || isSealed) {
          WrittenEvent written = events.write(end);
          hasEnded = written.position != null; // a call could throw an Error
        }
        SessionReceipt made = account.toReceipt(writer.digest());
        if (!hasEnded) {
          return withLosses(made);
        }
        seal = new SessionSeal(
            disk,
            directory,
            Objects.requireNonNull(made.replayHash()),
            CanonicalJson.of(writer.canonicalization()),
            made,
            signer,
            salt);
      }
      SessionSeal ending = seal;
      boolean isWritten = isWritten(ending);
      SessionReceipt written = (SessionReceipt) ending.receipt();
      if (isWritten) {
        isSealed = true;
        seal = null;
      }
      return written;
    } finally {
      lock.unlock();
    }
  }

  /** The receipt of a log that cannot report the lost events, because its end is one of them. */
  private SessionReceipt withLosses(SessionReceipt receipt) {
    long lost = losses.total();
    return lost == 0
        ? receipt
        : receipt.withExtra(receipt.extra().with(Names.UNRECORDED_EVENTS, JsonNumber.of(lost)));
  }

  /**
   * Writes receipt, envelope and public checkpoint, signed if the key is available. Returns whether
   * they are written.
   */
  private boolean isWritten(SessionSeal ending) throws IOException {
    try {
      ending.write();
      return true;
    } catch (IOException e) {
      if (policy == FailurePolicy.FAIL) {
        throw e;
      }
      losses.failed(e);
    }
    ending.leaveUnsigned();
    try {
      ending.write();
      return true;
    } catch (IOException e) {
      losses.failed(e);
      return false;
    }
  }

  /** Closes the log, as {@link SessionRecorder#close} specifies. */
  void close() throws IOException {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      Throwable failure = closing ? null : untold();
      closing = true;
      try {
        writer.close();
      } catch (Throwable e) {
        failure = worse(failure, e);
      }
      closed = writer.isClosed();
      if (closed) {
        losses.addClosed(writer.lostEvents());
      }
      if (closed && failure instanceof IOException e && policy == FailurePolicy.DEGRADE) {
        losses.failed(e);
      } else {
        LogRelease.throwIfFailed(failure);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records the last changes of files, and losses. Returns the failure to throw to the caller, or
   * null.
   */
  private @Nullable Throwable untold() {
    Throwable failure = null;
    try {
      if (!hasEnded) {
        events.captureAtEnd();
      }
      losses.mark();
    } catch (Throwable e) {
      failure = e;
    }
    try {
      losses.throwUntold();
    } catch (Throwable e) {
      failure = worse(failure, e);
    }
    return failure;
  }

  /** The more severe of two failures, an Error before others; the other one is suppressed in it. */
  private static Throwable worse(@Nullable Throwable first, Throwable second) {
    if (first == null || first == second) {
      return second;
    }
    boolean isSecond = second instanceof Error && !(first instanceof Error);
    Throwable worse = isSecond ? second : first;
    worse.addSuppressed(isSecond ? first : second);
    return worse;
  }
}
