package dev.agentreplay.lint;

import dev.agentreplay.lint.code.CallSite;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** A method on the way to a call, with the line of its part of the way. Immutable. */
public final class CallStep {

  private final MethodRef method;
  private final @Nullable String file;
  private final int line;

  CallStep(MethodRef method, @Nullable String file, int line) {
    this.method = method;
    this.file = file;
    this.line = line;
  }

  /** The name of the class, with {@code $} before the names of nested classes. */
  public String className() {
    return method.owner().replace('/', '.');
  }

  /**
   * The name of the method as in class files: {@code <init>} for a constructor, {@code <clinit>}
   * for a static initializer, a name with {@code lambda$} for a lambda.
   */
  public String methodName() {
    return method.name();
  }

  /** The name of the source file; null if the class file does not have it. */
  public @Nullable String file() {
    return file;
  }

  /** The line, from 1; null if the class file does not have it. */
  public @Nullable Integer line() {
    return line == CallSite.NO_LINE ? null : line;
  }

  JsonObject json() {
    return JsonObject.of(
        "class", className(), "method", methodName(), "file", file, "line", line());
  }

  /**
   * Returns the step in the form of a stack trace, such as
   * {@code com.acme.Agent.run(Agent.java:7)}.
   */
  @Override
  public String toString() {
    String place = file == null ? "Unknown Source" : file;
    return "%s.%s(%s%s)"
        .formatted(className(), methodName(), place, line() == null ? "" : ":" + line);
  }
}
