package dev.agentreplay.io.file;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Runs operations on channels, which an interrupt of the thread would otherwise stop by closing the
 * channel. The thread's interrupt status is restored afterwards.
 */
final class Uninterrupted {

  private Uninterrupted() {}

  /**
   * An operation that opens and uses a channel. It is run again after an interrupt has closed the
   * channel.
   */
  interface Action<T> {
    T run() throws IOException;
  }

  static <T> T call(Action<T> action) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return action.run();
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
