package dev.agentreplay.cli;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.OpenOption;
import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.PricesOption;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.ElapsedTime;
import dev.agentreplay.cli.text.EventLines;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.ViewerOptions;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.UnknownEvent;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay show}. */
@Command(
    name = "show",
    header = "Print the events of a session, or render them as an HTML page.",
    description = {
      "Prints one line per event: its line in the log, the time since the start, and a summary.",
      "With --html, writes a self-contained page instead: a timeline, all steps with filter and search,",
      "and everything that is recorded of each step."
    },
    exitCodeList = {
      "0:Done.",
      "1:With --verified: the session is not valid.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay show sessions/fix-auth",
      "  replay show --full --width 200 sessions/fix-auth",
      "  replay show --html session.html sessions/fix-auth"
    })
final class ShowCommand extends TerminalCommand {

  private static final int MAX_WIDTH = 10_000;
  private static final int LINES_BETWEEN_CHECKS = 64;

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      description =
          "Session directory, log, packed session, id, or trace of a different tool, to print.")
  String session = "";

  @Mixin
  VerifiedOption verified = new VerifiedOption(terminal);

  @Mixin
  FormatOption format = new FormatOption();

  @Option(
      names = "--expand",
      description = "With --format json: print every prompt in full, instead of as a change of an"
          + " earlier one.")
  boolean expand;

  @Option(names = "--full", description = "Print long values in full.")
  boolean full;

  @Option(
      names = "--width",
      paramLabel = "N",
      description = "Width of a line in columns, 60 to 10000 (default: that of the terminal, or "
          + Style.WIDTH + ").")
  @Nullable
  Integer width;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a self-contained HTML page instead of printing events.")
  @Nullable
  Path html;

  @Option(names = "--overwrite", description = "Replace FILE if it exists.")
  boolean overwrite;

  @Mixin
  OpenOption opener = new OpenOption();

  @Mixin
  PricesOption prices = new PricesOption();

  ShowCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (html == null && overwrite) {
      throw new UsageException("--overwrite requires --html");
    }
    if (html == null && prices.file() != null) {
      throw new UsageException("--prices requires --html");
    }
    opener.check(html);
    input.addInput(prices.file());
    if (expand && !format.isJson()) {
      throw new UsageException("--expand requires --format json");
    }
    verified.check(1);
    try (OpenSession open = input.openOrImport(session)) {
      int refused = verified.refuses(session, open.session());
      if (refused != ExitCode.OK) {
        return refused;
      }
      if (html == null) {
        print(open.session());
      } else {
        input.requireRereadable(open.session());
        write(open.session(), html);
      }
    }
    return ExitCode.OK;
  }

  private void write(Session located, Path file) throws IOException {
    input.requireOutput(file);
    ViewerOptions options = ViewerOptions.defaults().withPrices(prices.read());
    Path written =
        ElapsedTime.during(terminal, "writing the page", () -> render(located, file, options));
    OutFile.tell(written, terminal);
    opener.open(written, terminal);
  }

  private Path render(Session located, Path file, ViewerOptions options) throws IOException {
    try (WholeFile page = overwrite ? WholeFile.replacing(file) : WholeFile.creating(file)) {
      HtmlViewer.render(located, options, page.out());
      page.commit();
    }
    return file;
  }

  private int columns() {
    if (width == null) {
      return terminal.lineWidth();
    }
    if (width < Terminal.MIN_WIDTH || width > MAX_WIDTH) {
      throw new UsageException(
          "--width: expected %d to %d, found %d".formatted(Terminal.MIN_WIDTH, MAX_WIDTH, width));
    }
    return width;
  }

  private void print(Session located) throws IOException {
    EventLines text = new EventLines(terminal.style(), full ? Integer.MAX_VALUE / 8 : columns());
    long events = 0;
    long known = 0;
    PrintStream lines = terminal.data();
    LogCanonicalization canonicalization = new LogCanonicalization();
    try (ReplayReader reader =
        format.isJson() && !expand ? located.reader() : located.readerWithFullPrompts()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        input.check(located, reader, line);
        events++;
        known += line.event() instanceof UnknownEvent ? 0 : 1;
        if (line.position().line() % LINES_BETWEEN_CHECKS == 0 && terminal.out().checkError()) {
          break; // the reader of the output is gone
        }
        if (format.isJson()) {
          canonicalization.accept(line.event());
          write(line, canonicalization.get(), lines);
          continue;
        }
        print(text.render(line, line.event(), reader.dialect()));
      }
    }
    input.requireEvents(located, events, known);
  }

  private static void write(ReplayLine line, @Nullable CanonicalJson canonical, PrintStream out)
      throws IOException {
    if (line.isExpanded()) {
      out.write((canonical == null ? CanonicalJson.SERDE : canonical).bytes(line.json()));
      out.write('\n');
    } else {
      line.writeLineTo(out);
    }
  }
}
