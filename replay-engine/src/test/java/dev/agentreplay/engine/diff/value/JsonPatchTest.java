package dev.agentreplay.engine.diff.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.TestValues;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A patch, applied to the one value, gives the other. */
class JsonPatchTest {

  @Property(edgeCases = EdgeCasesMode.NONE)
  void patch_turns_left_into_right(
      @ForAll("values") JsonValue left, @ForAll("values") JsonValue right) {
    JsonArray patch = JsonPatch.between(left, right);
    assertThat(canonical(JsonPatches.apply(patch, left)))
        .as("%s", patch)
        .isEqualTo(canonical(right));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void patch_with_members_first_turns_left_into_right(
      @ForAll("values") JsonValue left, @ForAll("values") JsonValue right) {
    JsonObject before = JsonObject.of("kept", 1, "changed", left, "gone", left, "z", 1);
    JsonObject after = JsonObject.of("kept", 1, "changed", right, "new", right, "z", 2);

    JsonArray patch =
        JsonPatch.between(before, after, List.of("z", "absent", "new"), Integer.MAX_VALUE);

    assertThat(canonical(JsonPatches.apply(patch, before))).isEqualTo(canonical(after));
    assertThat(patch.stream().limit(2).map(op -> op.at("/path").asString()))
        .containsExactly("/z", "/new");
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void patch_between_equal_values_is_empty(@ForAll("values") JsonValue value) {
    assertThat(JsonPatch.between(value, value)).isEqualTo(JsonArray.EMPTY);
  }

  @Property
  void patch_between_arrays_of_few_elements(
      @ForAll @Size(max = 6) List<@IntRange(max = 1) Integer> left,
      @ForAll @Size(max = 6) List<@IntRange(max = 1) Integer> right) {
    JsonValue from = JsonValue.of(left);
    JsonValue to = JsonValue.of(right);
    assertThat(JsonPatches.apply(JsonPatch.between(from, to), from)).isEqualTo(to);
  }

  @Example
  void only_what_differs_is_touched() {
    JsonObject left = JsonObject.of("a", JsonArray.of(1, 2, 3, 4), "b", JsonObject.of("x/~", 1));
    JsonObject right =
        JsonObject.of("b", JsonObject.of("x/~", 2), "a", JsonArray.of(1, 2, 9, 3, 4));
    assertThat(JsonPatch.between(left, right))
        .isEqualTo(JsonArray.of(
            JsonObject.of("op", "add", "path", "/a/2", "value", 9),
            JsonObject.of("op", "replace", "path", "/b/x~1~0", "value", 2)));
    assertThat(JsonPatch.between(JsonArray.of(1, 2, 3, 4), JsonArray.of(1, 4)))
        .isEqualTo(JsonArray.of(
            JsonObject.of("op", "remove", "path", "/1"),
            JsonObject.of("op", "remove", "path", "/1")));
  }

  @Example
  void numbers_are_compared_as_they_are_hashed() {
    JsonValue left = JsonObject.of("a", new BigDecimal("1.5"), "b", 1);
    JsonValue right = JsonObject.of("a", new BigDecimal("1.50"), "b", 2);

    assertThat(JsonPatch.between(left, right))
        .isEqualTo(JsonArray.of(JsonObject.of("op", "replace", "path", "/b", "value", 2)));
  }

  @Example
  void null_is_a_value() {
    assertThat(JsonPatch.between(JsonObject.of("a", null), JsonObject.EMPTY))
        .isEqualTo(JsonArray.of(JsonObject.of("op", "remove", "path", "/a")));
    assertThat(JsonPatch.between(JsonObject.EMPTY, JsonObject.of("a", null)))
        .isEqualTo(JsonArray.of(JsonObject.of("op", "add", "path", "/a", "value", null)));
  }

  @Example
  void whole_document_is_added_or_removed() {
    JsonObject document = JsonObject.of("a", 1);
    assertThat(JsonPatches.apply(JsonPatch.added(document), JsonNull.NULL)).isEqualTo(document);
    assertThat(JsonPatches.apply(JsonPatch.removed(document), document)).isEqualTo(JsonNull.NULL);
  }

  @Example
  void what_would_take_far_more_to_say_than_the_value_is_replaced_as_a_whole() {
    String name = "n".repeat(10_000);
    JsonObject left = JsonObject.of("short", 1, name, numbers(0));
    JsonObject right = JsonObject.of("short", 2, name, numbers(1));

    JsonArray patch = JsonPatch.between(left, right);

    assertThat(patch).hasSize(2);
    assertThat(JsonPatches.apply(patch, left)).isEqualTo(right);
  }

  @Example
  void deep_values_take_no_more_stack_than_there_is() {
    assertThat(JsonPatch.between(deep(1), deep(2))).hasSize(1);
  }

  private static JsonValue deep(int innermost) {
    JsonValue value = JsonValue.of(innermost);
    for (int i = 0; i < JsonValue.MAX_DEPTH / 2; i++) {
      value = JsonArray.of(JsonObject.of("a", value));
    }
    return value;
  }

  private static JsonArray numbers(int from) {
    return JsonArray.copyOf(
        IntStream.range(0, 1_000).mapToObj(i -> JsonValue.of(2 * i + from)).toList());
  }

  private static String canonical(JsonValue value) {
    return CanonicalJson.SERDE.text(value);
  }

  @Provide
  Arbitrary<JsonValue> values() {
    return TestValues.values();
  }
}
