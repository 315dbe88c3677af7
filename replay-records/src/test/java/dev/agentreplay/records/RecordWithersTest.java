package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.SessionOutputs.LintResult;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every {@code withX} of a record changes x, and nothing else. */
class RecordWithersTest {

  static List<Method> withers() {
    return Arrays.stream(RecordObject.class.getPermittedSubclasses())
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> method.getName().startsWith("with"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource
  void withers(Method wither) throws ReflectiveOperationException {
    Class<?> type = wither.getDeclaringClass();
    Object before = sample(type, 1);
    Object other = sample(type, 2);
    String changed = wither.getName().substring(4, 5).toLowerCase(Locale.ROOT)
        + wither.getName().substring(5);

    Object after = wither.invoke(before, type.getMethod(changed).invoke(other));

    for (RecordComponent component : type.getRecordComponents()) {
      Method accessor = component.getAccessor();
      Object from = component.getName().equals(changed) ? other : before;
      assertThat(accessor.invoke(after)).as(component.getName()).isEqualTo(accessor.invoke(from));
    }
    assertThat(after).isNotEqualTo(before);
  }

  @Test
  void lists_are_copied_and_cannot_be_changed() {
    List<String> messages = new ArrayList<>(List.of("a"));
    LintResult lint = LintResult.of(messages, List.of());

    messages.add("b");

    assertThat(lint.errorMessages()).containsExactly("a").isUnmodifiable();
    assertThat(lint.errors()).isEqualTo(1);
    assertThat(lint.valid()).isFalse();
    assertThat(LintResult.of(List.of(), messages).valid()).isTrue();
  }

  private static Object sample(Class<?> type, int which) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(components[i].getGenericType(), 100 * which + i);
    }
    return type.getDeclaredConstructor(
            Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
        .newInstance(values);
  }

  /** A value that differs from those of all other components, and of the other sample. */
  private static Object value(Type generic, int seed) throws ReflectiveOperationException {
    if (generic instanceof ParameterizedType list) {
      return List.of(value(list.getActualTypeArguments()[0], seed));
    }
    Class<?> type = (Class<?>) generic;
    if (type.isRecord()) {
      return sample(type, seed);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[seed % type.getEnumConstants().length];
    }
    if (type == boolean.class || type == Boolean.class) {
      return seed / 100 % 2 == 0;
    }
    return Stream.<Object>of(
            "text " + seed,
            (long) seed,
            (double) seed,
            JsonObject.of("x", seed),
            new RecordHash("hash " + seed),
            RecordTime.of(Instant.ofEpochSecond(seed)))
        .filter(candidate -> type.isInstance(candidate)
            || (type == long.class && candidate instanceof Long)
            || (type == double.class && candidate instanceof Double))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no sample of " + type));
  }
}
