package dev.agentreplay.junit;

import java.io.IOException;
import org.opentest4j.AssertionFailedError;

/** Adds expected and actual values, or a cause, to failures created by AssertJ. */
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

  private static AssertionFailedError traced(AssertionError failure, AssertionFailedError error) {
    error.setStackTrace(failure.getStackTrace());
    return error;
  }
}
