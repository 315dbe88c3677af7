package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The components of records and the constants of enums, which callers match on. A change here is a
 * change of the API that tools comparing signatures do not report: it belongs into the change log.
 */
class RecordShapeTest {

  @Test
  void shape_is_the_recorded_one() throws IOException {
    Stream<Class<?>> objects = Arrays.stream(RecordObject.class.getPermittedSubclasses())
        .flatMap(type -> Stream.concat(Stream.of(type), parts(type)));
    String shape = Stream.concat(
            objects.map(RecordShapeTest::components),
            Arrays.stream(RecordConstant.class.getPermittedSubclasses())
                .map(RecordShapeTest::constants))
        .collect(Collectors.joining("\n", "", "\n"));

    assertThat(shape).isEqualTo(recorded());
  }

  @Test
  void last_component_of_every_object_is_what_is_left_over() {
    assertThat(RecordObject.class.getPermittedSubclasses()).allSatisfy(type -> {
      RecordComponent[] components = type.getRecordComponents();
      RecordComponent last = components[components.length - 1];
      assertThat(last.getName()).isEqualTo("extra");
      assertThat(last.getType()).isEqualTo(JsonObject.class);
    });
  }

  private static Stream<Class<?>> parts(Class<?> type) {
    return Arrays.<Class<?>>stream(type.getDeclaredClasses())
        .filter(part -> part.isRecord() && !RecordObject.class.isAssignableFrom(part))
        .sorted((l, r) -> l.getName().compareTo(r.getName()));
  }

  private static String components(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(component -> component.getGenericType().getTypeName() + " " + component.getName())
        .map(text -> text.replaceAll("[a-z]+\\.", "").replace('$', '.'))
        .collect(Collectors.joining(", ", "record " + name(type) + "(", ")"));
  }

  private static String constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> ((RecordConstant) constant).id())
        .collect(Collectors.joining(", ", "enum " + name(type) + "(", ")"));
  }

  private static String name(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  private static String recorded() throws IOException {
    try (InputStream stream = RecordShapeTest.class.getResourceAsStream("/record-shape.txt")) {
      return new String(
          Objects.requireNonNull(stream, "record-shape.txt").readAllBytes(),
          StandardCharsets.UTF_8);
    }
  }
}
