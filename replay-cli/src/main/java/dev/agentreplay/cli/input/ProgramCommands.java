package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command lines of the programs that a replay starts. */
public final class ProgramCommands {

  @Option(
      names = "--env",
      split = ",",
      paramLabel = "NAME",
      description = "Environment variable that programs get, in addition to PATH, LANG, LC_ALL, TZ"
          + " and TMPDIR. Comma-separated, repeatable.")
  private Set<String> environment = new LinkedHashSet<>();

  /** Whether variables are given. */
  boolean hasEnvironment() {
    return !environment.isEmpty();
  }

  /**
   * The command of a program.
   *
   * @param option the option that has the command line, for messages
   * @param text the command line
   * @param name the name of the program before the lines of its standard error
   * @param opened the sandbox; null for none
   * @throws IOException if it cannot be started
   */
  ProcessCommand command(
      String option, String text, String name, @Nullable ReplaySandbox opened, Terminal terminal)
      throws IOException {
    try {
      List<String> words = CommandWords.split(text);
      ProcessCommand command = opened == null
          ? ProcessCommand.of(words)
          : opened.isolate(ProcessCommand.of(opened.withAbsolutePaths(words)));
      command.requireExecutable();
      return with(command, name, terminal);
    } catch (IOException e) {
      throw new IOException(option + ": " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + ": " + e.getMessage());
    }
  }

  /** Returns a command with its environment and the receiver of its standard error. */
  ProcessCommand with(ProcessCommand command, String name, Terminal terminal) {
    String before = Style.plain(name) + ": ";
    return command
        .withEnvironment(environment)
        .withErrors(line -> terminal.err().println(before + Style.plain(line)));
  }

  /** The existing files that the words of command lines name. */
  static List<Path> files(List<String> words) {
    List<Path> files = new ArrayList<>();
    for (String word : words) {
      addFile(word, files);
      addFile(word.substring(word.indexOf('=') + 1), files); // --option=FILE
    }
    return files;
  }

  private static void addFile(String word, List<Path> files) {
    try {
      Path file = Path.of(word);
      if (Files.isRegularFile(file)) {
        files.add(file);
      }
    } catch (InvalidPathException notAFile) {
      // a word of a different kind
    }
  }

  /** The words of a command line; none if it is wrong, which is reported where it is started. */
  static List<String> words(String command) {
    try {
      return CommandWords.split(command);
    } catch (IllegalArgumentException wrong) {
      return List.of();
    }
  }
}
