package dev.agentreplay.lint.watch;

import dev.agentreplay.lint.pattern.Category;
import org.jspecify.annotations.Nullable;

/**
 * A nondeterministic call in the code of a watched class, about to be made. Immutable.
 *
 * @param category the kind of nondeterminism
 * @param api the called method, such as {@code java.lang.System.nanoTime()}
 * @param className the name of the class that calls
 * @param methodName the name of the method that calls, as in class files
 * @param line the line, from 1; null if the class file does not have it
 * @param remedy the replacement of the call; empty if the pattern has none
 */
public record WatchedCall(
    Category category,
    String api,
    String className,
    String methodName,
    @Nullable Integer line,
    String remedy) {

  /** Returns category, called method and place. */
  @Override
  public String toString() {
    return "%s %s at %s.%s%s"
        .formatted(category.id(), api, className, methodName, line == null ? "" : ":" + line);
  }
}
