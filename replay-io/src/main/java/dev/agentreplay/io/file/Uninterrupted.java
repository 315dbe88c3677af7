package dev.agentreplay.io.file;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Runs what an interrupt of the thread would break off, as it does every use of a channel. The
 * interrupt is kept for whoever looks for it next.
 */
final class Uninterrupted {

  private Uninterrupted() {}

  /** Uses a channel, which it opens itself: an interrupt has closed it when this is run again. */
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
