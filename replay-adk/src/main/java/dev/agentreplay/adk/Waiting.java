package dev.agentreplay.adk;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.internal.schedulers.NonBlockingThread;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.concurrent.Callable;

/** Runs what waits for a replay: on the thread of the agent, in its order, if it may wait. */
final class Waiting {

  private Waiting() {}

  /** A value that is computed when it is requested; empty if it is null. */
  static <T> Maybe<T> forValue(Callable<T> value) {
    return Maybe.defer(() -> mayWait()
        ? Maybe.fromCallable(value)
        : Maybe.fromCallable(value).subscribeOn(Schedulers.io()));
  }

  /** The items of a source that waits when it is subscribed to. */
  static <T> Flowable<T> onThreadThatMayWait(Flowable<T> source) {
    return Flowable.defer(() -> mayWait() ? source : source.subscribeOn(Schedulers.io()));
  }

  private static boolean mayWait() {
    return !(Thread.currentThread() instanceof NonBlockingThread);
  }
}
