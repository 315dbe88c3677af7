package dev.agentreplay.langchain4j;

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
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Restores exceptions from recorded failures, as their own classes if these are well known. */
final class RecordedExceptions {

  /** The constructors of known classes: an exception without a message has null. */
  private static final Map<String, Function<@Nullable String, Throwable>> KNOWN = new HashMap<>();

  static {
    known(LangChain4jException.class, LangChain4jException::new);
    known(AuthenticationException.class, AuthenticationException::new);
    known(ContentFilteredException.class, ContentFilteredException::new);
    known(InternalServerException.class, InternalServerException::new);
    known(InvalidRequestException.class, InvalidRequestException::new);
    known(ModelNotFoundException.class, ModelNotFoundException::new);
    known(NonRetriableException.class, NonRetriableException::new);
    known(RateLimitException.class, RateLimitException::new);
    known(RetriableException.class, RetriableException::new);
    known(TimeoutException.class, TimeoutException::new);
    known(ToolArgumentsException.class, ToolArgumentsException::new);
    known(ToolExecutionException.class, ToolExecutionException::new);
    known(UnresolvedModelServerException.class, UnresolvedModelServerException::new);
    known(UnsupportedFeatureException.class, UnsupportedFeatureException::new);
    known(RuntimeException.class, RuntimeException::new);
    known(IllegalArgumentException.class, IllegalArgumentException::new);
    known(IllegalStateException.class, IllegalStateException::new);
    known(IndexOutOfBoundsException.class, IndexOutOfBoundsException::new);
    known(NoSuchElementException.class, NoSuchElementException::new);
    known(NullPointerException.class, NullPointerException::new);
    known(UnsupportedOperationException.class, UnsupportedOperationException::new);
    known(IOException.class, IOException::new);
    known(ConnectException.class, ConnectException::new);
    known(HttpTimeoutException.class, HttpTimeoutException::new);
    known(SocketTimeoutException.class, SocketTimeoutException::new);
    known(UnknownHostException.class, UnknownHostException::new);
    known(java.util.concurrent.TimeoutException.class, java.util.concurrent.TimeoutException::new);
  }

  private RecordedExceptions() {}

  private static void known(
      Class<? extends Throwable> type, Function<@Nullable String, Throwable> constructor) {
    KNOWN.put(type.getName(), constructor);
  }

  /** The exception of a failure, with its causes as far as they are recorded. */
  static Throwable of(Failure failure) {
    Throwable exception = withoutCause(failure);
    Throwable outer = exception;
    for (Failure recorded : failure.causes()) {
      Throwable cause = withoutCause(recorded);
      outer.initCause(cause);
      outer = cause;
    }
    return exception;
  }

  private static Throwable withoutCause(Failure failure) {
    String name = failure.name();
    String message = failure.message();
    Function<@Nullable String, Throwable> constructor = name == null ? null : KNOWN.get(name);
    if (name != null && constructor != null) {
      // an exception without a message is recorded with its name as the message
      return constructor.apply(name.equals(message) ? null : message);
    }
    String text = message == null ? name : message;
    return new RestoredException(text == null ? "no message was recorded" : text, failure);
  }

  /** Throws an exception of any class, as the code that it was recorded from did. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> RuntimeException thrown(Throwable exception) throws E {
    throw (E) exception;
  }
}
