package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.engine.diff.Sides.Both;
import dev.agentreplay.engine.diff.Sides.LeftOnly;
import dev.agentreplay.engine.diff.Sides.RightOnly;
import org.junit.jupiter.api.Test;

class SidesTest {

  @Test
  void what_is_given_decides_the_alternative() {
    assertThat(Sides.of("a", "b")).isEqualTo(new Both<>("a", "b"));
    assertThat(Sides.of("a", null)).isEqualTo(new LeftOnly<>("a"));
    assertThat(Sides.of(null, "b")).isEqualTo(new RightOnly<>("b"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sides.of(null, null))
        .withMessage("left and right must not both be null");
  }

  @Test
  void left_side_comes_before_the_right_one() {
    assertThat(new Both<>("a", "b").any()).isEqualTo("a");
    assertThat(new LeftOnly<>("a").any()).isEqualTo("a");
    assertThat(new RightOnly<>("b").any()).isEqualTo("b");
    assertThat(new LeftOnly<>("a").right()).isNull();
    assertThat(new RightOnly<>("b").left()).isNull();
  }

  @Test
  void function_is_applied_to_each_side_that_is_given() {
    assertThat(Sides.of("a", "bc").map(String::length)).isEqualTo(new Both<>(1, 2));
    assertThat(Sides.of("a", (String) null).map(String::length)).isEqualTo(new LeftOnly<>(1));
    assertThat(Sides.of((String) null, "bc").map(String::length)).isEqualTo(new RightOnly<>(2));
  }
}
