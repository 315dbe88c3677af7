package dev.agentreplay.lint.watch;

import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.Verdicts;
import dev.agentreplay.lint.pattern.Directive.Question;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.LintRule;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;

/** Finds out whether the running code is that of a tool or model. */
final class ToolFrames {

  private static final StackWalker WALKER =
      StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES));

  /** Stands for all methods of a class. */
  private static final String ALL = "*";

  private final LintPatterns patterns;

  /** The names and descriptors of the methods that the boundaries of a class declare. */
  private final ClassValue<Set<String>> methods = new ClassValue<>() {
    @Override
    protected Set<String> computeValue(Class<?> type) {
      return ofBoundaries(type);
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
    // a lambda has a class of its own, which is hidden; its method is that of the boundary
    Set<String> ofBoundaries = methods.get(frame.getDeclaringClass());
    if (!ofBoundaries.isEmpty()
        && (ofBoundaries.contains(ALL)
            || ofBoundaries.contains(frame.getMethodName() + frame.getDescriptor()))) {
      return true;
    }
    LintRule rule = patterns.find(
        Question.BOUNDARY,
        internalName(frame.getDeclaringClass()),
        frame.getMethodName(),
        frame.getDescriptor());
    return rule != null && !rule.pattern().isOfType();
  }

  private static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private Set<String> ofBoundaries(Class<?> type) {
    Set<String> all = new HashSet<>();
    if (Verdicts.isDeclaredBoundary(patterns, internalName(type))) {
      addDeclared(type, all);
    }
    Class<?> superclass = type.getSuperclass();
    if (superclass != null) {
      all.addAll(methods.get(superclass));
    }
    for (Class<?> implemented : type.getInterfaces()) {
      all.addAll(methods.get(implemented));
    }
    return Set.copyOf(all);
  }

  private static void addDeclared(Class<?> type, Set<String> all) {
    all.add(MethodRef.CLINIT + "()V");
    try {
      for (Method method : type.getDeclaredMethods()) {
        all.add(method.getName() + descriptor(method.getReturnType(), method.getParameterTypes()));
      }
      for (Constructor<?> constructor : type.getDeclaredConstructors()) {
        all.add(MethodRef.INIT + descriptor(void.class, constructor.getParameterTypes()));
      }
    } catch (NoClassDefFoundError e) {
      all.add(ALL); // the class of a parameter is missing, so the methods cannot be listed
    }
  }

  private static String descriptor(Class<?> result, Class<?>[] parameters) {
    return MethodType.methodType(result, parameters).toMethodDescriptorString();
  }
}
