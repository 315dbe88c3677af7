package dev.agentreplay.lint.watch;

import dev.agentreplay.lint.pattern.Directive.Question;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.LintRule;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.Set;

/** Finds out whether the running code is that of a tool or model. */
final class ToolFrames {

  private static final StackWalker WALKER =
      StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES));

  private final LintPatterns patterns;
  private final ClassValue<Boolean> boundaries = new ClassValue<>() {
    @Override
    protected Boolean computeValue(Class<?> type) {
      return isBoundary(type);
    }
  };

  ToolFrames(LintPatterns patterns) {
    this.patterns = patterns;
  }

  /** Whether a method of a boundary is on the stack. */
  boolean isRunning() {
    return WALKER.walk(frames -> frames.anyMatch(this::isTool));
  }

  private boolean isTool(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    // a lambda has a class of its own, which is hidden; its method is that of the boundary
    if (boundaries.get(type)) {
      return true;
    }
    LintRule rule = patterns.find(
        Question.BOUNDARY,
        type.getName().replace('.', '/'),
        frame.getMethodName(),
        frame.getDescriptor());
    return rule != null && !rule.pattern().isOfType();
  }

  private boolean isBoundary(Class<?> type) {
    if (ContextWatch.isBoundary(patterns, type.getName().replace('.', '/'))) {
      return true;
    }
    Class<?> superclass = type.getSuperclass();
    if (superclass != null && boundaries.get(superclass)) {
      return true;
    }
    for (Class<?> implemented : type.getInterfaces()) {
      if (boundaries.get(implemented)) {
        return true;
      }
    }
    return false;
  }
}
