package dev.agentreplay.engine.exchange;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import java.util.Locale;

/** The kind of an exchange. */
public enum ExchangeKind {
  /** A call of a model, with its answer. */
  MODEL_CALL("model call"),
  /** A call of a tool, with its result. */
  TOOL_CALL("tool call"),
  /** A nondeterministic value: a time, a random number, a generated id. */
  VALUE("recorded value");

  private final String words;

  ExchangeKind(String words) {
    this.words = words;
  }

  /** The text of the constant in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The words for an exchange of this kind in messages. */
  public String words() {
    return words;
  }

  /**
   * The kind of the exchange that an event requests.
   *
   * @throws IllegalArgumentException if the event is not a call
   */
  public static ExchangeKind ofCall(ReplayEvent call) {
    if (call instanceof ModelCall) {
      return MODEL_CALL;
    } else if (call instanceof ToolCall) {
      return TOOL_CALL;
    }
    throw new IllegalArgumentException("expected a call, found " + call.kind().id());
  }
}
