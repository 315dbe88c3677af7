package dev.agentreplay.engine.replay;

import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** The pieces of an answer that is streamed while the agent waits for it, and no later ones. */
final class LivePieces implements Consumer<String> {

  private final Consumer<String> agent;
  private volatile boolean isEnded;

  LivePieces(Consumer<String> agent) {
    this.agent = agent;
  }

  @Override
  public void accept(String piece) {
    if (isEnded) {
      throw new CancellationException("the answer came too late");
    }
    agent.accept(piece);
  }

  void end() {
    isEnded = true;
  }
}
