package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.ValueChange.Replacement;
import dev.agentreplay.engine.report.compared.ComparedText;
import dev.agentreplay.engine.report.compared.Marks;
import dev.agentreplay.engine.report.embedded.Embedding;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Texts with marks that are too long for a page. */
class EmbeddedChangeTest {

  private static ComparedText digits(int count, String word) {
    return ComparedText.of(
        "1 ".repeat(count),
        IntStream.range(0, count)
            .mapToObj(i -> new Replacement(2 * i, 2 * i + 1, word))
            .toList());
  }

  @Property
  void cut_text_has_whole_marks_and_tells_how_much_was_recorded(
      @ForAll @IntRange(min = 1, max = 3_000) int count,
      @ForAll @IntRange(max = 100) int length,
      @ForAll @IntRange(min = 20, max = 1 << 16) int limit) {
    ComparedText text = digits(count, "N".repeat(length));
    Marks marks = Objects.requireNonNull(Marks.notIn(text, text));

    JsonObject embedded =
        Objects.requireNonNull(new EmbeddedChange(new Embedding(limit, Long.MAX_VALUE))
            .of(text, text, marks)
            .get(0));

    if (embedded.has("json")) {
      assertThat(embedded.at("/json").asString().length()).isLessThanOrEqualTo(limit);
      ComparedText kept =
          marks.text(JsonText.parse(embedded.at("/json").asString()).asString());
      assertThat(text.recorded()).startsWith(kept.recorded());
      assertThat(text.compared()).startsWith(kept.compared());
      if (embedded.has("cuts")) {
        assertThat(embedded.at("/cuts/0/1").asLong()).isEqualTo(text.recorded().length());
        assertThat(embedded.at("/cuts/0/2").asLong()).isEqualTo(kept.recorded().length());
      } else {
        assertThat(kept.recorded()).isEqualTo(text.recorded());
      }
    } else {
      assertThat(embedded.at("/size").asLong()).isEqualTo(text.recorded().length() + 2);
    }
  }

  @Test
  void text_that_grows_by_its_marks_is_cut_between_replacements() {
    ComparedText text = digits(3_000, "word of a rule which is long");
    Marks marks = Objects.requireNonNull(Marks.notIn(text, text));
    JsonObject embedded =
        Objects.requireNonNull(new EmbeddedChange(new Embedding(1 << 16, Long.MAX_VALUE))
            .of(text, text, marks)
            .get(0));

    assertThat(marks
            .text(JsonText.parse(embedded.at("/json").asString()).asString())
            .recorded())
        .startsWith("1 1 1 ")
        .doesNotContain("word");
    assertThat(embedded.at("/cuts/0")).asString().startsWith("[\"\",6000,");
  }

  @Test
  void replaced_part_that_is_too_long_is_left_out_with_its_size() {
    ComparedText text =
        ComparedText.of("1".repeat(70_000) + "x", List.of(new Replacement(0, 70_000, "N")));
    Marks marks = Objects.requireNonNull(Marks.notIn(text, text));

    assertThat(new EmbeddedChange(new Embedding(1 << 16, Long.MAX_VALUE)).of(text, text, marks))
        .allSatisfy(side ->
            assertThat(Objects.requireNonNull(side).at("/size").asLong()).isEqualTo(70_003));
  }
}
