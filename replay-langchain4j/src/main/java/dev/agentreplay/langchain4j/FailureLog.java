package dev.agentreplay.langchain4j;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts recording failures, and reports them to a listener or the system logger. Safe for use by
 * several threads.
 */
final class FailureLog {

  private static final class Holder {
    static final Logger LOGGER = System.getLogger("dev.agentreplay.langchain4j");
  }

  private final AtomicLong count = new AtomicLong();
  private volatile @Nullable Consumer<? super RecordingFailure> listener;

  /** Sets the listener of all later failures, which replaces the system logger. */
  void listen(Consumer<? super RecordingFailure> newListener) {
    listener = newListener;
  }

  /** The number of failures. */
  long count() {
    return count.get();
  }

  /**
   * Reports a failure.
   *
   * @param isLogged whether a failure of this session was already logged; only the first one is
   */
  void report(RecordingFailure failure, AtomicBoolean isLogged) {
    count.incrementAndGet();
    Consumer<? super RecordingFailure> told = listener;
    if (told != null) {
      try {
        told.accept(failure);
        return;
      } catch (Throwable e) {
        rethrowIfFatal(e);
        if (e != failure.cause()) {
          failure.cause().addSuppressed(e);
        }
      }
    }
    if (isLogged.compareAndSet(false, true)) {
      Holder.LOGGER.log(
          Level.WARNING,
          () ->
              failure.session() + ": " + failure.event() + " was not recorded; the agent continues",
          failure.cause());
    }
  }

  /** Rethrows an error that the JVM does not survive; any other is a failure of recording only. */
  static void rethrowIfFatal(Throwable failure) {
    // a value that is too deep or too large exhausts stack or heap, which are usable afterwards
    boolean isOfValue =
        failure instanceof StackOverflowError || failure instanceof OutOfMemoryError;
    if (failure instanceof VirtualMachineError fatal && !isOfValue) {
      throw fatal;
    }
  }
}
