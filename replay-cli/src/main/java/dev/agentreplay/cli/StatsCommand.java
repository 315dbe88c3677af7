package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.PricesOption;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Progress;
import dev.agentreplay.cli.text.StatsText;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.report.StatsJson;
import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.FolderTotals;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionFolder;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.engine.view.StatsAccumulator;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.UnknownEvent;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code replay stats}. */
@Command(
    name = "stats",
    header = "Print counts, times, tokens and costs of sessions, by tool and model.",
    description = {
      "With several sessions, or a directory that holds some, prints the totals over all of them.",
      "Sessions that cannot be read are counted, and reported to standard error."
    },
    exitCodeList = {"0:Done.", "2:Wrong usage.", "3:Unreadable input."},
    footer = {
      "  replay stats sessions/fix-auth",
      "  replay stats --prices prices.json sessions",
      "  replay stats --format json sessions/fix-auth"
    })
final class StatsCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      arity = "1..*",
      description =
          "Session directories, logs, packed sessions, ids, traces of other tools, or directories"
              + " of sessions.")
  List<String> names = List.of();

  @Mixin
  PricesOption pricesOption = new PricesOption();

  @Mixin
  FormatOption format = new FormatOption();

  StatsCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Prices prices = pricesOption.read();
    return input.areSeveral(names) ? ofMany(prices) : ofOne(prices);
  }

  private int ofOne(Prices prices) throws IOException {
    StatsAccumulator fold = new StatsAccumulator();
    long events = 0;
    long known = 0;
    try (OpenSession open = input.openOrImport(names.get(0));
        ReplayReader reader = open.session().reader()) {
      Session located = open.session();
      reader.decodeAhead(null);
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        input.check(located, reader, line);
        fold.add(line.event());
        events++;
        known += line.event() instanceof UnknownEvent ? 0 : 1;
      }
      input.requireEvents(located, events, known);
    }
    SessionStats stats = fold.toStats();
    if (format.isJson()) {
      print(StatsJson.render(stats, prices));
    } else {
      print(new StatsText(terminal.style(), prices).of(stats));
    }
    return ExitCode.OK;
  }

  private Stream<FolderEntry<SessionSummary>> summaries(SessionFolder folder) {
    return input.isForced() ? folder.read(SessionSummary::read) : folder.summaries();
  }

  private int ofMany(Prices prices) throws IOException {
    FolderTotals totals = new FolderTotals();
    Progress progress =
        new Progress(terminal.progressLine(), terminal.progress(), System::nanoTime);
    try (Stream<FolderEntry<SessionSummary>> entries =
        summaries(SessionFolder.of(input.locations(names)))) {
      Iterator<FolderEntry<SessionSummary>> each = entries.iterator();
      while (each.hasNext()) {
        FolderEntry<SessionSummary> entry = each.next();
        progress.count();
        totals.add(entry);
        if (entry instanceof FolderEntry.Failed<SessionSummary> failed) {
          progress.erase();
          String reason = Failures.describe(failed.failure());
          terminal
              .err()
              .println((failed.isSkipped() ? "skipped: " : "not readable: ") + Style.plain(reason));
        }
      }
    }
    progress.erase();
    if (format.isJson()) {
      print(StatsJson.render(totals, prices));
    } else {
      print(new StatsText(terminal.style(), prices).of(totals));
    }
    return totals.unreadable() + totals.skipped() > 0 ? ExitCode.UNREADABLE : ExitCode.OK;
  }
}
