package dev.agentreplay.cli;

import dev.agentreplay.cli.accept.AcceptedOption;
import dev.agentreplay.cli.input.DiffRules;
import dev.agentreplay.cli.input.OpenOption;
import dev.agentreplay.cli.input.OpenSessions;
import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.PricesOption;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.input.ReportForm;
import dev.agentreplay.cli.input.ReportForm.Format;
import dev.agentreplay.cli.text.ElapsedTime;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.diff.DiffLimitException;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.engine.report.DiffJson;
import dev.agentreplay.engine.report.FlakinessJson;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.engine.report.MarkdownReport;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.engine.report.ViewerOptions;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay diff}. */
@Command(
    name = "diff",
    header = "Compare sessions and show where they diverge.",
    description = {
      "Compares the conduct of the sessions: calls, model turns, verifications, file states and outcome.",
      "Ids and times differ between any two runs: they are counted, and compared only with --strict.",
      "Each side may be a trace of a different tool, of any format that can be imported.",
      "With several sessions B, each is compared with A, and flaky and unstable steps are listed."
    },
    exitCodeList = {
      "0:No divergence is as severe as --fail-on.",
      "1:Divergences; or, with --verified, a session that is not valid.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay diff sessions/monday sessions/tuesday",
      "  replay diff --ignore timestamps,durations,ids --normalize temp sessions/a sessions/b",
      "  replay diff --fail-on moderate --format junit -o diff.xml sessions/a sessions/b",
      "  replay diff --html diff.html sessions/a sessions/b",
      "  replay diff --html runs.html sessions/run-0 sessions/run-1 sessions/run-2"
    })
final class DiffCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Mixin
  VerifiedOption verified = new VerifiedOption(terminal);

  @Mixin
  OutFile out = new OutFile();

  @Mixin
  DiffRules rules = new DiffRules();

  @Mixin
  AcceptedOption accepted = new AcceptedOption();

  @Parameters(index = "0", paramLabel = "A", description = "Baseline session.")
  String left = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "B",
      description = "Session to compare with A; several show which steps are flaky.")
  List<String> right = new ArrayList<>();

  @Mixin
  ReportForm form = new ReportForm();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the comparison as a self-contained HTML page.")
  @Nullable
  Path html;

  @Mixin
  OpenOption opener = new OpenOption();

  @Mixin
  PricesOption pricesOption = new PricesOption();

  private Prices prices = Prices.NONE;

  DiffCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    check();
    verified.check(1 + right.size());
    rules.files().forEach(input::addInput);
    input.addInput(pricesOption.file());
    prices = pricesOption.read();
    DiffOptions options = rules.options(form.format() == Format.TEXT);
    TextOptions text = form.text(terminal, out.file() != null, rules.maxInText());
    List<String> names = new ArrayList<>(List.of(left));
    names.addAll(right);
    try (OpenSessions sessions = new OpenSessions()) {
      for (String name : names) {
        int refused = verified.refuses(name, sessions.add(input.openOrImportForRereading(name)));
        if (refused != ExitCode.OK) {
          return refused;
        }
      }
      return compare(sessions.all(), options, text);
    }
  }

  private int compare(List<Session> sessions, DiffOptions given, TextOptions text)
      throws IOException {
    Session before = sessions.get(0);
    DiffOptions options = accepted.applyTo(given, before);
    List<SessionDiff> diffs = new ArrayList<>();
    for (int i = 0; i < right.size(); i++) {
      Session after = sessions.get(i + 1);
      SessionDiff diff = compare(before, after, options).withNames(left, right.get(i));
      diffs.add(diff);
    }
    if (html != null) {
      writePage(html, diffs, sessions);
    }
    out.write(
        diffs.size() == 1 ? report(diffs.get(0), text) : report(FlakinessReport.of(diffs), text),
        input,
        form.format() == Format.JSON ? terminal.json() : terminal.out());
    accepted.tell(diffs, terminal);
    return diffs.stream().allMatch(SessionDiff::passes) ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void writePage(Path file, List<SessionDiff> diffs, List<Session> sessions)
      throws IOException {
    Session before = sessions.get(0);
    List<Session> runs = sessions.subList(1, sessions.size());
    ViewerOptions options = ViewerOptions.defaults().withPrices(prices);
    Path written = ElapsedTime.during(
        terminal, "writing the page", () -> render(file, diffs, before, runs, options));
    OutFile.tell(written, terminal);
    opener.open(written, terminal);
  }

  private Path render(
      Path file, List<SessionDiff> diffs, Session before, List<Session> runs, ViewerOptions options)
      throws IOException {
    try (WholeFile page = out.begin(file, input)) {
      if (runs.size() == 1) {
        HtmlViewer.render(diffs.get(0), before, runs.get(0), options, page.out());
      } else {
        HtmlViewer.render(diffs, before, runs, options, page.out());
      }
      page.commit();
    }
    return file;
  }

  private SessionDiff compare(Session before, Session after, DiffOptions options)
      throws IOException {
    try {
      return ElapsedTime.during(
          terminal, "comparing", () -> SessionDiff.between(before, after, options));
    } catch (DiffLimitException e) {
      throw new IOException(e.getMessage() + "; --max-steps N compares longer ones", e);
    } catch (RunawayPatternException e) {
      throw new UsageException("--normalize: " + e.getMessage());
    }
  }

  /** Refuses options that do not go together. */
  private void check() {
    if (out.overwrite() && out.file() == null && html == null) {
      throw new UsageException("--overwrite requires --out or --html");
    }
    opener.check(html);
    if (html == null && pricesOption.file() != null) {
      throw new UsageException("--prices requires --html");
    }
    if (html != null && html.equals(out.file())) {
      throw new UsageException("--html and --out name the same file");
    }
    Format format = form.format();
    if (right.size() > 1 && (format == Format.MARKDOWN || format == Format.JUNIT)) {
      throw new UsageException(
          "--format %s requires one session B, found %d".formatted(format, right.size()));
    }
  }

  private String report(FlakinessReport agreement, TextOptions text) {
    return form.format() == Format.JSON
        ? FlakinessJson.render(agreement) + "\n"
        : TextReport.render(agreement, text);
  }

  private String report(SessionDiff diff, TextOptions text) {
    return switch (form.format()) {
      case TEXT -> TextReport.render(diff, text) + unlisted(diff, text);
      case JSON -> DiffJson.render(diff) + "\n";
      case MARKDOWN -> MarkdownReport.render(diff);
      case JUNIT -> JUnitReport.render(diff);
    };
  }

  private static String unlisted(SessionDiff diff, TextOptions text) {
    int all = diff.summary().divergences();
    int listed = Math.min(diff.divergences().size(), text.maxDivergences());
    return listed == all
        ? ""
        : "  to list all, also in the page of --html: --max-divergences %d\n".formatted(all);
  }
}
