package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A value whose text is parsed when it is first used equals one that was created at once. */
class LazyTextTest {

  private static final JsonObject OBJECT = JsonObject.of("a", 1, "b", List.of(2, 3));
  private static final JsonArray ARRAY = JsonArray.of(1, "x");

  private final AtomicInteger parsed = new AtomicInteger();

  private LazyText text(JsonValue value) {
    return new LazyText(new byte[] {1, 2, 3}, 1, 2) {
      @Override
      protected JsonValue parse(byte[] utf8, int first, int end) {
        assertThat(utf8).containsExactly(1, 2, 3);
        assertThat(List.of(first, end)).containsExactly(1, 2);
        parsed.incrementAndGet();
        return value;
      }
    };
  }

  @Test
  void an_object_has_the_members_of_its_text() {
    assertThat(object().size()).isEqualTo(2);
    assertThat(object().isEmpty()).isFalse();
    assertThat(object().name(1)).isEqualTo("b");
    assertThat(object().value(0)).isEqualTo(JsonNumber.of(1));
    assertThat(object().names()).containsExactly("a", "b");
    assertThat(object().get("b")).isEqualTo(JsonArray.of(2, 3));
    assertThat(object().has("c")).isFalse();
    assertThat(object().with("c", 4)).isEqualTo(OBJECT.with("c", 4));
    assertThat(object().without("a")).isEqualTo(OBJECT.without("a"));
    assertThat(object().without("c")).isEqualTo(OBJECT);
    assertThat(object().toMap()).isEqualTo(OBJECT.toMap());
    assertThat(object()).isEqualTo(OBJECT).hasSameHashCodeAs(OBJECT).hasToString(OBJECT.toString());
    assertThat(OBJECT).isEqualTo(object());
    assertThat(object().at("/b/1")).isEqualTo(JsonNumber.of(3));
    assertThatThrownBy(() -> object().value(2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private JsonObject object() {
    return UncheckedValues.object(text(OBJECT), OBJECT.depth());
  }

  @Test
  void an_array_has_the_elements_of_its_text() {
    assertThat(array().size()).isEqualTo(2);
    assertThat(array().get(1)).isEqualTo(JsonString.of("x"));
    assertThat(array().values()).isEqualTo(ARRAY.values());
    assertThat(array().stream()).containsExactlyElementsOf(ARRAY.values());
    assertThat(List.copyOf(array().values())).isEqualTo(ARRAY.values());
    assertThat(array()).isEqualTo(ARRAY).hasSameHashCodeAs(ARRAY).hasToString(ARRAY.toString());
    assertThat(ARRAY).isEqualTo(array());
    assertThatThrownBy(() -> array().get(2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private JsonArray array() {
    return UncheckedValues.array(text(ARRAY), ARRAY.depth());
  }

  @Test
  void a_string_has_the_characters_of_its_text() {
    JsonString known = JsonString.of("x");
    assertThat(string().value()).isEqualTo("x");
    assertThat(string().asString()).isEqualTo("x");
    assertThat(string()).isEqualTo(known).hasSameHashCodeAs(known).hasToString("\"x\"");
    assertThat(known).isEqualTo(string());
  }

  private JsonString string() {
    return UncheckedValues.string(text(JsonString.of("x")));
  }

  @Test
  void the_depth_and_the_type_are_known_without_parsing() {
    for (JsonValue value : List.of(object(), array(), string())) {
      assertThat(value.typeName()).isIn("object", "array", "string");
      assertThat(value.depth()).isBetween(0, 2);
      assertThat(JsonObject.of("v", value).depth()).isEqualTo(value.depth() + 1);
    }
    assertThat(parsed).hasValue(0);
  }

  @Test
  void only_such_values_have_a_text() {
    LazyText text = text(OBJECT);
    assertThat(UncheckedValues.lazyText(UncheckedValues.object(text, 2))).isSameAs(text);
    for (Object known : List.of(OBJECT, ARRAY, "x", 1, true, Map.of())) {
      assertThat(UncheckedValues.lazyText(JsonValue.of(known))).isNull();
    }
  }

  @Test
  void threads_that_use_a_value_at_once_see_one() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      for (int i = 0; i < 200; i++) {
        JsonArray array = UncheckedValues.array(text(JsonArray.of("v")), 1);
        parsed.set(0);
        CountDownLatch ready = new CountDownLatch(4);
        List<Future<JsonValue>> seen = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
          seen.add(pool.submit(() -> {
            ready.countDown();
            ready.await();
            return array.get(0);
          }));
        }
        for (Future<JsonValue> each : seen) {
          assertThat(each.get()).isSameAs(array.get(0));
        }
        assertThat(parsed).hasValue(1);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void a_failure_is_not_remembered() {
    AtomicInteger tries = new AtomicInteger();
    JsonString string = UncheckedValues.string(new LazyText(new byte[1], 0, 1) {
      @Override
      protected JsonValue parse(byte[] utf8, int first, int end) {
        if (tries.incrementAndGet() == 1) {
          throw new OutOfMemoryError("simulated");
        }
        return JsonString.of("x");
      }
    });
    assertThatThrownBy(string::value).isInstanceOf(OutOfMemoryError.class);
    assertThat(string.value()).isEqualTo("x");
  }
}
