package dev.agentreplay.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandWordsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "python3 agent.py # python3,agent.py",
        "  a   b  # a,b",
        "a 'b c' # a,b c",
        "a \"b c\" # a,b c",
        "a'b'\"c\"d # abcd",
        "a b\\ c # a,b c",
        "a '\"' \"'\" # a,\",'",
        "a \"\\\"\\$\\x\" # a,\"$\\x",
        "a '|;$' # a,|;$",
        "a '' # a,",
      })
  void words_are_those_of_a_shell(String text, String words) {
    assertThat(CommandWords.split(text)).isEqualTo(List.of(words.split(",", -1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a | b", "a; b", "a && b", "a > b", "a < b", "a $B", "a `b`", "a$(b)"})
  void operator_of_a_shell_is_refused_instead_of_passed_to_the_program(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandWords.split(text))
        .withMessageContaining("without a shell");
  }

  @Test
  void command_that_is_incomplete_is_refused() {
    for (String text : new String[] {"", "   ", "a 'b", "a \"b", "a \"b\\\"", "a \\"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> CommandWords.split(text));
    }
  }
}
