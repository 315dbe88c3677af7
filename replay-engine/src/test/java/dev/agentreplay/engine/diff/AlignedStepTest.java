package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Sides.Both;
import dev.agentreplay.engine.diff.Sides.LeftOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AlignedStepTest {

  @ParameterizedTest
  @EnumSource
  void relation_of_a_single_step_is_that_of_its_side(Relation relation) {
    Sides<Step> only = relation == Relation.MISSING || relation == Relation.ADDED
        ? new Both<>(TestValues.STEP, TestValues.STEP)
        : new LeftOnly<>(TestValues.STEP);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestResults.alignedStep(relation, only.left(), only.right(), null))
        .withMessageStartingWith("not the relation of ");
  }

  @Test
  void single_step_of_the_wrong_side_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestResults.alignedStep(Relation.ADDED, TestValues.STEP, null, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestResults.alignedStep(Relation.MISSING, null, TestValues.STEP, null));
  }
}
