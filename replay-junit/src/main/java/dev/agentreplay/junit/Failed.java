package dev.agentreplay.junit;

import java.io.IOException;
import org.opentest4j.AssertionFailedError;

/** Failures that AssertJ has worded, with what it cannot add to them. */
final class Failed {

  private Failed() {}

  /** With texts of which an IDE opens the difference. */
  static AssertionFailedError comparing(AssertionError failure, String expected, String found) {
    return traced(failure, new AssertionFailedError(failure.getMessage(), expected, found));
  }

  /** With what could not be read. */
  static AssertionFailedError because(IOException cause, AssertionError failure) {
    return traced(failure, new AssertionFailedError(failure.getMessage(), cause));
  }

  private static AssertionFailedError traced(AssertionError failure, AssertionFailedError error) {
    error.setStackTrace(failure.getStackTrace());
    return error;
  }
}
