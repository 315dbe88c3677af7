package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.policy.ReplayAction.EXECUTE_AND_COMPARE;
import static dev.agentreplay.engine.replay.policy.ReplayAction.REFUSE;
import static dev.agentreplay.engine.replay.policy.ReplayAction.SERVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.model.ToolDescription;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayPolicyTest {

  private static final Map<String, ReplayAction> WORDS =
      Map.of("serve", SERVE, "compare", EXECUTE_AND_COMPARE, "refuse", REFUSE);

  @ParameterizedTest
  @CsvSource({
    // mode, PURE, IDEMPOTENT, WRITES_WORKSPACE, EXTERNAL, MODEL, values
    "VALIDATION, refuse,  refuse,  refuse,  refuse, refuse,  refuse",
    "MOCK,       serve,   serve,   serve,   serve,  serve,   serve",
    "TOOLS_LIVE, compare, compare, compare, serve,  serve,   serve",
    "MODEL_LIVE, serve,   serve,   serve,   serve,  compare, serve",
    "FULL,       compare, compare, compare, serve,  compare, serve",
    "NODE,       compare, compare, serve,   serve,  compare, serve",
  })
  void a_mode_decides_by_effect(
      ReplayMode mode,
      String pure,
      String idempotent,
      String writes,
      String external,
      String model,
      String values) {
    ReplayPolicy policy = ReplayPolicy.of(mode);

    assertThat(policy.tool("any", Effect.PURE)).isEqualTo(WORDS.get(pure));
    assertThat(policy.tool("any", Effect.IDEMPOTENT)).isEqualTo(WORDS.get(idempotent));
    assertThat(policy.tool("any", Effect.WRITES_WORKSPACE)).isEqualTo(WORDS.get(writes));
    assertThat(policy.tool("any", Effect.EXTERNAL)).isEqualTo(WORDS.get(external));
    assertThat(policy.model()).isEqualTo(WORDS.get(model));
    assertThat(policy.values()).isEqualTo(WORDS.get(values));
    assertThat(policy.mode()).isEqualTo(mode);
  }

  @Test
  void a_tool_by_name_comes_before_its_effect() {
    ReplayPolicy policy = ReplayPolicy.of(ReplayMode.FULL)
        .withTool("mail", EXECUTE_AND_COMPARE)
        .withTool("read", REFUSE);

    assertThat(policy.tool("mail", Effect.EXTERNAL)).isEqualTo(EXECUTE_AND_COMPARE);
    assertThat(policy.tool("read", Effect.PURE)).isEqualTo(REFUSE);
  }

  @Test
  void external_effects_as_a_whole_are_never_executed() {
    assertThatThrownBy(
            () -> ReplayPolicy.of(ReplayMode.FULL).withAction(Effect.EXTERNAL, EXECUTE_AND_COMPARE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only if it is named");
    assertThat(ReplayPolicy.of(ReplayMode.FULL)
            .withAction(Effect.EXTERNAL, REFUSE)
            .tool("mail", Effect.EXTERNAL))
        .isEqualTo(REFUSE);
  }

  @Test
  void nothing_runs_in_validation() {
    ReplayPolicy policy = ReplayPolicy.of(ReplayMode.VALIDATION);

    assertThatThrownBy(() -> policy.withTool("read", EXECUTE_AND_COMPARE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> policy.withAction(Effect.PURE, SERVE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_tool_has_no_effect_of_a_model() {
    assertThatThrownBy(() -> ReplayPolicy.of(ReplayMode.MOCK).withEffect("a", Effect.MODEL))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void annotations_only_make_an_effect_greater() {
    ToolDescription tool = ToolDescription.of("read");

    assertThat(Effect.PURE.tightenedBy(tool)).isEqualTo(Effect.PURE);
    assertThat(Effect.EXTERNAL.tightenedBy(tool.withReadOnly(true))).isEqualTo(Effect.EXTERNAL);
    assertThat(Effect.PURE.tightenedBy(tool.withOpenWorld(true))).isEqualTo(Effect.EXTERNAL);
    assertThat(Effect.IDEMPOTENT.tightenedBy(tool.withDestructive(true)))
        .isEqualTo(Effect.EXTERNAL);
    assertThat(Effect.PURE.tightenedBy(tool.withReadOnly(false)))
        .isEqualTo(Effect.WRITES_WORKSPACE);
    assertThat(Effect.PURE.tightenedBy(tool.withReadOnly(false).withIdempotent(true)))
        .isEqualTo(Effect.IDEMPOTENT);
    assertThat(Effect.PURE.tightenedBy(tool.withIdempotent(false)))
        .isEqualTo(Effect.WRITES_WORKSPACE);
    assertThat(Effect.PURE.tightenedBy(tool.withReadOnly(true).withIdempotent(false)))
        .isEqualTo(Effect.PURE);
    assertThat(Effect.MODEL.tightenedBy(tool.withOpenWorld(true))).isEqualTo(Effect.MODEL);
  }
}
