package dev.agentreplay.engine.replay;

import dev.agentreplay.model.StreamedText;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** The pieces of an answer that is streamed while the agent waits for it, and no later ones. */
final class LivePieces {

  private final Consumer<String> agent;
  private final StreamedText text = new StreamedText();
  private volatile boolean isEnded;

  LivePieces(Consumer<String> agent) {
    this.agent = agent;
  }

  /**
   * Passes a piece to the agent. It belongs to the text also if the agent throws an exception.
   *
   * @param offsetMillis the time in milliseconds since the call
   */
  void accept(long offsetMillis, String piece) {
    if (isEnded) {
      throw new CancellationException("the answer came too late");
    }
    text.add(offsetMillis, piece);
    agent.accept(piece);
  }

  /** The text of the pieces so far. */
  StreamedText text() {
    return text;
  }

  void end() {
    isEnded = true;
  }
}
