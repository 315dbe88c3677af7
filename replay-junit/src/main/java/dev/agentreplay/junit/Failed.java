package dev.agentreplay.junit;

import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.opentest4j.AssertionFailedError;

/** Adds expected and actual values, or a cause, to failures, and finds their causes. */
final class Failed {

  private Failed() {}

  /** Adds the expected and found texts, whose difference an IDE can show. */
  static AssertionFailedError comparing(AssertionError failure, String expected, String found) {
    return traced(failure, new AssertionFailedError(failure.getMessage(), expected, found));
  }

  /** Adds the cause of a read error. */
  static AssertionFailedError because(IOException cause, AssertionError failure) {
    return traced(failure, new AssertionFailedError(failure.getMessage(), cause));
  }

  /** A failure with its causes. */
  static Set<Throwable> causes(Throwable failure) {
    Set<Throwable> causes = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable each = failure;
    while (each != null && causes.add(each)) {
      each = each.getCause();
    }
    return causes;
  }

  private static AssertionFailedError traced(AssertionError failure, AssertionFailedError error) {
    error.setStackTrace(failure.getStackTrace());
    return error;
  }
}
