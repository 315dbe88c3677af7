package dev.agentreplay.records.internal;

import dev.agentreplay.records.internal.ProgressReceiver.Progress;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reports the progress of a replay to its receivers, on a thread of its own: at the start of each
 * round, for which the replay waits, and at regular intervals. The replay does not wait for a
 * receiver that does not return.
 */
final class LiveProgress implements Closeable {

  private final List<ProgressReceiver> receivers;
  private final long expected;
  private final Duration grace;
  private final long startNanos = System.nanoTime();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "replay-progress");
        daemon.setDaemon(true);
        return daemon;
      });

  private volatile Progress latest;
  private boolean isStuck;

  /**
   * Creates the progress of a replay.
   *
   * @param expected the number of rounds to replay
   * @param interval the time between two reports
   * @param grace the time for which the replay waits for its receivers
   */
  LiveProgress(List<ProgressReceiver> receivers, long expected, Duration interval, Duration grace) {
    this.receivers = List.copyOf(receivers);
    this.expected = expected;
    this.grace = grace;
    this.latest = new Progress(0, 0, expected, 0, Duration.ZERO);
    if (!receivers.isEmpty()) {
      ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
          () -> report(latest), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** The time since the start. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  /** Reports the start of a round, and returns when the receivers have, or in any case in time. */
  void round(long round, long completed, long messages) throws InterruptedException {
    Progress started = new Progress(round, completed, expected, messages, Duration.ZERO);
    latest = started;
    if (receivers.isEmpty() || isStuck) {
      return;
    }
    Future<?> reported = thread.submit(() -> report(started));
    try {
      Object unused = reported.get(grace.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      isStuck = true;
      ListenerCalls.LOGGER.log(
          Level.WARNING, "a listener of the replay does not return: {0}", receivers);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // the report catches the exceptions of receivers
    }
  }

  private void report(Progress progress) {
    Progress now = new Progress(
        progress.round(), progress.completed(), expected, progress.messages(), elapsed());
    ListenerCalls.toEach(receivers, receiver -> receiver.progress(now));
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
