package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.execution.Executors;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** The methods of a test class with {@link ReplayExecutors} and {@link BeforeReplay}. */
final class TestHooks {

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

  /** Configures a replay. */
  void configure(Replay replay) {
    for (Class<?> type : classes()) {
      for (Method method : methods(type, BeforeReplay.class)) {
        require(
            List.of(method.getParameterTypes()).equals(List.of(Replay.class))
                && method.getReturnType() == void.class,
            method,
            "expected a method that has a Replay as its only parameter and returns nothing, found ");
        invoke(method, replay);
      }
    }
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
