package dev.agentreplay.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the lines of one side on a thread of its own. */
final class LineSource {

  /** The reason that no more lines are read. */
  enum End {
    /** The sender has ended. */
    SENDER,
    /** The receiver has closed its end. */
    RECEIVER
  }

  private static final int BUFFER = 1 << 16;
  private static final long POLL_MILLIS = 20;

  private final Side sender;
  private final InputStream from;
  private final LineFeed lines;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final Thread thread;
  private volatile boolean isPassing;
  private volatile long lastNanos = System.nanoTime();
  private volatile long readNanos = lastNanos;

  LineSource(String name, Side sender, InputStream from, LineFeed lines) {
    this.sender = sender;
    this.from = from;
    this.lines = lines;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  LineSource start() {
    thread.start();
    return this;
  }

  private void run() {
    End reason = End.SENDER;
    Throwable failed = null;
    try {
      byte[] buffer = new byte[BUFFER];
      for (int n = read(buffer); n >= 0; n = read(buffer)) {
        readNanos = System.nanoTime();
        isPassing = true;
        lines.add(buffer, n);
        lastNanos = System.nanoTime();
        isPassing = false;
      }
      readNanos = System.nanoTime();
      isPassing = true;
      lines.end();
    } catch (Relay.ReceiverClosedException e) {
      close();
      reason = End.RECEIVER;
    } catch (Throwable e) {
      failed = e;
    }
    isPassing = false;
    if (failed == null) {
      end.complete(reason);
    } else {
      end.completeExceptionally(failed);
    }
  }

  private int read(byte[] buffer) throws IOException {
    try {
      return from.read(buffer);
    } catch (IOException e) {
      if (sender == Side.CLIENT) {
        throw e;
      }
      return readRest(buffer);
    }
  }

  /**
   * Reads again: when a process ends, its stream is replaced by one with the bytes that are left,
   * and a read at that moment fails.
   */
  private int readRest(byte[] buffer) {
    try {
      return from.read(buffer);
    } catch (IOException ended) {
      return -1;
    }
  }

  /** Closes the stream, so that the sender sees that the receiver has ended. */
  private void close() {
    try {
      from.close();
    } catch (IOException alreadyClosed) {
      // it has ended
    }
  }

  /** Completes with the reason that no more lines are read, or with the failure. */
  CompletableFuture<End> end() {
    return end;
  }

  /** Runs an action at the end, with the reason or the failure; one of both is null. */
  void onEnd(BiConsumer<? super @Nullable End, ? super @Nullable Throwable> action) {
    CompletableFuture<End> unused = end.whenComplete(action);
  }

  /** Whether a line is passed on, or one was after a time of {@link System#nanoTime}. */
  boolean isActiveSince(long nanos) {
    return isPassing || lastNanos - nanos > 0;
  }

  /** The time of the last bytes that were read, of {@link System#nanoTime}. */
  long readNanos() {
    return readNanos;
  }

  /**
   * Waits for the end and the actions of {@link #onEnd}, or until nothing was passed on for some
   * time.
   *
   * @param maxPassingMillis the maximum time for which a receiver is waited for that does not read
   */
  void awaitEnd(long quietMillis, long maxPassingMillis) throws InterruptedException {
    long quietSince = System.nanoTime();
    while (thread.isAlive()) {
      long now = System.nanoTime();
      if (isPassing && now - readNanos > TimeUnit.MILLISECONDS.toNanos(maxPassingMillis)) {
        return;
      }
      if (isActiveSince(quietSince)) {
        quietSince = now;
      } else if (now - quietSince > TimeUnit.MILLISECONDS.toNanos(quietMillis)) {
        return;
      }
      thread.join(POLL_MILLIS);
    }
  }
}
