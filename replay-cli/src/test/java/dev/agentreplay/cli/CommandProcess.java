package dev.agentreplay.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command in a process of its own. */
final class CommandProcess {

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
}
