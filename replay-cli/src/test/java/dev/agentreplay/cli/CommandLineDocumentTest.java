package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The reference docs/cli.md is that of the command, and every command's help is complete. */
class CommandLineDocumentTest {

  private static final Pattern QUOTED = Pattern.compile("'([^']*)'");

  private static final Path DOCUMENT = Path.of("../docs/cli.md");

  private static CommandLine replay() {
    PrintStream none = new PrintStream(PrintStream.nullOutputStream());
    return CommandModel.create(
        new Terminal(InputStream.nullInputStream(), none, none, false, false, false, 0));
  }

  @Test
  void reference_is_that_of_the_command() throws IOException {
    String expected = CommandLineDocument.render(replay());
    if (MarkdownDocument.isRewriting()) {
      Files.writeString(DOCUMENT, expected);
    }
    assertThat(Files.readString(DOCUMENT))
        .as("write it again with -Dreplay.documents=write")
        .isEqualTo(expected);
  }

  @TestFactory
  List<DynamicTest> every_command_has_a_header_exit_codes_and_examples_that_parse() {
    List<DynamicTest> tests = new ArrayList<>();
    for (CommandLine command : commands()) {
      CommandLine.Model.UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      tests.add(DynamicTest.dynamicTest(command.getCommandSpec().qualifiedName(), () -> {
        assertThat(usage.header()).hasSize(1);
        assertThat(usage.header()[0]).matches("[A-Z][a-z]+ .*\\.");
        assertThat(usage.exitCodeList()).containsKeys("0", "2");
        assertThat(usage.footer()).isNotEmpty().allSatisfy(CommandLineDocumentTest::parses);
        List<String> lines = command.getUsageMessage().lines().toList();
        assertThat(lines).allMatch(line -> line.length() <= 100);
        assertThat(List.of(usage.description())).as("no line is wrapped").isSubsetOf(lines);
        assertThat(List.of(usage.footer())).as("no line is wrapped").isSubsetOf(lines);
      }));
    }
    return tests;
  }

  /** All commands that run, also those of a command that has others. */
  private static List<CommandLine> commands() {
    List<CommandLine> commands = new ArrayList<>();
    for (CommandLine command : replay().getSubcommands().values()) {
      commands.addAll(
          command.getSubcommands().isEmpty()
              ? List.of(command)
              : command.getSubcommands().values());
    }
    return commands;
  }

  private static void parses(String example) {
    String words = QUOTED
        .matcher(example.replaceFirst(" +#.*", ""))
        .replaceAll(quoted -> quoted.group(1).replace(' ', '_'))
        .replaceFirst("^.*?\\breplay ", "")
        .replaceAll("[')]", "");
    assertThat(replay().parseArgs(words.split(" ")).hasSubcommand()).isTrue();
  }

  @Test
  void option_texts_are_noun_phrases_or_imperatives_with_a_full_stop() {
    commands().forEach(command -> {
      for (OptionSpec option : command.getCommandSpec().options()) {
        assertThat(String.join(" ", option.description()))
            .as(command.getCommandName() + " " + option.longestName())
            .matches("(?s)[A-Z].*\\.")
            .doesNotStartWith("What ")
            .doesNotStartWith("Where ")
            .doesNotStartWith("How ");
      }
    });
  }
}
