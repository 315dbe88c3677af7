package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SubcommandsTest {

  static final List<String> NAMES = ReplayCommand.SUBCOMMANDS;

  private static CommandLine replay(String... args) {
    PrintStream none =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return CommandModel.create(
        new Terminal(InputStream.nullInputStream(), none, none, false, false, false, 80, false),
        args);
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void command_that_is_loaded_alone_is_the_same(String name) {
    CommandLine one = replay(name).getSubcommands().get(name);
    CommandLine oneOfAll = replay().getSubcommands().get(name);

    assertThat(one.getUsageMessage()).isEqualTo(oneOfAll.getUsageMessage());
    assertThat(one.isStopAtPositional()).isEqualTo(name.equals("mcp-proxy"));
    assertThat(one.getSubcommands().keySet())
        .isEqualTo(oneOfAll.getSubcommands().keySet());
    assertThat(one.getCommandName()).isEqualTo(name);
  }

  @Test
  void only_the_command_that_is_named_is_loaded() {
    assertThat(replay("verify", "help").getSubcommands()).containsOnlyKeys("verify");
  }

  @ParameterizedTest
  @ValueSource(strings = {"help", "completion", "--help", "verfy", ""})
  void all_commands_are_loaded_where_others_are_printed(String first) {
    assertThat(replay(first).getSubcommands()).containsOnlyKeys(NAMES);
    assertThat(replay().getSubcommands()).containsOnlyKeys(NAMES);
  }
}
