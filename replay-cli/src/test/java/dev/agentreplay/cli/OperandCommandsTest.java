package dev.agentreplay.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.AnnotatedElement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

class OperandCommandsTest {

  @TempDir
  static Path directory;

  private static Terminal terminal(OutputStream out) {
    PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
    return new Terminal(
        InputStream.nullInputStream(), stream, stream, false, false, false, 80, false);
  }

  private static final Terminal NOWHERE = terminal(OutputStream.nullOutputStream());

  @BeforeAll
  static void createSessions() {
    assertThat(Main.run(new String[] {"demo", "--out", directory.resolve("d").toString()}, NOWHERE))
        .isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify a", "verify a b", "stats a", "stats a b", "show a", "diff a b c"})
  @DisabledIfEnvironmentVariable(named = SessionInput.HOME, matches = ".+")
  void command_is_the_one_that_the_model_creates(String line) {
    String[] args = line.split(" ");
    CommandLine parsed = CommandModel.create(NOWHERE, args);
    Object byModel = parsed.parseArgs(args).subcommand().commandSpec().userObject();

    TerminalCommand byOperands = OperandCommands.find(NOWHERE, null, args);

    assertThat(byOperands).usingRecursiveComparison().withStrictTypeChecking().isEqualTo(byModel);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify",
        "verify --strict a",
        "verify a --strict",
        "verify -- a",
        "verify @arguments",
        "verify -h",
        "show a b",
        "diff a",
        "list a",
        "verfy a"
      })
  void model_is_needed(String line) {
    assertThat(OperandCommands.find(NOWHERE, null, line.split(" "))).isNull();
  }

  @Test
  void model_is_needed_for_an_empty_name() {
    assertThat(OperandCommands.find(NOWHERE, null, "verify", "")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sessions"})
  void model_is_needed_if_the_environment_gives_an_option_its_value(String home) {
    assertThat(OperandCommands.find(NOWHERE, home, "verify", "a")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "show", "stats", "diff"})
  void options_have_no_other_default_of_the_environment(String name) {
    CommandLine command = CommandModel.create(NOWHERE, name).getSubcommands().get(name);

    assertThat(command.getCommandSpec().options())
        .extracting(OptionSpec::userObject)
        .map(field -> ((AnnotatedElement) field).getAnnotation(Option.class).defaultValue())
        .filteredOn(value -> value.contains("${"))
        .containsExactly("${env:" + SessionInput.HOME + "}");
  }

  @ParameterizedTest
  @CsvSource({
    "0, verify d/first",
    "0, verify d/first d/second",
    "1, verify d/tampered",
    "3, verify d/absent",
    "0, show d/first",
    "3, show d/absent",
    "0, stats d/first",
    "3, stats d/absent",
    "1, diff d/first d/second",
    "3, diff d/first d/absent"
  })
  void output_and_exit_code_are_those_of_the_model(int code, String line) {
    String[] args = line.split(" ");
    for (int i = 1; i < args.length; i++) {
      args[i] = directory.resolve(args[i]).toString();
    }

    assertThat(output(terminal -> Main.call(
            requireNonNull(OperandCommands.find(terminal, null, args)), args[0], terminal)))
        .isEqualTo(output(terminal -> CommandModel.create(terminal, args).execute(args)))
        .startsWith(code + "\n");
  }

  private static String output(ToIntFunction<Terminal> command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Terminal terminal = terminal(out);
    int code = command.applyAsInt(terminal);
    terminal.out().flush();
    terminal.err().flush();
    return code + "\n" + out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "true, , true",
    "true, CLICOLOR=1, true",
    "true, CLICOLOR=0, false",
    "true, NO_COLOR=, false",
    "false, , false",
    "false, CLICOLOR_FORCE=1, true",
    "false, CLICOLOR_FORCE=0, false"
  })
  void output_is_colored_on_a_terminal(String terminal, @Nullable String setting, boolean color) {
    Map<String, String> environment = setting == null
        ? Map.of()
        : Map.of(setting.split("=")[0], setting.endsWith("=") ? "" : setting.split("=")[1]);

    assertThat(Main.isColored(terminal, environment)).isEqualTo(color);
  }

  @Test
  void wrong_usage_names_the_option_and_the_command() {
    assertThat(output(terminal -> Main.run(
            new String[] {"verify", "--strict", "--lenient", directory.toString()}, terminal)))
        .isEqualTo("2\nreplay: --strict and --lenient exclude each other\n"
            + "Try 'replay verify --help'.\n");
  }
}
