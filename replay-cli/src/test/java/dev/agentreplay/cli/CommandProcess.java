package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The command in a process of its own. */
final class CommandProcess {

  /** A line that a command prints on its progress when it takes more than two seconds. */
  static final Pattern PROGRESS = Pattern.compile(
      "[0-9,]+ of [0-9,]+ exchanges(, [0-9,]+ (request|divergence)s?)*, [0-9]+ s(, .*)?"
          + "|round [0-9]+, [0-9]+ of .*, [0-9]+ s");

  private CommandProcess() {}

  /** The process of a command whose temporary files are in a directory. */
  static ProcessBuilder in(Path temporary, Object... arguments) {
    return of(List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary), arguments);
  }

  /** The process of a command, in a JVM with options. */
  static ProcessBuilder of(List<String> jvmOptions, Object... arguments) {
    return java(jvmOptions, Main.class, arguments);
  }

  /** The process of a class with a main method, in a JVM with options. */
  static ProcessBuilder java(List<String> jvmOptions, Class<?> main, Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ProcessBuilder(command);
  }

  /** Reads the standard error until a line, which lines on the progress may precede. */
  static void awaitLine(BufferedReader err, String expected) throws IOException {
    String line = err.readLine();
    while (line != null && PROGRESS.matcher(line).matches()) {
      line = err.readLine();
    }
    assertThat(line).isEqualTo(expected);
  }
}
