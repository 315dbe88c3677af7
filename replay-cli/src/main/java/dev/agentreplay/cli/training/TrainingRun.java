package dev.agentreplay.cli.training;

import dev.agentreplay.cli.Main;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.file.TemporaryDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs typical commands in one JVM, which a class-data archive or an ahead-of-time cache is created
 * from (JEP 310, JEP 514): the classes that they load are in it. The launcher {@code replay} does
 * this after a build.
 */
public final class TrainingRun {

  private TrainingRun() {}

  /**
   * Runs the commands on sessions in a temporary directory, and discards what they print.
   *
   * @param args none for all commands; a directory of the sessions of the demo for those commands
   *     that run without options
   */
  public static void main(String[] args) throws IOException {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Terminal terminal =
        new Terminal(InputStream.nullInputStream(), nowhere, nowhere, false, false, false, 0);
    if (args.length > 0) {
      run(operandCommands(Path.of(args[0])), terminal);
      return;
    }
    try (TemporaryDirectory temporary = TemporaryDirectory.create()) {
      run(commands(temporary.path().resolve("sessions")), terminal);
    }
  }

  /** Runs commands, and returns their exit codes. */
  static List<Integer> run(List<List<String>> commands, Terminal terminal) {
    List<Integer> codes = new ArrayList<>();
    for (List<String> command : commands) {
      codes.add(Main.run(command.toArray(String[]::new), terminal));
    }
    return codes;
  }

  /** The commands that run without options, on the sessions of the demo. */
  static List<List<String>> operandCommands(Path sessions) {
    String first = sessions.resolve("first").toString();
    String second = sessions.resolve("second").toString();
    return List.of(
        List.of("verify", first),
        List.of("verify", sessions.resolve("tampered").toString()),
        List.of("verify", sessions.toString()),
        List.of("show", first),
        List.of("stats", first),
        List.of("stats", sessions.toString()),
        List.of("diff", first, second));
  }

  /** All commands, of which the first one creates sessions in a new directory. */
  static List<List<String>> commands(Path sessions) {
    String all = sessions.toString();
    String first = sessions.resolve("first").toString();
    String second = sessions.resolve("second").toString();
    return List.of(
        List.of("--version"),
        List.of("demo", "--out", all),
        List.of("verify", first),
        List.of("verify", all, "--format", "json"),
        List.of("show", first),
        List.of("stats", first),
        List.of("list", all),
        List.of("search", all, "test"),
        List.of("diff", first, second),
        List.of("diff", first, second, "--html", sessions.resolve("diff.html").toString()),
        List.of("run", first, "--mode", "validation"),
        List.of("help", "verify"),
        List.of("verify", "--no-such-option"));
  }
}
