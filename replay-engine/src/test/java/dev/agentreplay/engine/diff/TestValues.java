package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.pattern.TextRule;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Values to compare, and what else a comparison takes. */
public final class TestValues {

  /** A step whose name is a tool's. */
  static final Step STEP = TestResults.step(
      StepKind.CALL, 0, 0, "search", 2, 3L, 1L, true, "", ContentHash.of(new byte[32]));

  private TestValues() {}

  /** A normalized text with angle brackets around the words in it. */
  public static String readable(String normalized) {
    return normalized.replace(TextRule.OPEN, '<').replace(TextRule.CLOSE, '>');
  }

  /** Values that are often equal. */
  public static Arbitrary<JsonValue> values() {
    Arbitrary<JsonValue> scalars = Arbitraries.of(
        JsonNull.NULL,
        JsonValue.of(true),
        JsonValue.of(1),
        JsonValue.of(1.0),
        JsonNumber.of("1.50"),
        JsonNumber.of("15e-1"),
        JsonValue.of("a"),
        JsonValue.of("b c"),
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

  /** The value with a member or an element here and there changed, left out or moved. */
  static JsonValue edited(JsonValue value, Random random) {
    if (value instanceof JsonObject object) {
      JsonObject.Builder members = JsonObject.builder();
      object.forEach((name, member) -> {
        if (random.nextInt(8) > 0) {
          members.add(name, edited(member, random));
        }
      });
      return members.build();
    }
    if (value instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>();
      array.forEach(element -> elements.add(edited(element, random)));
      if (random.nextBoolean()) {
        Collections.shuffle(elements, random);
      }
      return JsonArray.copyOf(elements);
    }
    return random.nextInt(8) > 0 ? value : JsonValue.of(random.nextInt(3));
  }
}
