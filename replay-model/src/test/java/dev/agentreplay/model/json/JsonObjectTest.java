package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonObjectTest {

  @Test
  void equality_ignores_the_order_of_members() {
    JsonObject left = JsonObject.of("a", 1, "b", "x", "c", null);
    JsonObject right = JsonObject.of("c", null, "a", 1, "b", "x");

    assertThat(left).isEqualTo(right).hasSameHashCodeAs(right);
    assertThat(left.toString()).isNotEqualTo(right.toString());
  }

  @Test
  void equality_tells_names_values_and_sizes_apart() {
    JsonObject object = JsonObject.of("a", 1, "b", 2);

    assertThat(object)
        .isNotEqualTo(JsonObject.of("a", 1, "c", 2))
        .isNotEqualTo(JsonObject.of("a", 2, "b", 1))
        .isNotEqualTo(JsonObject.of("a", 1))
        .isNotEqualTo(JsonObject.of("a", 1, "b", 2, "c", 3))
        .isNotEqualTo(JsonArray.of("a", 1, "b", 2))
        .isNotEqualTo(null);
  }

  @Test
  void a_null_member_is_not_an_absent_member() {
    JsonObject object = JsonObject.of("a", null);

    assertThat(object.has("a")).isTrue();
    assertThat(object.get("a")).isEqualTo(JsonNull.NULL);
    assertThat(object.has("b")).isFalse();
    assertThat(object.get("b")).isNull();
    assertThat(object).isNotEqualTo(JsonObject.of("b", null)).isNotEqualTo(JsonObject.EMPTY);
  }

  @Test
  void members_are_found_by_name_and_position() {
    JsonObject object = JsonObject.of("z", 1, "a", "x");

    assertThat(object.size()).isEqualTo(2);
    assertThat(object.isEmpty()).isFalse();
    assertThat(object.names()).containsExactly("z", "a");
    assertThat(object.name(1)).isEqualTo("a");
    assertThat(object.value(0)).isEqualTo(JsonNumber.of(1));
    assertThat(object.toMap().keySet()).containsExactly("z", "a");
    List<String> seen = new ArrayList<>();
    object.forEach((name, value) -> seen.add(name + "=" + value));
    assertThat(seen).containsExactly("z=1", "a=\"x\"");
  }

  @Test
  void what_an_object_hands_out_cannot_be_changed() {
    JsonObject object = JsonObject.of("a", 1);

    assertThatThrownBy(() -> object.toMap().put("b", JsonNull.NULL))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> object.names().add("b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void position_outside_is_refused(int position) {
    JsonObject object = JsonObject.of("a", 1, "b", 2);

    assertThatThrownBy(() -> object.name(position)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> object.value(position)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void of_refuses_what_is_not_names_and_values() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonObject.of("a", 1, "b"))
        .withMessage("a value is missing: 3 names and values");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonObject.of(1, "a"))
        .withMessage("not a name: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonObject.of(null, "a"))
        .withMessage("not a name: null");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonObject.of("a", 1, "a", 1))
        .withMessage("duplicate name: \"a\"");
  }

  @Test
  void with_replaces_in_place_and_appends_what_is_new() {
    JsonObject object = JsonObject.of("a", 1, "b", 2);

    assertThat(object.with("a", "x")).hasToString("{\"a\":\"x\",\"b\":2}");
    assertThat(object.with("c", null)).hasToString("{\"a\":1,\"b\":2,\"c\":null}");
    assertThat(object).hasToString("{\"a\":1,\"b\":2}");
  }

  @Test
  void without_drops_members_and_keeps_the_order_of_the_rest() {
    JsonObject object = JsonObject.of("a", 1, "b", 2, "c", 3);

    assertThat(object.without("b")).hasToString("{\"a\":1,\"c\":3}");
    assertThat(object.without("c", "x", "a")).hasToString("{\"b\":2}");
    assertThat(object.without("x")).isSameAs(object);
    assertThat(object.without()).isSameAs(object);
    assertThat(object.without("a", "b", "c")).isEqualTo(JsonObject.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 10, 16, 17, 100})
  void builder_finds_and_refuses_names_at_any_size(int size) {
    JsonObject.Builder builder = JsonObject.builder();
    for (int i = 0; i < size; i++) {
      builder.add("name" + i, JsonNumber.of(i));
    }
    for (int i = 0; i < size; i++) {
      String name = "name" + i;
      assertThat(builder.addIfAbsent(name, JsonNull.NULL)).isFalse();
      assertThatIllegalArgumentException().isThrownBy(() -> builder.add(name, JsonNull.NULL));
    }

    JsonObject object = builder.build();

    assertThat(object.size()).isEqualTo(size);
    for (int i = 0; i < size; i++) {
      assertThat(object.name(i)).isEqualTo("name" + i);
      assertThat(object.get("name" + i)).isEqualTo(JsonNumber.of(i));
    }
    assertThat(object.get("name" + size)).isNull();
    assertThat(object.without("name0").size()).isEqualTo(Math.max(0, size - 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 8, 9, 20})
  void builder_used_on_does_not_change_what_it_built(int size) {
    JsonObject.Builder builder = JsonObject.builder();
    for (int i = 0; i < size; i++) {
      builder.add("name" + i, JsonNumber.of(i));
    }
    JsonObject first = builder.build();
    String before = first.toString();

    JsonObject second = builder.add("more", JsonBoolean.TRUE).build();

    assertThat(first).hasToString(before).isNotEqualTo(second);
    assertThat(first.get("more")).isNull();
    assertThat(second.get("more")).isEqualTo(JsonBoolean.TRUE);
  }

  @Test
  void builder_refuses_null() {
    JsonObject.Builder builder = JsonObject.builder();

    assertThatThrownBy(() -> builder.add(null, JsonNull.NULL))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.add("a", null)).isInstanceOf(NullPointerException.class);
    assertThat(builder.build()).isEqualTo(JsonObject.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "a\udc00", "\udc00\ud800", "\ud83d\ud83d\ude02", "x\udbff"})
  void name_with_a_lone_surrogate_is_refused(String name) {
    JsonObject.Builder builder = JsonObject.builder();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.add(name, JsonNull.NULL))
        .withMessageContaining("lone surrogate");
    assertThatIllegalArgumentException().isThrownBy(() -> JsonObject.EMPTY.with(name, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> JsonObject.of(name, 1));
  }

  @Test
  void prints_as_json() {
    JsonObject object =
        JsonObject.of("a\"\\", List.of(), "b", JsonObject.EMPTY, "\u0000", List.of(1, true));

    assertThat(object).hasToString("{\"a\\\"\\\\\":[],\"b\":{},\"\\u0000\":[1,true]}");
    assertThat(JsonObject.EMPTY).hasToString("{}");
  }
}
