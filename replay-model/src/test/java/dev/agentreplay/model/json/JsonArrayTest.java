package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonArrayTest {

  @Test
  void equality_is_that_of_the_elements_in_order() {
    JsonArray array = JsonArray.of(1, "x", null);

    assertThat(array.equals(JsonArray.of(1, "x", null))).isTrue();
    assertThat(array.hashCode()).isEqualTo(JsonArray.of(1, "x", null).hashCode());
    assertThat(array.equals(JsonArray.of("x", 1, null))).isFalse();
    assertThat(array.equals(JsonArray.of(1, "x"))).isFalse();
    assertThat(array.equals(JsonArray.of(1.0, "x", null))).isFalse();
    assertThat(array.equals(array.values())).isFalse();
  }

  @Test
  void elements_are_converted_and_kept_in_order() {
    JsonArray array = JsonArray.of(3, List.of("x"), true);

    assertThat(array.size()).isEqualTo(3);
    assertThat(array.get(0)).isEqualTo(JsonNumber.of(3));
    assertThat(array.values()).hasToString("[3, [\"x\"], true]");
    assertThat(array.stream()).containsExactlyElementsOf(array);
    assertThat(array.toString()).isEqualTo("[3,[\"x\"],true]");
    assertThat(JsonArray.EMPTY.toString()).isEqualTo("[]");
  }

  @Test
  void copy_does_not_follow_its_source() {
    List<JsonValue> source = new ArrayList<>(List.of(JsonNull.NULL));
    JsonArray array = JsonArray.copyOf(source);

    source.set(0, JsonBoolean.TRUE);

    assertThat(array.get(0)).isEqualTo(JsonNull.NULL);
    assertThatThrownBy(() -> array.values().set(0, JsonBoolean.TRUE))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> array.iterator().remove())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void copy_refuses_null() {
    List<JsonValue> source = Arrays.asList(JsonNull.NULL, null);

    assertThatThrownBy(() -> JsonArray.copyOf(source)).isInstanceOf(NullPointerException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void index_outside_is_refused(int index) {
    assertThatThrownBy(() -> JsonArray.of(1).get(index))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
