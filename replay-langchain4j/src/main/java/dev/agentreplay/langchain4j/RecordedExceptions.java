package dev.agentreplay.langchain4j;

import dev.agentreplay.engine.replay.failure.RestoredExceptions;
import dev.agentreplay.model.Failure;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.RetriableException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.exception.UnsupportedFeatureException;

/** Restores exceptions from recorded failures: those of the JDK and of LangChain4j as they were. */
final class RecordedExceptions {

  private static final RestoredExceptions KNOWN = RestoredExceptions.ofJdk()
      .with(LangChain4jException.class, LangChain4jException::new)
      .with(AuthenticationException.class, AuthenticationException::new)
      .with(ContentFilteredException.class, ContentFilteredException::new)
      .with(InternalServerException.class, InternalServerException::new)
      .with(InvalidRequestException.class, InvalidRequestException::new)
      .with(ModelNotFoundException.class, ModelNotFoundException::new)
      .with(NonRetriableException.class, NonRetriableException::new)
      .with(RateLimitException.class, RateLimitException::new)
      .with(RetriableException.class, RetriableException::new)
      .with(TimeoutException.class, TimeoutException::new)
      .with(ToolArgumentsException.class, ToolArgumentsException::new)
      .with(ToolExecutionException.class, ToolExecutionException::new)
      .with(UnresolvedModelServerException.class, UnresolvedModelServerException::new)
      .with(UnsupportedFeatureException.class, UnsupportedFeatureException::new);

  private RecordedExceptions() {}

  /** The exception of a failure, with its causes as far as they are recorded. */
  static Exception of(Failure failure) {
    return KNOWN.restore(failure);
  }

  /** Throws an exception of any class, as the code that it was recorded from did. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> RuntimeException thrown(Throwable exception) throws E {
    throw (E) exception;
  }
}
