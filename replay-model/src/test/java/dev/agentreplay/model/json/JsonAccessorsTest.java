package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonAccessorsTest {

  private static final Map<String, Function<JsonValue, Object>> ACCESSORS = new LinkedHashMap<>();

  static {
    ACCESSORS.put("string", JsonValue::asString);
    ACCESSORS.put("number", JsonValue::asLong);
    ACCESSORS.put("number ", JsonValue::asDouble);
    ACCESSORS.put("boolean", JsonValue::asBoolean);
    ACCESSORS.put("object", JsonValue::asObject);
    ACCESSORS.put("array", JsonValue::asArray);
  }

  static List<JsonValue> values() {
    return List.of(
        JsonString.of("x"),
        JsonNumber.of(1),
        JsonBoolean.FALSE,
        JsonObject.of("a", 1),
        JsonArray.of(1),
        JsonNull.NULL);
  }

  @ParameterizedTest
  @MethodSource("values")
  void accessor_of_another_type_is_refused(JsonValue value) {
    ACCESSORS.forEach((key, accessor) -> {
      String type = key.trim();
      if (type.equals(value.typeName())) {
        assertThat(accessor.apply(value)).isNotNull();
      } else {
        String article = type.equals("array") || type.equals("object") ? "an " : "a ";
        assertThatIllegalStateException()
            .isThrownBy(() -> accessor.apply(value))
            .withMessage("expected " + article + type + ", is " + value.typeName() + " " + value);
      }
    });
  }

  @Test
  void accessors_return_the_value() {
    assertThat(JsonValue.of("x").asString()).isEqualTo("x");
    assertThat(JsonValue.of(7).asLong()).isEqualTo(7);
    assertThat(JsonValue.of(0.5).asDouble()).isEqualTo(0.5);
    assertThat(JsonValue.of(true).asBoolean()).isTrue();
    assertThat(JsonValue.of(false).asBoolean()).isFalse();
    assertThat(JsonValue.of(List.of(1)).asArray().size()).isEqualTo(1);
    assertThat(JsonValue.of(Map.of("a", 1)).asObject().size()).isEqualTo(1);
    assertThat(JsonValue.of(null).isNull()).isTrue();
    assertThat(JsonValue.of("null").isNull()).isFalse();
  }

  @Test
  void message_about_a_long_value_is_short() {
    assertThatIllegalStateException()
        .isThrownBy(() -> JsonString.of("x".repeat(1_000)).asLong())
        .withMessage("expected a number, is string \"" + "x".repeat(59) + "...");
  }
}
