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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayPolicyTest {

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
    assertThat(actions(mode))
        .containsExactly(
            Map.entry("PURE", pure),
            Map.entry("IDEMPOTENT", idempotent),
            Map.entry("WRITES_WORKSPACE", writes),
            Map.entry("EXTERNAL", external),
            Map.entry("model", model),
            Map.entry("values", values));
    assertThat(ReplayPolicy.of(mode).mode()).isEqualTo(mode);
  }

  /** The actions of the preset of a mode in words, by the columns of the document. */
  private static Map<String, String> actions(ReplayMode mode) {
    ReplayPolicy policy = ReplayPolicy.of(mode);
    Map<String, String> actions = new LinkedHashMap<>();
    for (Effect effect : Effect.values()) {
      if (effect != Effect.MODEL) {
        actions.put(effect.name(), word(policy.tool("any", effect)));
      }
    }
    actions.put("model", word(policy.model()));
    actions.put("values", word(policy.values()));
    return actions;
  }

  private static String word(ReplayAction action) {
    return switch (action) {
      case SERVE -> "serve";
      case EXECUTE_AND_COMPARE -> "compare";
      case REFUSE -> "refuse";
      case EXECUTE -> "execute";
    };
  }

  @Test
  void table_of_the_document_has_the_action_of_each_mode_and_effect() throws Exception {
    List<String> rows = table();
    List<String> columns = cells(rows.get(0));
    Map<String, Map<String, String>> documented = new LinkedHashMap<>();
    Map<String, String> agents = new LinkedHashMap<>();
    for (String row : rows.subList(2, rows.size())) {
      List<String> cells = cells(row);
      String mode = cells.get(0).replaceAll("^`|`.*$", "");
      agents.put(mode, cells.get(1));
      Map<String, String> actions = new LinkedHashMap<>();
      for (int i = 2; i < cells.size(); i++) {
        actions.put(columns.get(i), cells.get(i).equals("–") ? "refuse" : cells.get(i));
      }
      documented.put(mode, actions);
    }

    assertThat(documented.keySet())
        .containsExactlyElementsOf(
            Stream.of(ReplayMode.values()).map(ReplayMode::id).toList());
    for (ReplayMode mode : ReplayMode.values()) {
      assertThat(documented.get(mode.id())).as(mode.id()).isEqualTo(actions(mode));
      String agent = mode.needsAgent() ? "runs" : mode.takesAgent() ? "runs, or none" : "none";
      assertThat(agents).containsEntry(mode.id(), agent);
    }
  }

  /** The rows of the table of modes. */
  private static List<String> table() throws IOException {
    return Files.readAllLines(Path.of("../docs/replaying.md")).stream()
        .dropWhile(line -> !line.startsWith("| mode | agent |"))
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  private static List<String> cells(String row) {
    return Stream.of(row.substring(1).split("\\|")).map(String::strip).toList();
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
