package dev.agentreplay.langchain4j;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.model.output.TokenUsage;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of tokens that the class of a provider states in addition to those of
 * {@link TokenUsage}, such as cached and reasoning tokens. The classes of providers have no common
 * type for them, so they are read by reflection, under the names of their accessors.
 */
final class TokenDetails {

  private static final Set<Class<?>> NUMBERS =
      Set.of(Integer.class, Long.class, int.class, long.class);

  /** The numbers of the class itself, and those of the objects that it states. */
  private static final int MAX_DEPTH = 2;

  private TokenDetails() {}

  /** The numbers; empty if the class states none. */
  static JsonObject of(TokenUsage usage) {
    try {
      return of(usage, usage.getClass(), 1);
    } catch (RuntimeException | LinkageError e) {
      return JsonObject.EMPTY; // a class that cannot be examined states nothing
    }
  }

  private static JsonObject of(Object stated, Class<?> ofProvider, int depth) {
    Map<String, Object> numbers = new TreeMap<>();
    for (Method method : stated.getClass().getMethods()) {
      if (isAccessor(method)) {
        Object value = value(method, stated, ofProvider, depth);
        if (value != null) {
          numbers.put(method.getName(), value);
        }
      }
    }
    JsonObject.Builder object = JsonObject.builder();
    numbers.forEach((name, value) -> object.add(name, JsonValue.of(value)));
    return object.build();
  }

  private static boolean isAccessor(Method method) {
    Class<?> declaring = method.getDeclaringClass();
    return method.getParameterCount() == 0
        && !Modifier.isStatic(method.getModifiers())
        && Modifier.isPublic(declaring.getModifiers())
        && declaring != method.getReturnType() // such as a builder
        && declaring != TokenUsage.class
        && declaring != Object.class
        && !method.getName().equals("hashCode");
  }

  /** The number, or the object of numbers, that an accessor returns; null if it is none. */
  private static @Nullable Object value(
      Method method, Object stated, Class<?> ofProvider, int depth) {
    boolean isNumber = NUMBERS.contains(method.getReturnType());
    boolean isNested =
        depth < MAX_DEPTH && method.getReturnType().getEnclosingClass() == ofProvider;
    if (!isNumber && !isNested) {
      return null;
    }
    Object returned;
    try {
      returned = method.invoke(stated);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null; // what an accessor refuses is not recorded
    }
    if (returned == null || isNumber) {
      return returned;
    }
    JsonObject nested = of(returned, ofProvider, depth + 1);
    return nested.isEmpty() ? null : nested;
  }
}
