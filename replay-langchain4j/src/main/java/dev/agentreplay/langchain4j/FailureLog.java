package dev.agentreplay.langchain4j;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts what was not recorded, and tells who wants to know. Safe for use by several threads. */
final class FailureLog {

  private static final class Holder {
    static final Logger LOGGER = System.getLogger("dev.agentreplay.langchain4j");
  }

  private final AtomicLong count = new AtomicLong();
  private volatile @Nullable Consumer<? super RecordingFailure> listener;

  /** Tells a listener of all that follow, in place of the system's logger. */
  void listen(Consumer<? super RecordingFailure> newListener) {
    listener = newListener;
  }

  /** How many there were. */
  long count() {
    return count.get();
  }

  /**
   * Something was not recorded.
   *
   * @param isLogged whether the log says something of this session already, which is enough
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
          () -> failure.session() + ": " + failure.event() + " was not recorded; the agent goes on",
          failure.cause());
    }
  }

  /** Throws what a program does not survive; anything else is a failure of the recording alone. */
  static void rethrowIfFatal(Throwable failure) {
    // values that are too deep or too large overflow stack or heap, which are well again afterwards
    boolean isOfValue =
        failure instanceof StackOverflowError || failure instanceof OutOfMemoryError;
    if (failure instanceof VirtualMachineError fatal && !isOfValue) {
      throw fatal;
    }
  }
}
