package dev.agentreplay.cli;

import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.output.ImportText;
import dev.agentreplay.cli.text.ElapsedTime;
import dev.agentreplay.cli.text.Progress;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.convert.trace.ImportOptions;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.convert.trace.report.ImportTotals;
import dev.agentreplay.convert.trace.report.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay import}. */
@Command(
    name = "import",
    header = "Import traces of other tools as sessions.",
    description = {
      "Reads the trace of an agent that a different tool recorded, and writes it as a session with a",
      "receipt. The format is recognized by the structure of the file. What has no place in an event is",
      "kept next to it; a ledger states what became of each member. A receipt of an import proves that",
      "the copy has not changed since, and names the source by its hash (docs/importing.md).",
      "",
      "If DIR is not itself one trace, all traces in it and below it are imported, each to a directory",
      "with its relative name below OUT. An earlier import of the same bytes is left as it is."
    },
    exitCodeList = {
      "0:Imported, or unchanged since an earlier import.",
      "1:Imported, but a source has faults; or a source of DIR has changed or cannot be imported.",
      "2:Wrong usage, or OUT exists.",
      "3:Unreadable input, or nothing was recognized in it."
    },
    footer = {
      "  replay import ~/.claude/projects sessions/claude",
      "  replay import rollout.jsonl sessions/fix-auth --ledger",
      "  replay import traces sessions/imported --from claude-code --format json"
    })
final class ImportCommand extends TerminalCommand {

  @Parameters(
      index = "0",
      paramLabel = "FILE|DIR",
      description = "Trace, or directory of traces, to import.")
  Path source = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "Session directory to write; for several sessions, the directory of theirs.")
  Path out = Path.of("");

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      completionCandidates = Candidates.TraceFormats.class,
      description = "Format of the source: ${COMPLETION-CANDIDATES} (default: recognized by its"
          + " structure).")
  @Nullable
  TraceFormat from;

  @Option(
      names = "--overwrite",
      description = "Replace an earlier import whose source has changed.")
  boolean overwrite;

  @Option(
      names = "--ledger",
      description = "Print what became of each member, not only of those that were dropped.")
  boolean ledger;

  @Mixin
  FormatOption format = new FormatOption();

  private ImportTotals totals = ImportTotals.NONE;

  ImportCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    TraceImporter importer =
        TraceImporter.of(ImportOptions.defaults().withFrom(from).withOverwrite(overwrite));
    return isOne() ? importOne(importer) : importAll(importer);
  }

  /** Whether the source is one trace: a file, or a directory that is one as a whole. */
  private boolean isOne() throws IOException {
    return !Files.isDirectory(source) || TraceImporter.detect(source) != null;
  }

  private int importOne(TraceImporter importer) throws IOException {
    ImportReport report =
        ElapsedTime.during(terminal, "importing", () -> importer.importFile(source, out));
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(new ImportText(terminal.style(), ledger).render(report));
    }
    return report.faultCount() == 0 ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private int importAll(TraceImporter importer) throws IOException {
    ImportText text = new ImportText(terminal.style(), ledger);
    Progress progress =
        new Progress(terminal.progressLine(), terminal.progress(), System::nanoTime);
    importer.importAll(source, out, report -> {
      totals = totals.plus(report);
      progress.erase();
      if (format.isJson()) {
        print(report.toJson());
      } else {
        print(text.row(report));
      }
      progress.count();
    });
    progress.erase();
    if (format.isJson()) {
      print(totals.toJson());
    } else {
      print(text.totals(totals, out));
    }
    return exitCode();
  }

  private int exitCode() {
    long failed = totals.count(Outcome.FAILED);
    if (failed == totals.sources()) {
      complain(source + ": no trace could be imported");
      return ExitCode.UNREADABLE;
    }
    boolean isWhole = failed + totals.count(Outcome.CHANGED) + totals.faults() == 0;
    return isWhole ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
