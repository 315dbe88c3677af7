package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.report.embedded.Embedding;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Collections;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Values that are cut say what of. */
class EmbeddingTest {

  private static Embedding limit(int limit) {
    return new Embedding(limit, Long.MAX_VALUE);
  }

  @Property(tries = 300)
  void a_value_is_whole_or_within_the_limit_with_its_cuts_reported(
      @ForAll("values") JsonValue value, @ForAll @IntRange(min = 10, max = 3_000) int limit) {
    JsonObject embedded = limit(limit).embed(value);
    if (value.toString().length() <= limit) {
      assertThat(JsonText.parse(embedded.at("/json").asString())).isEqualTo(value);
      assertThat(embedded.has("cuts")).isFalse();
    } else if (embedded.has("json")) {
      assertThat(embedded.at("/json").asString().length()).isLessThanOrEqualTo(limit);
      JsonValue kept = JsonText.parse(embedded.at("/json").asString());
      for (JsonValue cut : embedded.at("/cuts").asArray()) {
        String pointer = cut.at("/0").asString();
        assertThat(size(value.at(pointer))).isEqualTo(cut.at("/1").asLong());
        assertThat(size(kept.at(pointer))).isEqualTo(cut.at("/2").asLong());
      }
      assertThat(embedded.at("/cuts").asArray().size()).isPositive();
    } else {
      assertThat(embedded.at("/size").asLong()).isEqualTo(value.toString().length());
    }
  }

  private static long size(JsonValue value) {
    return value instanceof JsonString text
        ? text.value().length()
        : value instanceof JsonArray array ? array.size() : value.asObject().size();
  }

  @Provide
  static Arbitrary<JsonValue> values() {
    Arbitrary<String> texts =
        Arbitraries.strings().withChars("ab~/\"\u2028\u00e9").ofMaxLength(400);
    return Arbitraries.recursive(
        () -> texts.map(JsonString::of),
        inner -> Arbitraries.oneOf(
            inner.list().ofMaxSize(12).map(JsonArray::copyOf),
            Combinators.combine(texts, inner, texts, inner)
                .as((a, x, b, y) -> JsonObject.EMPTY.with(a, x).with(b, y))),
        0,
        3);
  }

  @Test
  void small_members_next_to_a_long_one_are_kept() {
    JsonObject value = JsonObject.of("a", "x".repeat(5_000), "b", 1, "c", "short");
    JsonObject embedded = limit(1_000).embed(value);
    JsonValue kept = JsonText.parse(embedded.at("/json").asString());
    assertThat(kept.at("/b").asLong()).isEqualTo(1);
    assertThat(kept.at("/c").asString()).isEqualTo("short");
    assertThat(embedded.at("/cuts").toString()).startsWith("[[\"/a\",5000,");
  }

  @Test
  void names_that_are_too_long_leave_the_value_out() {
    JsonObject value = JsonObject.of("n".repeat(5_000), 1);
    assertThat(limit(1_000).embed(value)).isEqualTo(JsonObject.of("size", 5_006));
  }

  @Test
  void what_was_cut_counts_too() {
    JsonValue deep = JsonValue.of(Collections.nCopies(200, "x".repeat(40)));
    for (int i = 0; i < 20; i++) {
      deep = JsonObject.of("name".repeat(20), deep);
    }
    JsonObject embedded = limit(4_000).embed(deep);
    assertThat(embedded.toString().length()).isLessThan(12_000);
  }

  @Test
  void the_total_is_used_up() {
    Embedding embedding = new Embedding(100, 120);
    assertThat(embedding.embed(JsonString.of("x".repeat(80))).has("json")).isTrue();
    assertThat(embedding.embed(JsonString.of("x".repeat(36))).has("cuts")).isFalse();
    assertThat(embedding.embed(JsonString.of("y"))).isEqualTo(JsonObject.of("size", 3));
  }

  @Test
  void of_long_texts_the_part_that_differs_is_shown() {
    String head = "h".repeat(50_000);
    String tail = "t".repeat(20_000);
    var sides = new EmbeddedChange(limit(ViewerData.VALUE))
        .of(JsonString.of(head + "before" + tail), JsonString.of(head + "afterwards" + tail));
    assertThat(sides.get(0).at("/json").asString()).contains("hhbeforett");
    assertThat(sides.get(1).at("/json").asString()).contains("hhafterwardstt");
    assertThat(sides.get(0).at("/json").asString().length()).isLessThan(1_000);
    assertThat(sides.get(0).at("/from").asLong()).isEqualTo(49_600);
    assertThat(sides.get(1).at("/length").asLong()).isEqualTo(70_010);
  }

  @Test
  void a_missing_side_has_no_excerpt() {
    assertThat(new EmbeddedChange(limit(100)).of(null, JsonString.of("x")))
        .containsExactly(null, JsonObject.of("json", "\"x\""));
  }
}
