package dev.agentreplay.adk;

import com.google.adk.models.LlmCallsLimitExceededException;
import com.google.genai.errors.ApiException;
import com.google.genai.errors.ClientException;
import com.google.genai.errors.GenAiIOException;
import com.google.genai.errors.ServerException;
import dev.agentreplay.engine.replay.failure.RestoredExceptions;
import dev.agentreplay.model.Failure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Restores exceptions from recorded failures: those of the JDK, the kit and its client. */
final class RecordedExceptions {

  private interface OfApi<E extends ApiException> {
    E create(int code, String status, String message);
  }

  /** The message of an exception of the API: its code, its status and its own message. */
  private static final Pattern API = Pattern.compile("(\\d{1,9}) ([^.]*)\\. (.*)", Pattern.DOTALL);

  private static final RestoredExceptions KNOWN = RestoredExceptions.ofJdk()
      .with(GenAiIOException.class, GenAiIOException::new)
      .with(LlmCallsLimitExceededException.class, LlmCallsLimitExceededException::new)
      .with(ApiException.class, message -> ofApi(message, ApiException::new))
      .with(ClientException.class, message -> ofApi(message, ClientException::new))
      .with(ServerException.class, message -> ofApi(message, ServerException::new));

  private RecordedExceptions() {}

  private static <E extends ApiException> E ofApi(@Nullable String message, OfApi<E> type) {
    Matcher api = API.matcher(String.valueOf(message));
    return api.matches()
        ? type.create(Integer.parseInt(api.group(1)), api.group(2), api.group(3))
        : type.create(0, "", String.valueOf(message));
  }

  /** The exception of a failure, with its causes as far as they are recorded. */
  static Exception of(Failure failure) {
    return KNOWN.restore(failure);
  }
}
