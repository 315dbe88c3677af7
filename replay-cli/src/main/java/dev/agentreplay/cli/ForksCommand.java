package dev.agentreplay.cli;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.fork.ForkTable;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.input.ToolCommands;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay forks}. */
@Command(
    name = "forks",
    header = "List the calls at which a session can be forked, or print a prompt to edit.",
    description = {
      "A session can be forked before a call if everything before it can be served: no call is open, and",
      "every result is known. Tools can be executed after it if the files at that point are known: no tool",
      "before it can have changed any, or the recording has a snapshot with the contents of those that",
      "changed. replay run --fork-at LINE forks."
    },
    exitCodeList = {
      "0:Listed, or printed.",
      "1:The session cannot be forked at any call.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay forks sessions/fix-auth",
      "  replay forks --prompt 14 sessions/fix-auth   # save it as prompt.json, and edit it",
      "  replay run --fork-at 14 --prompt-edit prompt.json --model m.sh --subject a.sh sessions/fix-auth"
    })
final class ForksCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      description = "Session directory, log, packed session, or id.")
  String session = "";

  @Option(
      names = "--tools",
      paramLabel = "FILE",
      description = "JSON file with the effects of tools, as for replay run; without it, each tool"
          + " may have changed files.")
  @Nullable
  Path tools;

  @Option(
      names = "--prompt",
      paramLabel = "LINE",
      description = "Print the prompt of the model call on a line instead, for --prompt-edit.")
  @Nullable
  Long prompt;

  @Mixin
  FormatOption format = new FormatOption();

  ForksCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Map<String, Effect> effects = tools == null ? Map.of() : ToolCommands.effects(tools);
    try (OpenSession open = input.openForRereading(session)) {
      if (prompt != null) {
        terminal.json().print(JsonText.pretty(prompt(open.session(), prompt)) + "\n");
        return ExitCode.OK;
      }
      ForkPoints points = ForkPoints.of(open.session(), effects);
      ForkTable table = new ForkTable(points, terminal.style(), terminal.lineWidth());
      if (format.isJson()) {
        terminal.json().print(table.json() + "\n");
      } else {
        print(table.text());
        print(tools == null ? table.hint() : "");
      }
      return points.possible().isEmpty() ? ExitCode.FINDINGS : ExitCode.OK;
    }
  }

  private JsonValue prompt(Session opened, long line) throws IOException {
    try (ReplayReader reader = opened.readerWithFullPrompts()) {
      for (ReplayLine read = reader.read(); read != null; read = reader.read()) {
        if (read.position().line() == line) {
          JsonValue value =
              read.event() instanceof ModelCall call ? opened.resolve(call.prompt()) : null;
          if (value == null) {
            throw new UsageException(
                "--prompt: line %d is not a model call whose prompt is known: %s"
                    .formatted(line, read.event().kind().id()));
          }
          return value;
        }
      }
    }
    throw new UsageException("--prompt: the session has no line " + line);
  }
}
