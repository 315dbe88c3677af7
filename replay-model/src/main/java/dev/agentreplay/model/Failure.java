package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import dev.agentreplay.model.text.Preview;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The error of a failed call. Members that this version does not know stay in {@code json}.
 *
 * <p>A failure that is created from an exception has its class, its message and its causes, but not
 * its stack trace: that depends on the machine and differs between equal runs. {@link #withStack}
 * adds it.
 *
 * @param json the error as it is written: {@code name}, {@code message}, {@code retryable},
 *     {@code causes}, {@code stack}
 */
public record Failure(JsonObject json) {

  /** The name of the failure of a call that was not answered in time. */
  public static final String TIMEOUT = "Timeout";

  /** The name of the failure of a call that was cancelled. */
  public static final String CANCELLED = "Cancelled";

  private static final int MAX_CAUSES = 10;
  private static final String NAME = "name";
  private static final String MESSAGE = "message";
  private static final String RETRYABLE = "retryable";
  private static final String CAUSES = "causes";
  private static final String STACK = "stack";

  /** Checks for null. */
  public Failure {
    Objects.requireNonNull(json, "json");
  }

  /** Creates a failure. */
  public static Failure of(String name, String message) {
    return new Failure(JsonObject.of(NAME, name, MESSAGE, message));
  }

  /**
   * Creates the failure of a call that threw an exception: its class, its message, and class and
   * message of its first 10 causes. Of a message with more than 10,000 characters only beginning
   * and end are recorded ({@link Preview#ofStream}), of that of a cause with more than 2,000
   * ({@link Preview#ofOutput}). An unpaired surrogate is replaced by U+FFFD.
   */
  public static Failure of(Throwable thrown) {
    Failure failure =
        of(thrown.getClass().getName(), wellFormed(Preview.ofStream(message(thrown))));
    List<JsonValue> causes = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(thrown);
    for (Throwable cause = cause(thrown);
        cause != null && causes.size() < MAX_CAUSES && seen.add(cause);
        cause = cause(cause)) {
      String message = wellFormed(Preview.ofOutput(message(cause)));
      causes.add(JsonObject.of(NAME, cause.getClass().getName(), MESSAGE, message));
    }
    return causes.isEmpty()
        ? failure
        : new Failure(failure.json.with(CAUSES, JsonArray.copyOf(causes)));
  }

  /** Returns a copy that states whether the call may succeed if it is repeated. */
  public Failure withRetryable(boolean isRetryable) {
    return new Failure(json.with(RETRYABLE, isRetryable));
  }

  /**
   * Returns a copy with the stack trace of an exception, of which beginning and end are recorded if
   * it has more than 10,000 characters. It shows names of classes and files.
   */
  public Failure withStack(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack, true));
    return new Failure(json.with(STACK, wellFormed(Preview.ofStream(stack.toString()))));
  }

  /** Returns a copy without a stack trace. */
  public Failure withoutStack() {
    return json.has(STACK) ? new Failure(json.without(STACK)) : this;
  }

  /** The name, such as the class of an exception; null when it is not stated. */
  public @Nullable String name() {
    return text(NAME);
  }

  /** The message; null when it is not stated. */
  public @Nullable String message() {
    return text(MESSAGE);
  }

  /** Whether the call may succeed if it is repeated; null when it is not stated. */
  public @Nullable Boolean retryable() {
    return json.get(RETRYABLE) instanceof JsonBoolean stated ? stated.value() : null;
  }

  /** The causes, the direct one first; members other than objects are left out. */
  public List<Failure> causes() {
    if (!(json.get(CAUSES) instanceof JsonArray causes)) {
      return List.of();
    }
    List<Failure> failures = new ArrayList<>();
    for (JsonValue cause : causes) {
      if (cause instanceof JsonObject object) {
        failures.add(new Failure(object));
      }
    }
    return List.copyOf(failures);
  }

  /** The stack trace; null when it is not recorded. */
  public @Nullable String stack() {
    return text(STACK);
  }

  private @Nullable String text(String member) {
    return json.get(member) instanceof JsonString text ? text.value() : null;
  }

  /** The message of an exception; its description if it has none. */
  public static String message(Throwable thrown) {
    try {
      String message = thrown.getMessage();
      return message == null ? String.valueOf(thrown) : message;
    } catch (RuntimeException | StackOverflowError e) { // thrown by a method of the exception
      return thrown.getClass().getName();
    }
  }

  private static @Nullable Throwable cause(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (RuntimeException | StackOverflowError e) {
      return null;
    }
  }

  private static String wellFormed(String text) {
    return LenientJson.of(text, "").value().asString();
  }
}
