package dev.agentreplay.engine.accept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.fingerprint.StepIdentity;
import dev.agentreplay.model.ContentHash;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepIdentityTest {

  private static final ContentHash ONE = ContentHash.parse("sha256:" + "1".repeat(64));
  private static final ContentHash TWO = ContentHash.parse("sha256:" + "2".repeat(64));

  @Test
  void every_component_is_compared() {
    StepIdentity step = new StepIdentity("call", "shell", "a", ONE, 0);

    assertThat(StepIdentity.class.getRecordComponents()).hasSize(5);
    assertThat(step)
        .isEqualTo(new StepIdentity("call", "shell", "a", ONE, 0))
        .hasSameHashCodeAs(new StepIdentity("call", "shell", "a", ONE, 0));
    assertThat(List.of(
            new StepIdentity("turn", "shell", "a", ONE, 0),
            new StepIdentity("call", "other", "a", ONE, 0),
            new StepIdentity("call", "shell", null, ONE, 0),
            new StepIdentity("call", "shell", "a", TWO, 0),
            new StepIdentity("call", "shell", "a", ONE, 1)))
        .doesNotContain(step);
  }
}
