package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonDepthTest {

  private static final String TOO_DEEP = "nested deeper than 1000";

  @Test
  void depth_counts_arrays_and_objects() {
    assertThat(JsonNumber.of(1).depth()).isZero();
    assertThat(JsonNull.NULL.depth()).isZero();
    assertThat(JsonArray.EMPTY.depth()).isEqualTo(1);
    assertThat(JsonObject.EMPTY.depth()).isEqualTo(1);
    assertThat(JsonArray.of(1, List.of(), 2).depth()).isEqualTo(2);
    assertThat(JsonObject.of("a", 1, "b", List.of(Map.of()), "c", 2).depth()).isEqualTo(3);
  }

  @Test
  void values_may_be_nested_to_the_limit_and_no_deeper() {
    JsonValue array = arrays(JsonValue.MAX_DEPTH);
    JsonValue object = objects(JsonValue.MAX_DEPTH);

    assertThat(array.depth()).isEqualTo(1_000);
    assertThat(object.depth()).isEqualTo(1_000);
    assertThat(array.toString()).hasSize(2_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonArray.of(array))
        .withMessage(TOO_DEEP);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonArray.copyOf(List.of(object)))
        .withMessage(TOO_DEEP);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonObject.of("a", array))
        .withMessage(TOO_DEEP);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonObject.EMPTY.with("a", object))
        .withMessage(TOO_DEEP);
  }

  @Test
  void converted_values_may_be_nested_to_the_limit_and_no_deeper() {
    assertThat(JsonValue.of(lists(1_000)).depth()).isEqualTo(1_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonValue.of(lists(1_001)))
        .withMessage(TOO_DEEP);
  }

  @Test
  void what_holds_itself_is_refused() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    Map<String, Object> map = new HashMap<>();
    map.put("self", map);
    Object[] array = new Object[1];
    array[0] = array;
    List<Object> ring = new ArrayList<>();
    ring.add(Map.of("a", new Object[] {ring}));

    for (Object endless : List.of(list, map, array, ring)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JsonValue.of(endless))
          .withMessage(TOO_DEEP);
    }
  }

  private static JsonValue arrays(int depth) {
    JsonValue value = JsonArray.EMPTY;
    for (int i = 1; i < depth; i++) {
      value = JsonArray.of(value);
    }
    return value;
  }

  private static JsonValue objects(int depth) {
    JsonValue value = JsonObject.EMPTY;
    for (int i = 1; i < depth; i++) {
      value = JsonObject.of("a", value);
    }
    return value;
  }

  private static List<?> lists(int depth) {
    List<?> list = List.of();
    for (int i = 1; i < depth; i++) {
      list = List.of(list);
    }
    return list;
  }
}
