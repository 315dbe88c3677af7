package dev.agentreplay.junit;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Where a test records its session, and under which name.
 *
 * @param directory the session's directory, which no other invocation of a test has
 * @param sessionId the session's id, the same in each run
 */
record TestOutput(Path directory, String sessionId) {

  private static final Pattern INVOCATION = Pattern.compile("-invocation:#([0-9]+)\\]");

  /** What cannot be in the name of a file everywhere. */
  private static final Pattern UNSAFE = Pattern.compile("[\\\\:*?\"<>|%\\p{Cntrl}]");

  /** Of the test that a context is of. */
  static TestOutput of(ExtensionContext context, Path output) {
    Class<?> type = context.getRequiredTestClass();
    Method method = context.getRequiredTestMethod();
    List<String> invocations = invocations(context);
    String name = method.getName() + (isOverloaded(type, method) ? parameters(method) : "");
    Path directory = output.resolve(type.getName()).resolve(escaped(name));
    for (String invocation : invocations) {
      directory = directory.resolve(invocation);
    }
    String simple = type.getName().substring(type.getPackageName().length()).replace('$', '.');
    String id = (simple.startsWith(".") ? simple.substring(1) : simple) + "." + name;
    return new TestOutput(
        directory, invocations.isEmpty() ? id : id + "#" + String.join("#", invocations));
  }

  /** The numbers of the invocations that a test is in, from 1; none if it runs once. */
  static List<String> invocations(ExtensionContext context) {
    return INVOCATION
        .matcher(context.getUniqueId())
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static boolean isOverloaded(Class<?> type, Method method) {
    return ReflectionSupport.findMethods(
                type,
                other -> other.getName().equals(method.getName())
                    && AnnotationSupport.isAnnotated(other, Testable.class),
                HierarchyTraversalMode.TOP_DOWN)
            .size()
        > 1;
  }

  private static String parameters(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getTypeName)
        .collect(Collectors.joining(",", "(", ")"));
  }

  private static String escaped(String name) {
    return UNSAFE.matcher(name).replaceAll(TestOutput::escaped);
  }

  private static String escaped(MatchResult unsafe) {
    return "%%%02x".formatted((int) unsafe.group().charAt(0));
  }
}
