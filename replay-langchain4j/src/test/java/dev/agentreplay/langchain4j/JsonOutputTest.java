package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.io.session.Session;
import dev.langchain4j.data.message.AiMessage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tools of LangChain4j return text: rules with pointers continue into the JSON in it, also where
 * the next prompt repeats it.
 */
class JsonOutputTest {

  @TempDir
  private Path directory;

  private int sessions;

  /** An agent that calls a tool, which returns this text, and then answers. */
  private Session chat(String output) {
    return Recorded.chat(
            directory.resolve(Integer.toString(++sessions)),
            ScriptedModel.of(ScriptedModel.call("a", "tool", "{}"), AiMessage.from("done")),
            builder -> builder.tools(Tools.tool(request -> Tools.text(output))))
        .session();
  }

  private SessionDiff diff(ComparisonRule... rules) throws IOException {
    return SessionDiff.between(
        chat("{\"ok\":true,\"load\":0.93}"),
        chat("{\"ok\":true,\"load\":0.95}"),
        DiffOptions.defaults().plus(rules));
  }

  @Test
  void volatile_number_in_an_output_is_a_divergence_without_a_rule() throws IOException {
    assertThat(diff().divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.OUTPUT, DivergenceKind.PROMPT);
  }

  @Test
  void volatile_number_in_an_output_passes_with_one_rule() throws IOException {
    for (ComparisonRule rule : new ComparisonRule[] {
      Ignore.at("/**/load"), Tolerance.parse("/**/load=0.02"), Tolerance.parse("/**/load=3%")
    }) {
      SessionDiff diff = diff(rule);
      assertThat(diff.isIdentical()).as(rule.description()).isTrue();
      // in the output of the tool, and in the prompt that repeats it
      assertThat(diff.rules().get(0).left()).isEqualTo(2);
      assertThat(diff.rules().get(0).right()).isEqualTo(2);
    }
    assertThat(diff(Tolerance.parse("/**/load=0.01")).divergences())
        .extracting(divergence -> divergence.firstChange().pointer())
        .containsExactly("/output/load", "/prompt/messages/2/contents/0/text/load");
  }

  @Test
  void different_member_of_the_same_output_is_found() throws IOException {
    SessionDiff diff = SessionDiff.between(
        chat("{\"ok\":true,\"load\":0.93}"),
        chat("{\"ok\":false,\"load\":0.95}"),
        DiffOptions.defaults().plus(Ignore.at("/**/load")));

    assertThat(diff.divergences())
        .extracting(divergence -> divergence.firstChange().pointer())
        .containsExactly("/output/ok", "/prompt/messages/2/contents/0/text/ok");
  }

  @Test
  void rule_for_the_output_alone_leaves_the_prompt_that_repeats_it() throws IOException {
    assertThat(diff(Ignore.at("/output/load")).divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.PROMPT);
  }
}
