package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.engine.diff.ValueChange.Replacement;
import dev.agentreplay.engine.diff.ValueChange.Rewritten;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueChangeTest {

  private static final Replacement FIRST = new Replacement(0, 2, "N");
  private static final Replacement SECOND = new Replacement(2, 4, "");

  private static ValueChange change(JsonValue before, JsonValue after, Rewritten detail) {
    return new ValueChange(
        DivergenceKind.OUTPUT, "/output", "/output", before, after, null, detail);
  }

  @Test
  void replacements_that_overlap_or_are_in_another_order_are_refused() {
    assertThat(new Rewritten(List.of(FIRST, SECOND), List.of()).before()).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Rewritten(List.of(SECOND, FIRST), List.of()))
        .withMessage("replacements must be in order and disjoint: from 0, after one to 4");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Rewritten(List.of(), List.of(FIRST, new Replacement(1, 3, "N"), SECOND)))
        .withMessage("replacements must be in order and disjoint: from 1, after one to 2");
  }

  @Test
  void replacements_beyond_the_text_or_of_no_text_are_refused() {
    Rewritten detail = new Rewritten(List.of(FIRST, SECOND), List.of());

    assertThat(change(JsonValue.of("1234"), JsonValue.of(""), detail).detail()).isEqualTo(detail);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change(JsonValue.of("123"), JsonValue.of("1234"), detail))
        .withMessage("replacement to 4 is beyond a text of 3 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change(JsonValue.of(1234), JsonValue.of("1234"), detail))
        .withMessage("only texts have replacements, not: 1234");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change(null, JsonValue.of("1234"), detail))
        .withMessage("only texts have replacements, not: null");
  }
}
