package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every {@code withX} of an event changes x, and nothing else. */
class WithersTest {

  static Stream<Method> withers() {
    Stream<Class<?>> records = Stream.concat(
        Arrays.stream(ReplayEvent.class.getPermittedSubclasses()), Stream.of(Meta.class));
    return records
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> method.getName().startsWith("with") && !method.isBridge())
        .filter(method -> method.getParameterCount() == 1)
        .filter(method -> Arrays.stream(method.getDeclaringClass().getRecordComponents())
            .anyMatch(component -> component.getName().equals(changed(method))));
  }

  /** The component that a method changes, by its name; others change a part of a component. */
  private static String changed(Method wither) {
    String name = wither.getName().substring("with".length());
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  @Test
  void latency_is_changed_without_the_chunks() {
    Timing timing = new Timing(3L, Chunks.builder().add(1, 2).build());
    ToolResult tool = ToolResult.of("c", "ab").withTiming(timing);
    ModelResult model = ModelResult.of("m", "ab").withTiming(timing);

    assertThat(tool.withLatencyMillis(7L).timing()).isEqualTo(timing.withLatencyMillis(7L));
    assertThat(model.withLatencyMillis(null).timing()).isEqualTo(new Timing(null, timing.chunks()));
    assertThat(tool.withLatencyMillis(7L).latencyMillis()).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource
  void withers(Method wither) throws ReflectiveOperationException {
    Class<?> type = wither.getDeclaringClass();
    Object before = sample(type, "a");
    Object other = sample(type, "b");
    String changed = changed(wither);

    Object after = wither.invoke(before, type.getMethod(changed).invoke(other));

    for (RecordComponent component : type.getRecordComponents()) {
      Method accessor = component.getAccessor();
      Object from = component.getName().equals(changed) ? other : before;
      assertThat(accessor.invoke(after)).as(component.getName()).isEqualTo(accessor.invoke(from));
    }
    assertThat(after).isNotEqualTo(before);
  }

  private static Object sample(Class<?> type, String which) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Constructor<?> constructor = type.getDeclaredConstructor(types);
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(components[i], which + i);
    }
    return constructor.newInstance(values);
  }

  /** A value that differs from those of all other components, and of the other sample. */
  private static Object value(RecordComponent component, String text) {
    Class<?> type = component.getType();
    long number = text.hashCode();
    if (type == long.class) {
      return number;
    }
    if (type == List.class) {
      return component.getGenericType().getTypeName().contains("SideEffect")
          ? List.of(SideEffect.of(text))
          : List.of(CommandRun.of(text, 0));
    }
    List<Object> candidates = List.of(
        text,
        number,
        (double) number,
        PolicyId.version(text),
        Salt.of(Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), Salt.BYTES)),
        JsonObject.of(text, 1),
        JsonString.of(text),
        ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8)),
        Content.of(JsonString.of(text)),
        PromptDelta.from(text).build(),
        Outcome.exit((int) number),
        Task.of(text),
        new Labels(List.of(text), null, null),
        new Parameters(JsonObject.of(text, 1)),
        Completion.of(text),
        TokenCounts.of(number, number),
        Timing.of(number),
        Attempt.first(text),
        new TestCounts(number, number),
        new ReplayOrigin(text, new TreeHead(1, ContentHash.sha256(new byte[0])), text),
        new TreeHead(number, ContentHash.sha256(new byte[] {(byte) number})),
        Status.parse(text),
        Timestamp.of(Instant.ofEpochSecond(number)),
        Meta.NONE.withSessionId(text));
    return candidates.stream()
        .filter(candidate ->
            type == JsonValue.class ? candidate instanceof JsonString : type.isInstance(candidate))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no sample of " + type));
  }
}
