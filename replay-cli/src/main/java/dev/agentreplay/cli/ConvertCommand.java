package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.ConversionText;
import dev.agentreplay.cli.text.ElapsedTime;
import dev.agentreplay.cli.text.ExportText;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.convert.ConversionReport;
import dev.agentreplay.convert.ConvertLimitException;
import dev.agentreplay.convert.ConvertOptions;
import dev.agentreplay.convert.SessionConverter;
import dev.agentreplay.convert.SessionFormat;
import dev.agentreplay.convert.trace.ExportOptions;
import dev.agentreplay.convert.trace.TraceExporter;
import dev.agentreplay.convert.trace.report.ExportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay convert}. */
@Command(
    name = "convert",
    header = "Convert a session to a different dialect, a bundle, or the format of another tool.",
    description = {
      "Every member that is not carried over unchanged is listed; nothing is dropped silently. OUT is a",
      "session directory, unless its name ends in .jsonl or .json; a bundle is a single file. A session",
      "with a matching receipt gets a receipt for the result, and the result of a bundle always gets",
      "one. Summary and referenced blobs are copied into a directory. Links in OUT are refused. A result",
      "without a member that its specification requires is written only with --force; a session with the",
      "finding CARRIED_OVER_CONFLICT is not converted.",
      "",
      "The formats atif, otel, openinference and inspect are written as one JSON file without a receipt;",
      "what they have no place for is kept in them under the name agentreplay."
    },
    exitCodeList = {
      "0:Converted, and the result is complete.",
      "1:Converted, but the result is incomplete; or the source is not valid.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay convert sessions/fix-auth out --to type",
      "  replay convert sessions/fix-auth fix-auth.json --to bundle",
      "  replay convert sessions/fix-auth trajectory.json --to atif"
    })
final class ConvertCommand extends TerminalCommand {

  /** The forms of the result: those of sessions, and the formats of other tools. */
  enum Form {
    EVENT(SessionFormat.EVENT),
    TYPE(SessionFormat.TYPE),
    DRAFT(SessionFormat.DRAFT),
    BUNDLE(SessionFormat.BUNDLE),
    ATIF(TraceFormat.ATIF),
    OTEL(TraceFormat.OTEL),
    OPENINFERENCE(TraceFormat.OPENINFERENCE),
    INSPECT(TraceFormat.INSPECT);

    private final String id;
    private final @Nullable SessionFormat session;
    private final @Nullable TraceFormat trace;

    Form(SessionFormat session) {
      this.id = session.id();
      this.session = session;
      this.trace = null;
    }

    Form(TraceFormat trace) {
      this.id = trace.id();
      this.session = null;
      this.trace = trace;
    }

    String id() {
      return id;
    }
  }

  /** The values of {@code --to}. */
  static final class Forms implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(Form.values()).map(Form::id).iterator();
    }
  }

  @Mixin
  SessionInput input = new SessionInput(terminal);

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "Session directory, log, packed session, bundle, or id.")
  String in = "";

  @Parameters(index = "1", paramLabel = "OUT", description = "Directory or file to write.")
  Path out = Path.of("");

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORM",
      completionCandidates = Forms.class,
      description = "Form of the result: ${COMPLETION-CANDIDATES}.")
  Form to = Form.EVENT;

  @Option(names = "--overwrite", description = "Replace existing files.")
  boolean overwrite;

  @Option(
      names = "--force",
      description = "Read an unsupported version, and write an incomplete result.")
  boolean force;

  @Option(
      names = "--max-embedded-bytes",
      paramLabel = "N",
      description = "Maximum size of the blobs embedded in a draft, in bytes (default: 64 MiB).")
  @Nullable
  Long maxEmbeddedBytes;

  @Option(
      names = "--expand",
      description = "Write every prompt in full, as a bundle has it, instead of as a change of an"
          + " earlier one.")
  boolean expand;

  @Mixin
  VerifiedOption verified = new VerifiedOption(terminal);

  @Mixin
  FormatOption format = new FormatOption();

  ConvertCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (maxEmbeddedBytes != null && maxEmbeddedBytes < 0) {
      throw new UsageException(
          "--max-embedded-bytes: expected 0 or more, found " + maxEmbeddedBytes);
    }
    verified.check(1);
    try (OpenSession open = input.open(in)) {
      return convert(open.session());
    }
  }

  private int convert(Session session) throws IOException {
    int refused = verified.refuses(in, session);
    if (refused != ExitCode.OK) {
      return refused;
    }
    return to.trace == null
        ? convert(session, Objects.requireNonNull(to.session))
        : export(session, to.trace);
  }

  private int convert(Session session, SessionFormat form) throws IOException {
    boolean toDirectory = Files.isDirectory(out)
        || (form != SessionFormat.BUNDLE && !Files.isRegularFile(out) && !hasFileName(out));
    if (!toDirectory) {
      input.requireOutput(out);
    }
    boolean isSession =
        form == SessionFormat.BUNDLE || toDirectory || out.endsWith(Session.LOG_NAME);
    boolean makesReceipt = isSession && session.receipt() != null;
    ConversionReport report = ElapsedTime.during(
        terminal, "converting", () -> convert(session, form, toDirectory, makesReceipt));
    report.warnings().forEach(text -> complain("warning: " + Style.plain(text)));
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(new ConversionText(terminal.style()).render(in, report));
    }
    if (report.sourceIsInvalid()) {
      complain("no receipt was created, because log and receipt of the source are not valid");
      return ExitCode.FINDINGS;
    }
    return report.isComplete() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private int export(Session session, TraceFormat trace) throws IOException {
    input.requireOutput(out);
    ExportOptions options = ExportOptions.defaults().withOverwrite(overwrite).withForce(force);
    ExportReport report;
    try {
      report = ElapsedTime.during(
          terminal, "exporting", () -> TraceExporter.of(options).export(session, out, trace));
    } catch (ReplayFormatException e) {
      throw unsupported(e);
    }
    report.warnings().forEach(text -> complain("warning: " + Style.plain(text)));
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(new ExportText(terminal.style()).render(in, report));
    }
    if (report.sourceIsInvalid()) {
      complain("the source is not valid");
      return ExitCode.FINDINGS;
    }
    return ExitCode.OK;
  }

  private ConversionReport convert(
      Session session, SessionFormat form, boolean toDirectory, boolean makesReceipt)
      throws IOException {
    ConvertOptions options = ConvertOptions.defaults()
        .withOverwrite(overwrite)
        .withForce(force)
        .withFullPrompts(expand)
        .withReceipt(makesReceipt);
    if (maxEmbeddedBytes != null) {
      options = options.withMaxEmbeddedBytes(maxEmbeddedBytes);
    }
    try {
      return toDirectory
          ? SessionConverter.convertInto(out, session, form, options)
          : SessionConverter.convert(session.log(), out, form, options);
    } catch (ConvertLimitException e) {
      throw new IOException(e.getMessage() + " (--max-embedded-bytes)", e);
    } catch (ReplayFormatException e) {
      throw unsupported(e);
    }
  }

  private static IOException unsupported(ReplayFormatException e) {
    return e.code() == FindingCode.UNSUPPORTED_VERSION
        ? new IOException(e.getMessage() + "; --force reads it anyway", e)
        : e;
  }

  private static boolean hasFileName(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(".jsonl") || name.endsWith(".json");
  }
}
