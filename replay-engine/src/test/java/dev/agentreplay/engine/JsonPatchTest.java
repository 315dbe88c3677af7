package dev.agentreplay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
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

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void patchTurnsLeftIntoRight(
      @ForAll("values") JsonValue left, @ForAll("values") JsonValue right) {
    JsonArray patch = JsonPatch.between("", left, right);
    assertThat(JsonPatches.apply(patch, left)).as("%s", patch).isEqualTo(right);
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void patchOfAMemberTurnsTheWholeIntoTheOther(
      @ForAll("values") JsonValue left, @ForAll("values") JsonValue right) {
    JsonObject whole = JsonObject.of("kept", 1, "member", left);
    JsonArray patch = JsonPatch.between("/member", left, right);
    assertThat(JsonPatches.apply(patch, whole)).isEqualTo(whole.with("member", right));
    assertThat(JsonPatches.apply(JsonPatch.between("/member", left, null), whole))
        .isEqualTo(whole.without("member"));
    assertThat(JsonPatches.apply(JsonPatch.between("/new", null, right), whole))
        .isEqualTo(whole.with("new", right));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void patchBetweenEqualValuesIsEmpty(@ForAll("values") JsonValue value) {
    assertThat(JsonPatch.between("", value, value)).isEqualTo(JsonArray.EMPTY);
  }

  @Property(tries = 1_000)
  void patchBetweenArraysOfFewElements(
      @ForAll @Size(max = 6) List<@IntRange(max = 1) Integer> left,
      @ForAll @Size(max = 6) List<@IntRange(max = 1) Integer> right) {
    JsonValue from = JsonValue.of(left);
    JsonValue to = JsonValue.of(right);
    assertThat(JsonPatches.apply(JsonPatch.between("", from, to), from)).isEqualTo(to);
  }

  @Example
  void nothingAtAllNeedsNoPatch() {
    assertThat(JsonPatch.between("/a", null, null)).isEqualTo(JsonArray.EMPTY);
  }

  @Example
  void onlyWhatDiffersIsTouched() {
    JsonObject left = JsonObject.of("a", JsonArray.of(1, 2, 3, 4), "b", JsonObject.of("x/~", 1));
    JsonObject right =
        JsonObject.of("b", JsonObject.of("x/~", 2), "a", JsonArray.of(1, 2, 9, 3, 4));
    assertThat(JsonPatch.between("", left, right))
        .isEqualTo(JsonArray.of(
            JsonObject.of("op", "add", "path", "/a/2", "value", 9),
            JsonObject.of("op", "replace", "path", "/b/x~1~0", "value", 2)));
    assertThat(JsonPatch.between("", JsonArray.of(1, 2, 3, 4), JsonArray.of(1, 4)))
        .isEqualTo(JsonArray.of(
            JsonObject.of("op", "remove", "path", "/2"),
            JsonObject.of("op", "remove", "path", "/1")));
  }

  @Example
  void numbersAreComparedAsTheyAreHashed() {
    JsonValue left = JsonObject.of("a", new BigDecimal("1.5"), "b", 1);
    JsonValue right = JsonObject.of("a", new BigDecimal("1.50"), "b", 2);

    assertThat(JsonPatch.between("", left, right))
        .isEqualTo(JsonArray.of(JsonObject.of("op", "replace", "path", "/b", "value", 2)));
  }

  @Example
  void nullIsAValue() {
    assertThat(JsonPatch.between("/a", JsonNull.NULL, null))
        .isEqualTo(JsonArray.of(JsonObject.of("op", "remove", "path", "/a")));
    assertThat(JsonPatch.between("/a", null, JsonNull.NULL))
        .isEqualTo(JsonArray.of(JsonObject.of("op", "add", "path", "/a", "value", null)));
  }

  @Example
  void wholeDocumentIsAddedOrRemoved() {
    JsonObject document = JsonObject.of("a", 1);
    assertThat(JsonPatches.apply(JsonPatch.added(document), JsonNull.NULL)).isEqualTo(document);
    assertThat(JsonPatches.apply(JsonPatch.removed(document), document)).isEqualTo(JsonNull.NULL);
  }

  @Provide
  Arbitrary<JsonValue> values() {
    Arbitrary<JsonValue> scalars = Arbitraries.of(
        JsonNull.NULL,
        JsonValue.of(true),
        JsonValue.of(1),
        JsonValue.of(1.0),
        JsonValue.of(2),
        JsonValue.of("a"),
        JsonValue.of(""));
    Arbitrary<String> names = Arbitraries.of("", "a", "b", "/", "~", "~1", "0", "a/b");
    return Arbitraries.recursive(
        () -> scalars,
        inner -> {
          Arbitrary<JsonValue> arrays = inner.list().ofMaxSize(5).map(JsonArray::copyOf);
          Arbitrary<JsonValue> objects = Arbitraries.maps(names, inner)
              .ofMaxSize(4)
              .map((Map<String, JsonValue> map) -> JsonValue.of(map));
          return Arbitraries.oneOf(scalars, arrays, objects);
        },
        0,
        3);
  }
}
