package dev.agentreplay.model;

import java.io.InterruptedIOException;
import java.nio.channels.AsynchronousCloseException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Recognizes exceptions after which a tool may have done its work or not. */
final class Interruptions {

  private static final String TIMEOUT = "TimeoutException";

  private Interruptions() {}

  /**
   * Whether an exception or one of its causes is a time-out, an interruption or a cancellation. A
   * time-out is recognized by the name of its class, because libraries have their own.
   */
  static boolean isOne(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable cause = thrown; cause != null && seen.add(cause); cause = cause(cause)) {
      if (cause instanceof InterruptedException
          || cause instanceof InterruptedIOException
          || cause instanceof AsynchronousCloseException
          || cause instanceof CancellationException
          || isTimeout(cause.getClass())) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Throwable cause(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (RuntimeException | StackOverflowError e) { // thrown by a method of the exception
      return null;
    }
  }

  private static boolean isTimeout(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      if (each.getName().endsWith(TIMEOUT)) {
        return true;
      }
    }
    return false;
  }
}
