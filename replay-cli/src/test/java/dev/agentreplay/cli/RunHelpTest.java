package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The help of {@code replay run}: its table of modes is that of the policy. */
class RunHelpTest {

  @Test
  void table_has_what_each_mode_does() {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    String mode = "";
    for (String line : table()) {
      List<String> cells = List.of(line.strip().split("\\s{2,}"));
      if (cells.size() == 5) {
        mode = cells.get(0);
        rows.put(mode, cells.subList(1, 5));
      } else { // a cell on two lines
        List<String> before = rows.get(mode);
        rows.put(
            mode,
            List.of(
                before.get(0), before.get(1) + " " + cells.get(0), before.get(2), before.get(3)));
      }
    }

    assertThat(rows.keySet())
        .containsExactlyElementsOf(
            Stream.of(ReplayMode.values()).map(ReplayMode::id).toList());
    for (ReplayMode each : ReplayMode.values()) {
      ReplayPolicy policy = ReplayPolicy.of(each);
      assertThat(rows.get(each.id()))
          .as(each.id())
          .containsExactly(
              each.needsAgent() ? "required" : each.takesAgent() ? "optional" : "none",
              tools(policy),
              word(policy.model()),
              word(policy.values()));
    }
  }

  private static List<String> table() {
    return Console.run("run", "--help")
        .out()
        .lines()
        .dropWhile(line -> !line.strip().startsWith("mode  "))
        .skip(1)
        .takeWhile(line -> !line.isBlank())
        .toList();
  }

  private static String tools(ReplayPolicy policy) {
    boolean executes = policy.tool("any", Effect.PURE).executes();
    boolean writes = policy.tool("any", Effect.WRITES_WORKSPACE).executes();
    assertThat(policy.tool("any", Effect.IDEMPOTENT).executes()).isEqualTo(executes);
    assertThat(policy.tool("any", Effect.EXTERNAL).executes()).isFalse();
    if (!executes) {
      return word(policy.tool("any", Effect.PURE));
    }
    return writes
        ? "executed, except external"
        : "executed if they change no files, each by itself";
  }

  private static String word(ReplayAction action) {
    return switch (action) {
      case SERVE -> "recorded";
      case EXECUTE, EXECUTE_AND_COMPARE -> "executed";
      case REFUSE -> "none";
    };
  }
}
