package dev.agentreplay.springai;

import dev.agentreplay.engine.replay.failure.RestoredExceptions;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonValue;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

/** Restores exceptions from recorded failures: those of the JDK and of tools as they were. */
final class RecordedExceptions {

  /** The exceptions of models by which Spring AI decides about retries, in a module of its own. */
  private static final RestoredExceptions KNOWN = with(
      "org.springframework.ai.retry.NonTransientAiException",
      with("org.springframework.ai.retry.TransientAiException", RestoredExceptions.ofJdk()));

  private RecordedExceptions() {}

  private static RestoredExceptions with(String name, RestoredExceptions known) {
    try {
      Class<? extends RuntimeException> type = Class.forName(
              name, false, RecordedExceptions.class.getClassLoader())
          .asSubclass(RuntimeException.class);
      return with(type, type.getConstructor(String.class), known);
    } catch (ReflectiveOperationException | LinkageError e) {
      return known; // the module is missing
    }
  }

  private static <E extends RuntimeException> RestoredExceptions with(
      Class<E> type,
      Constructor<? extends RuntimeException> constructor,
      RestoredExceptions known) {
    return known.with(type, message -> {
      try {
        return type.cast(constructor.newInstance(message));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("%s has no message".formatted(type.getName()), e);
      }
    });
  }

  /** The exception of a failure of a model, with its causes as far as they are recorded. */
  static Exception of(Failure failure) {
    return of(failure, "recorded");
  }

  /** The exception of a failure of a tool, with its causes as far as they are recorded. */
  static Exception of(Failure failure, String tool) {
    if (!ToolExecutionException.class.getName().equals(failure.name())) {
      return KNOWN.restore(failure);
    }
    ToolDefinition definition = ToolDefinition.builder()
        .name(tool.isEmpty() ? "recorded" : tool)
        .inputSchema("{}")
        .build();
    return new ToolExecutionException(definition, cause(failure));
  }

  private static Exception cause(Failure failure) {
    List<Failure> causes = failure.causes();
    if (causes.isEmpty()) {
      return new IllegalStateException(failure.message());
    }
    List<JsonValue> others = new ArrayList<>();
    causes.stream().skip(1).forEach(other -> others.add(other.json()));
    Failure direct = causes.get(0);
    return KNOWN.restore(
        others.isEmpty()
            ? direct
            : new Failure(direct.json().with("causes", JsonArray.copyOf(others))));
  }

  /** Throws an exception of any class, as the code that it was recorded from did. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> RuntimeException thrown(@Nullable Throwable exception) throws E {
    throw (E) exception;
  }
}
