package dev.agentreplay.cli;

import dev.agentreplay.engine.DiffJson;
import dev.agentreplay.engine.SessionDiff;
import dev.agentreplay.io.Session;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code replay diff}. */
@Command(
    name = "diff",
    header = "Says where two sessions part ways.",
    description = {
      "",
      "Compares the tool calls of two sessions: tool, parameters, output. Ids and times differ"
          + " between any two runs and are not compared."
    })
final class DiffCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions();

  @Parameters(index = "0", paramLabel = "A", description = "The session before.")
  String left = "";

  @Parameters(index = "1", paramLabel = "B", description = "The session after.")
  String right = "";

  @Mixin
  FormatOption format = new FormatOption();

  DiffCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Session before = input.locateForRereading(left);
    Session after = input.locateForRereading(right);
    SessionDiff diff = SessionDiff.between(before, after);
    if (format.isJson()) {
      print(DiffJson.of(diff));
    } else {
      print(new DiffText(terminal.style()).render(left, right, diff));
    }
    return diff.isIdentical() ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
