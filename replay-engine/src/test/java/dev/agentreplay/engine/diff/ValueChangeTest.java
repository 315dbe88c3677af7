package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.engine.diff.Results.RewrittenData;
import dev.agentreplay.engine.diff.ValueChange.Replacement;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueChangeTest {

  private static final Replacement FIRST = new Replacement(0, 2, "N");
  private static final Replacement SECOND = new Replacement(2, 4, "");

  @Test
  void replacements_that_overlap_or_are_in_another_order_are_refused() {
    assertThat(new RewrittenData(List.of(FIRST, SECOND), List.of()).before()).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RewrittenData(List.of(SECOND, FIRST), List.of()))
        .withMessage("replacements must be in order and disjoint: from 0, after one to 4");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RewrittenData(List.of(), List.of(FIRST, new Replacement(1, 3, "N"), SECOND)))
        .withMessage("replacements must be in order and disjoint: from 1, after one to 2");
  }

  @Test
  void replacement_with_offsets_out_of_order_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Replacement(2, 1, ""))
        .withMessage("offsets of a replacement must be in order: 2, 1");
    assertThatIllegalArgumentException().isThrownBy(() -> new Replacement(-1, 1, ""));
  }
}
