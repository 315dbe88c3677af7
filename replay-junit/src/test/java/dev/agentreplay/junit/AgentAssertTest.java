package dev.agentreplay.junit;

import static dev.agentreplay.junit.BddReplayAssertions.thenAgent;
import static dev.agentreplay.junit.ReplayAssertions.assertThatAgent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.example.agents.Timed;
import com.example.agents.Untimed;
import dev.agentreplay.lint.pattern.LintFileException;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.Suppression;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Assertions on the code of agents. */
class AgentAssertTest {

  @Test
  void agent_that_uses_its_context_is_deterministic() {
    assertThatAgent(Untimed.class).isDeterministic();
    thenAgent(Untimed.class).isDeterministic();
  }

  @Test
  void failure_has_each_call_with_its_way_and_the_remedy() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertThatAgent(Timed.class).as("my agent").isDeterministic())
        .satisfies(e -> assertThat(e.getMessage().replaceAll("\\.java:[0-9]+", ".java:0"))
            .startsWith(
                """
                [my agent] 1 nondeterministic call

                clock  java.lang.System.currentTimeMillis()
                    at com.example.agents.Timed.now(Timed.java:0)
                    at com.example.agents.Timed.run(Timed.java:0)
                    use context.clock().millis()

                """)
            .endsWith("annotate its method with @AllowedNondeterminism(reason = \"…\")."));
  }

  @Test
  void patterns_and_suppressions_apply() throws LintFileException {
    LintPatterns patterns =
        LintPatterns.defaults().plus("test", "allow java.lang.System.currentTimeMillis");
    assertThatAgent(Timed.class).withPatterns(patterns).isDeterministic();
    List<Suppression> suppressions =
        Suppression.parse("test", "com.example.agents.Timed.now because it is an example");
    assertThatAgent(Timed.class).withSuppressions(suppressions).isDeterministic();

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () -> assertThatAgent(Untimed.class).withSuppressions(suppressions).isDeterministic())
        .withMessageContaining("suppressions cover no finding, and can be removed:")
        .withMessageContaining("com.example.agents.Timed.now");
  }

  @Test
  void description_holds_for_other_patterns_and_suppressions() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertThatAgent(Timed.class)
            .as("my agent")
            .withPatterns(LintPatterns.defaults())
            .withSuppressions(List.of())
            .isDeterministic())
        .withMessageStartingWith("[my agent] 1 nondeterministic call");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertThatAgent(Timed.class)
            .overridingErrorMessage("own message")
            .withSuppressions(List.of())
            .isDeterministic())
        .withMessage("own message");
  }
}
