package dev.agentreplay.langchain4j;

import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolService;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parts of LangChain4j's events and tools that not every supported version has. A part that is
 * missing is one that the version does not report.
 */
final class EventParts {

  /** Since LangChain4j 1.16. */
  private static final boolean HAS_DEFAULTS =
      has(InvocationContext.class, "defaultRequestParameters");

  /** Since LangChain4j 1.19. */
  private static final boolean HAS_ATTRIBUTES = has(ToolExecution.class, "attributes");

  private EventParts() {}

  private static boolean has(Class<?> type, String method) {
    return Arrays.stream(type.getMethods()).map(Method::getName).anyMatch(method::equals);
  }

  /** The parameters and the provider of the model of an invocation. */
  static ModelDefaults defaults(InvocationContext context) {
    return HAS_DEFAULTS
        ? new ModelDefaults(context.defaultRequestParameters(), context.modelProvider())
        : ModelDefaults.UNKNOWN;
  }

  /** The attributes of the result of a tool, which the model does not get. */
  static Map<String, Object> attributes(ToolExecution execution) {
    return HAS_ATTRIBUTES ? execution.attributes() : Map.of();
  }

  /**
   * Reads a private field of a tool service, for which earlier versions have no method.
   *
   * @return its value; null also if the version lacks the field
   * @throws IllegalStateException if it cannot be read
   */
  static @Nullable Object setting(ToolService tools, String name) {
    try {
      return read(ToolService.class.getDeclaredField(name), tools);
    } catch (NoSuchFieldException e) {
      return null;
    }
  }

  /**
   * Whether a method of a tool returns an object.
   *
   * @throws IllegalStateException if its method cannot be read in this version of LangChain4j
   */
  static boolean returnsObject(DefaultToolExecutor tool) {
    try {
      Object method = read(DefaultToolExecutor.class.getDeclaredField("originalMethod"), tool);
      return !(method instanceof Method known) || known.getReturnType() != void.class;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("cannot read a tool: " + e.getMessage(), e);
    }
  }

  private static @Nullable Object read(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException | RuntimeException e) {
      throw new IllegalStateException("cannot read " + field + ": " + e.getMessage(), e);
    }
  }
}
