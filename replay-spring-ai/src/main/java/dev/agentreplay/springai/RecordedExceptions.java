package dev.agentreplay.springai;

import dev.agentreplay.engine.replay.failure.RestoredExceptions;
import dev.agentreplay.model.Failure;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

/** Restores exceptions from recorded failures: those of the JDK and of tools as they were. */
final class RecordedExceptions {

  private static final RestoredExceptions KNOWN = RestoredExceptions.ofJdk();

  private RecordedExceptions() {}

  /** The exception of a failure, with its causes as far as they are recorded. */
  static Exception of(Failure failure) {
    if (!ToolExecutionException.class.getName().equals(failure.name())) {
      return KNOWN.restore(failure);
    }
    Exception cause = failure.causes().isEmpty()
        ? new IllegalStateException(failure.message())
        : KNOWN.restore(failure.causes().get(0));
    return new ToolExecutionException(
        ToolDefinition.builder().name("recorded").inputSchema("{}").build(), cause);
  }

  /** Throws an exception of any class, as the code that it was recorded from did. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> RuntimeException thrown(@Nullable Throwable exception) throws E {
    throw (E) exception;
  }
}
