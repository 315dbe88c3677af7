package dev.agentreplay.io.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Preview;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class CanonicalMemberTest {

  @Test
  void member_is_found_between_others_that_look_like_it() {
    JsonObject object = JsonObject.of(
        "a",
        "\"stdout\":\"no\",\\",
        "b",
        JsonObject.of("stdout", JsonArray.of("}", "]", JsonObject.EMPTY)),
        "stdou",
        1,
        "stdout",
        JsonArray.of("x", JsonObject.of("y", "}")),
        "stdout2",
        2);
    assertThat(found(object, "stdout")).isEqualTo(object.get("stdout"));
    assertThat(found(object, "stdout2")).isEqualTo(JsonValue.of(2));
    assertThat(found(object, "std")).isNull();
  }

  @Test
  void value_that_is_not_an_object_has_no_members() {
    for (Object value : new Object[] {"stdout", 1, null, true}) {
      assertThat(found(JsonValue.of(value), "stdout")).isNull();
    }
    assertThat(found(JsonObject.EMPTY, "stdout")).isNull();
    assertThat(found(JsonArray.of("stdout", "x"), "stdout")).isNull();
  }

  @Property
  void every_member_is_found(@ForAll("objects") JsonObject object) {
    for (String name : new String[] {"a", "b", "stdout"}) {
      assertThat(found(object, name)).isEqualTo(object.get(name));
    }
  }

  @Property
  void text_that_is_not_json_ends_the_search(@ForAll("objects") JsonObject object) {
    byte[] json = CanonicalJson.SERDE.bytes(object);
    for (int length = 0; length < json.length; length++) {
      CanonicalMember.find(Arrays.copyOf(json, length), "stdout"); // does not throw
    }
  }

  @Property
  void preview_of_a_stream_is_that_of_its_text(@ForAll("texts") String text) {
    byte[] json = CanonicalJson.SERDE.bytes(JsonObject.of("a", text, "stdout", text));
    assertThat(PreviewText.ofStream(json, "stdout"))
        .isEqualTo(PreviewText.ofPreview(Preview.ofStream(text)));
  }

  @Provide
  Arbitrary<JsonObject> objects() {
    Arbitrary<String> texts =
        Arbitraries.strings().withChars("ab\"\\{}[],:\n\u20ac").ofMaxLength(4);
    Arbitrary<JsonValue> values = Arbitraries.lazyOf(
        () -> texts.map(JsonValue::of),
        () -> texts.list().ofMaxSize(3).map(JsonValue::of),
        () -> Arbitraries.maps(texts, texts).ofMaxSize(3).map(JsonValue::of));
    return Arbitraries.maps(Arbitraries.oneOf(texts, Arbitraries.of("a", "b", "stdout")), values)
        .ofMaxSize(5)
        .map(map -> JsonValue.of(map).asObject());
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> parts = Arbitraries.of("a", "\u0001", "\u20ac", "\ud83d\ude00", "\"\\")
        .flatMap(part -> Arbitraries.integers().between(0, 12_000).map(part::repeat));
    return parts.list().ofMaxSize(3).map(list -> String.join("", list));
  }

  private static JsonValue found(JsonValue value, String name) {
    byte[] json = CanonicalMember.find(CanonicalJson.SERDE.bytes(value), name);
    return json == null ? null : JsonText.parse(new String(json, StandardCharsets.UTF_8));
  }
}
