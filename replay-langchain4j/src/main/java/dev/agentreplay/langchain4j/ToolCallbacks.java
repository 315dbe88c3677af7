package dev.agentreplay.langchain4j;

import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.BeforeToolExecution;
import dev.langchain4j.service.tool.ToolErrorContext;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolExecutionErrorHandler;
import dev.langchain4j.service.tool.ToolService;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tool callbacks of one recorder. A builder has only one callback of each kind: a callback set
 * earlier, which may prevent a tool call by throwing, is called after that of the recorder.
 *
 * @param failed receives each exception of a tool before the error handler of the builder, which
 *     decides what the model gets
 */
record ToolCallbacks(
    Consumer<BeforeToolExecution> before,
    Consumer<ToolExecution> after,
    BiConsumer<Throwable, ToolErrorContext> failed) {

  private record Noting(
      BiConsumer<Throwable, ToolErrorContext> recorder, ToolExecutionErrorHandler handler)
      implements ToolExecutionErrorHandler {
    @Override
    public ToolErrorHandlerResult handle(Throwable error, ToolErrorContext context) {
      recorder.accept(error, context);
      return handler.handle(error, context);
    }
  }

  private record Both<T>(Consumer<T> recorder, Consumer<T> other) implements Consumer<T> {
    @Override
    public void accept(T event) {
      recorder.accept(event);
      other.accept(event);
    }
  }

  /** Adds the callbacks to those of a builder, unless they were added before. */
  <T> AiServices<T> addTo(AiServices<T> builder) {
    ToolService tools = ServiceContext.of(builder).toolService;
    return builder
        .beforeToolExecution(both(before, before(tools)))
        .afterToolExecution(both(after, after(tools)))
        .toolExecutionErrorHandler(noting(tools.executionErrorHandler()));
  }

  /** The callback before tool calls that a builder has. */
  @SuppressWarnings("unchecked") // the type of the field
  static @Nullable Consumer<BeforeToolExecution> before(ToolService tools) {
    return tools instanceof ReplayedToolService replayed
        ? replayed.beforeToolExecution()
        : (Consumer<BeforeToolExecution>) EventParts.setting(tools, "beforeToolExecution");
  }

  @SuppressWarnings("unchecked") // the type of the field
  private static @Nullable Consumer<ToolExecution> after(ToolService tools) {
    return (Consumer<ToolExecution>) EventParts.setting(tools, "afterToolExecution");
  }

  private static <T> Consumer<T> both(Consumer<T> recorder, @Nullable Consumer<T> other) {
    if (other == null) {
      return recorder;
    }
    return has(recorder, other) ? other : new Both<>(recorder, other);
  }

  private ToolExecutionErrorHandler noting(ToolExecutionErrorHandler handler) {
    boolean isNoted = handler instanceof Noting other && other.recorder == failed;
    return isNoted ? handler : new Noting(failed, handler);
  }

  private static boolean has(Consumer<?> recorder, Consumer<?> other) {
    return other == recorder
        || (other instanceof Both<?> both
            && (has(recorder, both.recorder()) || has(recorder, both.other())));
  }
}
