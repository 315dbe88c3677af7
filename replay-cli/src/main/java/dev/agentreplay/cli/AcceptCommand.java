package dev.agentreplay.cli;

import dev.agentreplay.cli.accept.EntryOptions;
import dev.agentreplay.cli.input.DiffRules;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.JsonFile;
import dev.agentreplay.cli.input.OpenSessions;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.accept.AcceptableReport;
import dev.agentreplay.engine.accept.Acceptance;
import dev.agentreplay.engine.accept.AcceptedDivergence;
import dev.agentreplay.engine.accept.AcceptedDivergences;
import dev.agentreplay.engine.accept.Proposal;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay accept}. */
@Command(
    name = "accept",
    header = "Accept differences from a recording that are intended.",
    description = {
      "Compares SESSION with OTHER as replay diff does, or reads the JSON reports of replay diff or",
      "replay run, and adds their divergences with the reason to ACCEPTED.json next to the recording.",
      "replay run, tests and replay diff --accepted then do not fail because of them. A different new",
      "value is not accepted."
    },
    exitCodeList = {
      "0:Done.",
      "2:Wrong usage, or nothing to accept.",
      "3:Unreadable input, or an ACCEPTED.json of a different recording."
    },
    footer = {
      "  replay accept sessions/golden sessions/today --reason 'the search returns more'",
      "  replay accept sessions/golden --report run.json --only 1,3 --reason 'new model'",
      "  replay accept sessions/golden sessions/today --reason 'until v2' --expires 2027-01-31"
    })
final class AcceptCommand extends TerminalCommand {

  private static final int DIGITS = 12;

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      index = "0",
      paramLabel = "SESSION",
      description = "Recording: session directory, log, or id.")
  String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OTHER",
      description = "Session with the differences to accept.")
  @Nullable
  String other;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "JSON report of replay diff or replay run with the differences to accept, in"
          + " place of OTHER. Repeatable.")
  List<Path> reports = new ArrayList<>();

  @Mixin
  EntryOptions entries = new EntryOptions();

  @Mixin
  DiffRules rules = new DiffRules();

  @Mixin
  FormatOption format = new FormatOption();

  AcceptCommand(Terminal terminal) {
    super(terminal);
  }

  /** The divergences of all reports, with what is known of those that are not listed. */
  private record Found(List<Proposal> proposals, boolean isTruncated) {}

  @Override
  public Integer call() throws IOException {
    if ((other == null) == reports.isEmpty()) {
      throw new UsageException("expected either OTHER or --report");
    }
    entries.check();
    Session recording = input.locateForWriting(name);
    Path file = AcceptedDivergences.file(recording);
    ContentHash root = AcceptedDivergences.treeRoot(recording);
    AcceptedDivergences read = AcceptedDivergences.read(recording);
    AcceptedDivergences before = read == null ? AcceptedDivergences.none(root) : read;
    Acceptance present = Acceptance.of(before, file, root, LocalDate.now(ZoneOffset.UTC));
    if (present.fault() != null) {
      throw new IOException(present.fault());
    }
    Found found = other == null ? read(recording) : compare(recording, other, present);
    List<Proposal> selected = entries.select(found.proposals(), reports.size());
    if (selected.isEmpty()) {
      throw new UsageException(
          "nothing to accept: no divergence that matters and is not accepted already");
    }
    AcceptedDivergences after = before.with(entries.entries(selected));
    after.write(file);
    if (format.isJson()) {
      terminal.json().print(new String(after.bytes(), StandardCharsets.UTF_8));
    } else {
      print(text(file, selected));
    }
    if (found.isTruncated()) {
      complain("more divergences are not listed, and not accepted; --max-divergences lists more");
    }
    return ExitCode.OK;
  }

  private Found compare(Session recording, String with, Acceptance present) throws IOException {
    rules.files().forEach(input::addInput);
    DiffOptions options = present.applyTo(rules.options(true));
    try (OpenSessions sessions = new OpenSessions()) {
      Session right = sessions.add(input.openForRereading(with));
      SessionDiff diff = SessionDiff.between(recording, right, options);
      return new Found(
          Proposal.of(diff), diff.divergences().size() < diff.summary().divergences());
    }
  }

  private Found read(Session recording) throws IOException {
    requireEvents(recording);
    String id = recording.id();
    Map<Object, Proposal> all = new LinkedHashMap<>();
    boolean isTruncated = false;
    for (Path file : reports) {
      AcceptableReport report = report(file);
      if (id != null && report.sessionId() != null && !id.equals(report.sessionId())) {
        throw new IOException(
            "%s: the report of a different recording: expected session %s, found %s"
                .formatted(file, PlainText.escaped(id), PlainText.escaped(report.sessionId())));
      }
      report.proposals().forEach(each -> all.putIfAbsent(each.fingerprint(), each));
      isTruncated |= report.isTruncated();
    }
    return new Found(List.copyOf(all.values()), isTruncated);
  }

  /** Requires that each line of the recording is an event, as a comparison with it does. */
  private static void requireEvents(Session recording) throws IOException {
    try (ReplayReader reader = recording.reader()) {
      ReplayLine line = reader.read();
      while (line != null) {
        line = reader.read();
      }
    }
  }

  private static AcceptableReport report(Path file) throws IOException {
    try {
      return AcceptableReport.parse(JsonFile.read(file, "a report of replay diff or replay run"));
    } catch (DocumentFormatException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static String text(Path file, List<Proposal> selected) {
    StringBuilder text = new StringBuilder("accepted %s in %s\n"
        .formatted(PlainText.count(selected.size(), "divergence"), Style.plain(file.toString())));
    for (Proposal each : selected) {
      String digits = each.fingerprint().toString();
      AcceptedDivergence.Step step = each.step();
      text.append(Style.plain("  %s  %s  %s%s"
              .formatted(
                  digits.substring("sha256:".length(), "sha256:".length() + DIGITS),
                  each.kind(),
                  step,
                  each.pointers().isEmpty() ? "" : "  " + String.join(" ", each.pointers()))))
          .append('\n');
    }
    return text.toString();
  }
}
