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
 * The place and the id of the session that a test records.
 *
 * @param directory the session directory, unique to an invocation of a test
 * @param sessionId the id of the session, the same in each run
 */
record TestOutput(Path directory, String sessionId) {

  private static final Pattern INVOCATION = Pattern.compile("-invocation:#([0-9]+)\\]");

  /** The characters that are not allowed in file names on every operating system. */
  private static final Pattern UNSAFE = Pattern.compile("[\\\\:*?\"<>|%\\p{Cntrl}]");

  /** The output of the test of a context. */
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

  /** The numbers of the nested invocations of a test, from 1; empty if it runs once. */
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
