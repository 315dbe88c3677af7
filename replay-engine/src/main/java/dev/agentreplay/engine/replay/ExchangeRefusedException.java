package dev.agentreplay.engine.replay;

/**
 * Thrown to the agent when its request is refused: the policy of the replay says so, a tool or
 * model is to be executed and there is no executor for it, or the parameters of a tool that is to
 * be executed do not pass their check.
 */
public final class ExchangeRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ExchangeRefusedException(String message) {
    super(message);
  }
}
