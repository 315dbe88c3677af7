package dev.agentreplay.cli;

import dev.agentreplay.cli.folder.FolderOutput;
import dev.agentreplay.cli.folder.SessionRow;
import dev.agentreplay.cli.folder.SessionTable;
import dev.agentreplay.cli.folder.SummaryFilter;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.PricesOption;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.input.SessionLocations;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Progress;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.report.SummaryJson;
import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionFolder;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.engine.view.SessionTree;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay list}. */
@Command(
    name = "list",
    header = "List sessions with their tasks, statuses, calls and tokens.",
    description = {
      "Lists every session in a directory and below it, except packed ones, which must be named. Forks and",
      "replays are below the session that they were made from. Sessions that cannot be read follow the",
      "others, whatever options select. With --format json, one line for each session (docs/reports.md)."
    },
    exitCodeList = {
      "0:Listed.",
      "2:Wrong usage.",
      "3:A session or directory cannot be read, or there is none; or a page of --pages is missing."
    },
    footer = {
      "  replay list sessions",
      "  replay list --failed --since 7d --sort failures --limit 10 sessions",
      "  replay list --tag service:Coder --prices prices.json sessions",
      "  replay list --html sessions.html --pages pages sessions"
    })
final class ListCommand extends TerminalCommand {

  /** A session to be listed: its row for a table, or its JSON. */
  private record Listed(
      int number,
      SessionRow row,
      @Nullable JsonObject json,
      @Nullable FolderEntry<SessionSummary> entry) {}

  @Mixin
  SessionInput input = new SessionInput(terminal);

  @Parameters(
      paramLabel = "DIR",
      arity = "0..*",
      description =
          "Directories of sessions, sessions, or ids (default: the directory of --sessions,"
              + " or else the current one).")
  List<String> names = List.of();

  @Mixin
  SummaryFilter filter = new SummaryFilter();

  @Option(
      names = "--sort",
      paramLabel = "BY",
      defaultValue = "started",
      description = "Order of the list, largest or newest first: ${COMPLETION-CANDIDATES} (default:"
          + " ${DEFAULT-VALUE}).")
  SessionRow.Order order = SessionRow.Order.STARTED;

  @Option(names = "--reverse", description = "Reverse the order.")
  boolean reverse;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Maximum number of sessions that are listed.")
  @Nullable
  Integer limit;

  @Mixin
  PricesOption pricesOption = new PricesOption();

  @Mixin
  FormatOption format = new FormatOption();

  @Mixin
  FolderOutput folder = new FolderOutput();

  ListCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (limit != null && limit < 1) {
      throw new UsageException("--limit: expected 1 or more, found " + limit);
    }
    if (order == SessionRow.Order.COST && pricesOption.file() == null) {
      throw new UsageException("--sort cost requires --prices");
    }
    folder.check();
    if (folder.isWanted() && format.isJson()) {
      throw new UsageException("--html and --format json exclude each other");
    }
    Prices prices = pricesOption.read();
    List<Listed> sessions = new ArrayList<>();
    List<FolderEntry.Failed<SessionSummary>> unreadable = new ArrayList<>();
    SessionTree.Builder forest = SessionTree.builder();
    long read = 0;
    Progress progress =
        new Progress(terminal.progressLine(), terminal.progress(), System::nanoTime);
    try (Stream<FolderEntry<SessionSummary>> entries =
        SessionFolder.of(new SessionLocations(input, input.orAll(names))).summaries()) {
      Iterator<FolderEntry<SessionSummary>> each = entries.iterator();
      while (each.hasNext()) {
        FolderEntry<SessionSummary> entry = each.next();
        progress.count();
        if (entry instanceof FolderEntry.Failed<SessionSummary> failed) {
          unreadable.add(failed);
        } else if (entry instanceof FolderEntry.Loaded<SessionSummary> session) {
          read++;
          if (filter.test(session.value())) {
            sessions.add(listed(session, forest.add(session.value()), prices));
          }
        }
      }
    }
    progress.erase();
    List<Listed> shown = sessions.stream()
        .sorted(Comparator.comparing(Listed::row, order.comparator(reverse)))
        .limit(limit == null ? Long.MAX_VALUE : limit)
        .toList();
    boolean isWhole = true;
    if (folder.isWanted()) {
      List<FolderEntry<SessionSummary>> rows = new ArrayList<>();
      shown.forEach(session -> rows.add(Objects.requireNonNull(session.entry)));
      rows.addAll(unreadable);
      isWhole = folder.write(rows, names, prices, input, terminal);
    } else if (format.isJson()) {
      SessionTree tree = forest.build();
      shown.forEach(session -> print(json(session, sessions, tree)));
      unreadable.forEach(failed ->
          print(SummaryJson.renderUnreadable(failed, Failures.describe(failed.failure()))));
    } else {
      print(nested(shown, sessions, forest.build()), unreadable);
      summary(read, sessions.size(), shown.size(), unreadable);
    }
    return isWhole && unreadable.isEmpty() ? ExitCode.OK : ExitCode.UNREADABLE;
  }

  private Listed listed(FolderEntry.Loaded<SessionSummary> session, int number, Prices prices) {
    return new Listed(
        number,
        SessionRow.of(session.path(), session.value(), prices),
        format.isJson() ? SummaryJson.render(session.path(), session.value(), prices) : null,
        folder.isWanted() ? session : null);
  }

  private static JsonObject json(Listed session, List<Listed> all, SessionTree tree) {
    JsonObject json = Objects.requireNonNull(session.json);
    SessionTree.Parent parent = tree.parent(session.number);
    return parent == null
        ? json
        : SummaryJson.withParent(json, all.get(parent.number()).row.path(), parent);
  }

  /** The rows of sessions, each followed by those of its forks and replays. */
  private static List<SessionRow> nested(List<Listed> shown, List<Listed> all, SessionTree tree) {
    return tree.nest(shown.stream().map(Listed::number).toList()).stream()
        .map(nested -> all.get(nested.number()).row.below(nested.depth()))
        .toList();
  }

  private void print(List<SessionRow> rows, List<FolderEntry.Failed<SessionSummary>> unreadable) {
    int width = terminal.lineWidth();
    SessionTable table = new SessionTable(rows, terminal.style(), width, ZoneId.systemDefault());
    if (!rows.isEmpty()) {
      print(table.heading());
    }
    rows.forEach(row -> print(table.row(row)));
    unreadable.forEach(
        failed -> print(table.unreadable(Failures.describe(failed.failure()), failed.isSkipped())));
  }

  private void summary(
      long read, long matching, long shown, List<FolderEntry.Failed<SessionSummary>> failed) {
    if (read == 0 && failed.size() <= 1) {
      return; // the one line says it
    }
    String text = shown == read
        ? PlainText.count(read, "session")
        : "%,d of %s".formatted(shown, PlainText.count(read, "session"));
    text += matching > shown ? ", %,d more match".formatted(matching - shown) : "";
    long skipped = failed.stream().filter(FolderEntry.Failed::isSkipped).count();
    long unreadable = failed.size() - skipped;
    text += unreadable > 0 ? ", unreadable: %,d".formatted(unreadable) : "";
    text += skipped > 0 ? ", places skipped: %,d".formatted(skipped) : "";
    print("\n" + text + "\n");
  }
}
