package dev.agentreplay.cli;

import dev.agentreplay.canonical.prompt.PromptHistory;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.EventLines;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.log.LogFollower;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.UnknownEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay tail}. */
@Command(
    name = "tail",
    header = "Print the last events of a session, and follow one that is running.",
    description = {
      "Prints events as show does, as they are written, and ends with the session. Ctrl+C ends it earlier."
    },
    exitCodeList = {
      "0:The session has ended, or with --no-follow its lines are printed.",
      "2:Wrong usage.",
      "3:Unreadable input, an unsupported version, or a line that is not an event; those after it are printed.",
      "130:Interrupted."
    },
    footer = {"  replay tail sessions/fix-auth", "  replay tail --lines 100 --format json fix-auth"
    })
final class TailCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(paramLabel = "SESSION", description = "Session directory, log, or id to follow.")
  String session = "";

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Number of the lines written before that are printed first (default: ${DEFAULT-VALUE}).")
  int lines;

  @Option(names = "--no-follow", description = "End after the lines that are written.")
  boolean once;

  @Mixin
  FormatOption format = new FormatOption();

  private boolean isReadable = true;

  TailCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (lines < 0) {
      throw new UsageException("--lines: expected 0 or more, found " + lines);
    }
    try (OpenSession open = input.open(session);
        LogFollower log = LogFollower.open(open.session().log())) {
      follow(open.session(), log);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
    return isReadable ? ExitCode.OK : ExitCode.UNREADABLE;
  }

  private void follow(Session located, LogFollower log) throws IOException, InterruptedException {
    int width = terminal.lineWidth();
    EventLines text = new EventLines(terminal.style(), width);
    PromptHistory prompts = new PromptHistory(located::resolve);
    Deque<String> written = new ArrayDeque<>();
    boolean isLive = false;
    long events = 0;
    long known = 0;
    while (true) {
      try {
        ReplayLine line = isLive ? log.next() : log.next(Duration.ZERO);
        if (line == null && (isLive || once || log.isEnded())) {
          break;
        } else if (line == null) {
          isLive = true;
          requireEvents(located, events, known);
          flush(written);
        } else {
          input.check(located, log.foreignFormat(), line);
          events++;
          known += line.event() instanceof UnknownEvent ? 0 : 1;
          // calls are numbered from the first line, and prompts are changes of earlier ones
          written.addLast(
              format.isJson()
                  ? json(line)
                  : text.render(line, prompts.expand(line.event()), log.dialect()));
          if (!isLive && written.size() > lines) {
            written.removeFirst();
          }
        }
      } catch (ReplayFormatException e) {
        isReadable = false;
        flush(written);
        complain(Failures.describe(e));
      }
      if (isLive && !flush(written)) {
        return; // the reader of the output is gone
      }
    }
    flush(written);
    requireEvents(located, events, known);
  }

  /** Requires an event of a known type, unless the log is still empty. */
  private void requireEvents(Session located, long events, long known) throws IOException {
    if (events > 0) {
      input.requireEvents(located, events, known);
    }
  }

  /** Prints lines at once. Returns whether they were taken. */
  private boolean flush(Deque<String> written) {
    while (!written.isEmpty()) {
      String line = written.removeFirst();
      if (format.isJson()) {
        terminal.data().print(line);
      } else {
        print(line);
      }
    }
    return !terminal.out().checkError();
  }

  private static String json(ReplayLine line) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    line.writeLineTo(bytes);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
