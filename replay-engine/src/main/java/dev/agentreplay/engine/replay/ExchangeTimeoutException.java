package dev.agentreplay.engine.replay;

import java.util.concurrent.TimeoutException;

/** Thrown when an execution is not answered in time; a tool may throw a time-out of its own. */
final class ExchangeTimeoutException extends TimeoutException {

  private static final long serialVersionUID = 1L;

  ExchangeTimeoutException(String message) {
    super(message);
  }
}
