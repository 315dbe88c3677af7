package dev.agentreplay.springai;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.ToolCallback;

/** The exception of a tool, of which the manager returns only a text. */
final class NotedErrors {

  private volatile @Nullable Throwable error;

  /** The prompt with tools whose exceptions are noted. */
  Prompt wrap(Prompt prompt) {
    return WrappedTool.wrap(prompt, Noting::new);
  }

  /** The exception; null if there was none. */
  @Nullable
  Throwable error() {
    return error;
  }

  private final class Noting extends WrappedTool {

    Noting(ToolCallback tool) {
      super(tool);
    }

    @Override
    String call(String arguments, Supplier<String> called) {
      try {
        return called.get();
      } catch (Throwable e) {
        error = e;
        throw e;
      }
    }
  }
}
