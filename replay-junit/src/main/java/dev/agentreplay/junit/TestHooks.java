package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.execution.Executors;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** The methods of a test class with {@link ReplayExecutors} and {@link BeforeReplay}. */
final class TestHooks {

  private static final String SANDBOX = "dev.agentreplay.sandbox.replay.ReplaySandbox";

  private final ExtensionContext context;

  TestHooks(ExtensionContext context) {
    this.context = context;
  }

  /** The test class and those around it, the outermost first. */
  private List<Class<?>> classes() {
    List<Class<?>> classes = new ArrayList<>(context.getEnclosingTestClasses());
    classes.add(context.getRequiredTestClass());
    return classes;
  }

  /** The method that creates executors; null if there is none. */
  private @Nullable Method factory() {
    List<Class<?>> classes = classes();
    for (int i = classes.size() - 1; i >= 0; i--) {
      List<Method> methods = methods(classes.get(i), ReplayExecutors.class);
      if (methods.size() > 1) {
        throw new ExtensionConfigurationException(
            "expected one method with @ReplayExecutors, found "
                + String.join(", ", methods.stream().map(Method::toString).toList()));
      }
      if (!methods.isEmpty()) {
        return methods.get(0);
      }
    }
    return null;
  }

  /** Creates the executors; none if no method does. */
  Executors executors() {
    Method factory = factory();
    if (factory == null) {
      return Executors.none();
    }
    require(
        factory.getParameterCount() == 0 && factory.getReturnType() == Executors.class,
        factory,
        "expected a method that has no parameters and returns Executors, found ");
    if (invoke(factory) instanceof Executors executors) {
      return executors;
    }
    throw new ExtensionConfigurationException("expected Executors, found null from " + factory);
  }

  /** Whether the type of a parameter is the sandbox of a replay, which need not be present. */
  static boolean isSandbox(Class<?> type) {
    return type.getName().equals(SANDBOX);
  }

  /** Whether the test, or a method that configures its replays, has the sandbox as a parameter. */
  boolean takesSandbox() {
    Stream<Method> before = classes().stream().flatMap(type -> beforeReplay(type).stream());
    return Stream.concat(before, context.getTestMethod().stream())
        .flatMap(method -> Arrays.stream(method.getParameterTypes()))
        .anyMatch(TestHooks::isSandbox);
  }

  /**
   * Configures a replay.
   *
   * @param sandbox its sandbox; null if no method has it as a parameter
   */
  void configure(Replay replay, TestReplay.@Nullable OpenSandbox sandbox) {
    for (Class<?> type : classes()) {
      for (Method method : beforeReplay(type)) {
        List<Class<?>> parameters = List.of(method.getParameterTypes());
        boolean isSandboxed = parameters.size() == 2 && isSandbox(parameters.get(1));
        require(
            (parameters.size() == 1 || isSandboxed)
                && parameters.get(0) == Replay.class
                && method.getReturnType() == void.class,
            method,
            "expected a method that has a Replay as its only parameter, or a Replay and its"
                + " ReplaySandbox, and returns nothing, found ");
        if (isSandboxed && sandbox != null) {
          invoke(method, replay, sandbox.sandbox());
        } else {
          invoke(method, replay);
        }
      }
    }
  }

  private static List<Method> beforeReplay(Class<?> type) {
    return methods(type, BeforeReplay.class);
  }

  private static List<Method> methods(Class<?> type, Class<? extends Annotation> annotation) {
    return AnnotationSupport.findAnnotatedMethods(
        type, annotation, HierarchyTraversalMode.TOP_DOWN);
  }

  private static void require(boolean isAsExpected, Method method, String message) {
    if (!isAsExpected) {
      throw new ExtensionConfigurationException(message + method);
    }
  }

  private @Nullable Object invoke(Method method, Object... arguments) {
    Object instance = Modifier.isStatic(method.getModifiers())
        ? null
        : context
            .getRequiredTestInstances()
            .findInstance(method.getDeclaringClass())
            .orElseThrow();
    return ReflectionSupport.invokeMethod(method, instance, arguments);
  }
}
