package dev.agentreplay.io.agent;

import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts recording failures, and reports them to a listener or the system logger. Safe for use by
 * several threads.
 */
public final class RecordingFailures {

  private final String logger;
  private final AtomicLong count = new AtomicLong();
  private volatile @Nullable Consumer<? super RecordingFailure> listener;

  /**
   * Creates a count of failures.
   *
   * @param logger the name of the system logger that warns of the first failure of each session
   */
  public RecordingFailures(String logger) {
    this.logger = Objects.requireNonNull(logger, "logger");
  }

  /** Sets the listener of all later failures, which replaces the system logger. */
  public void listen(Consumer<? super RecordingFailure> newListener) {
    listener = newListener;
  }

  /** The number of failures. */
  public long count() {
    return count.get();
  }

  /**
   * Reports a failure.
   *
   * @param isLogged whether a failure of this session was already logged; only the first one is,
   *     and it becomes true then
   */
  public void report(RecordingFailure failure, AtomicBoolean isLogged) {
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
      System.getLogger(logger)
          .log(
              Level.WARNING,
              () -> failure.session() + ": " + failure.event()
                  + " was not recorded; the agent continues",
              failure.cause());
    }
  }

  /** Rethrows an error that the JVM does not survive; others are failures of recording only. */
  public static void rethrowIfFatal(Throwable failure) {
    // a value that is too deep or too large exhausts stack or heap, which are usable afterwards
    boolean isOfValue =
        failure instanceof StackOverflowError || failure instanceof OutOfMemoryError;
    if (failure instanceof VirtualMachineError fatal && !isOfValue) {
      throw fatal;
    }
  }
}
