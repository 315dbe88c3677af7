package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.policy.ReplayTimeouts.OnTimeout;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Lets executions time out after something has happened, and extends their time until then, so that
 * it happens on the slowest machine.
 */
public record TimeoutAfter(BooleanSupplier happened) implements ReplayListener {

  @Override
  public OnTimeout timedOut(String name, Duration waited) {
    return happened.getAsBoolean() ? OnTimeout.ABORT : OnTimeout.EXTEND;
  }
}
