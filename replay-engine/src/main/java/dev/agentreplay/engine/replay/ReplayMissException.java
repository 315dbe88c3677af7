package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ReplayMiss;
import java.util.Objects;

/** Thrown to the agent when the recording has no answer to its request. */
public final class ReplayMissException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ReplayMiss miss;

  ReplayMissException(ReplayMiss miss) {
    super(miss.message());
    this.miss = Objects.requireNonNull(miss, "miss");
  }

  /** The report on the request. */
  public ReplayMiss miss() {
    return miss;
  }
}
