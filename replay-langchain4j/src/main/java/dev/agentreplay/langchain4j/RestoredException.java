package dev.agentreplay.langchain4j;

import dev.agentreplay.model.Failure;
import dev.langchain4j.exception.LangChain4jException;
import java.util.Objects;

/**
 * A recorded failure of a model, a tool or a retriever, thrown again. It has the recorded message,
 * so that an agent that returns, records or sends the message behaves as in the recording, but not
 * the recorded class: a class that a log names is never loaded. An exception of LangChain4j, and a
 * common one of the JDK, is thrown as its own class instead.
 */
public final class RestoredException extends LangChain4jException {

  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  RestoredException(String message, Failure failure) {
    super(message);
    this.failure = Objects.requireNonNull(failure, "failure");
  }

  /** The failure, with the name of the recorded class. */
  public Failure failure() {
    return failure;
  }
}
