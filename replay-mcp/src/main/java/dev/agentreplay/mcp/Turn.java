package dev.agentreplay.mcp;

import java.util.concurrent.CountDownLatch;

/**
 * The turn of a message: the next one of its sender is read when the requests of this one are
 * placed in the order of the replay, and sent to the side that executes them, so that this order is
 * that of the messages.
 */
final class Turn {

  private final CountDownLatch isOver = new CountDownLatch(1);

  /** Ends the turn, before the thread of the message waits for an answer. */
  void end() {
    isOver.countDown();
  }

  void awaitEnd() {
    boolean isInterrupted = false;
    while (true) {
      try {
        isOver.await();
        break;
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
