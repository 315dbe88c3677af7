package dev.agentreplay.adk;

import dev.agentreplay.adk.AgentLanes.Lane;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.internal.schedulers.NonBlockingThread;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Runs what waits for a replay: on the thread of the agent, if it may wait, otherwise on a thread
 * for input and output. In both cases the requests of a lane that one thread makes are issued in
 * its order, one after the other, as tools that wait are run. Safe for use by several threads.
 */
final class Waiting {

  /** Runs tasks one after the other. */
  private static final class Serial implements Executor {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean isRunning;

    @Override
    public void execute(Runnable task) {
      synchronized (tasks) {
        tasks.add(task);
        if (isRunning) {
          return;
        }
        isRunning = true;
      }
      Schedulers.io().scheduleDirect(this::run);
    }

    private void run() {
      while (true) {
        Runnable task;
        synchronized (tasks) {
          task = tasks.poll();
          if (task == null) {
            isRunning = false;
            return;
          }
        }
        task.run();
      }
    }
  }

  private final Map<Lane, Executor> queues = new ConcurrentHashMap<>();

  /** A value that is computed when it is requested. */
  <T> Maybe<T> forValue(Lane lane, Callable<T> value) {
    return Maybe.defer(() -> mayWait()
        ? Maybe.fromCallable(value)
        : Maybe.fromCallable(value)
            .subscribeOn(
                Schedulers.from(queues.computeIfAbsent(lane, each -> new Serial()), true)));
  }

  /** The items of a source that waits when it is subscribed to. */
  static <T> Flowable<T> onThreadThatMayWait(Flowable<T> source) {
    return Flowable.defer(() -> mayWait() ? source : source.subscribeOn(Schedulers.io()));
  }

  private static boolean mayWait() {
    return !(Thread.currentThread() instanceof NonBlockingThread);
  }
}
