package dev.agentreplay.mcp;

import java.util.function.Consumer;

/** One side, as the receiver of messages. */
interface Receiver {

  /**
   * Sends a message, after those of earlier calls. Does not wait for an answer.
   *
   * @param text the text of the message, without the end of a line
   * @param onFailure receives the reason if it cannot be sent, possibly later and on a different
   *     thread
   */
  void send(String text, Consumer<Throwable> onFailure);

  /**
   * Sends a message whose sender does not wait for anything: a side that has ended is seen by that.
   */
  default void send(String text) {
    send(text, failure -> {});
  }
}
