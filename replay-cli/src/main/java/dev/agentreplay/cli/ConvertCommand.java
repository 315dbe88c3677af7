package dev.agentreplay.cli;

import dev.agentreplay.canonical.dialect.ReplayBundle;
import dev.agentreplay.io.ConversionReport;
import dev.agentreplay.io.ConvertOptions;
import dev.agentreplay.io.Session;
import dev.agentreplay.io.SessionConverter;
import dev.agentreplay.io.SessionFormat;
import dev.agentreplay.verify.ReceiptVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay convert}. */
@Command(
    name = "convert",
    header = "Convert a log or a bundle, and list what could not be carried over.",
    description = {
      "",
      "Nothing is dropped silently: each member that is not in the result as it was is listed.",
      "OUT is a session's directory, unless its name ends in .jsonl or .json; a bundle is a file.",
      "A session with a receipt that fits gets one of what was written; what was a bundle always",
      "does. Into a directory what else belongs to the session is copied, too.",
      "A result that would lack what its specification requires is not written, without --force."
    })
final class ConvertCommand extends TerminalCommand {

  private static final String BUNDLE_NAME = "BUNDLE.json";

  /** What to convert to, as the command line spells it. */
  enum Target {
    EVENT,
    TYPE,
    DRAFT,
    BUNDLE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Mixin
  SessionInput input = new SessionInput();

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "IN", description = "A session, a log or a bundle.")
  String in = "";

  @Parameters(index = "1", paramLabel = "OUT", description = "The directory or file to write.")
  Path out = Path.of("");

  @Option(
      names = "--to",
      required = true,
      paramLabel = "WHAT",
      description = "${COMPLETION-CANDIDATES}.")
  Target to = Target.EVENT;

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description = "Of a bundle: events or timeline (default: events).")
  ReplayBundle.@Nullable Form form;

  @Option(names = "--overwrite", description = "Replace files that exist.")
  boolean overwrite;

  @Option(
      names = "--force",
      description = "Read a version that is not supported, write what is incomplete.")
  boolean force;

  @Mixin
  VerifiedOption verified = new VerifiedOption();

  @Mixin
  FormatOption format = new FormatOption();

  ConvertCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (form != null && to != Target.BUNDLE) {
      throw new ParameterException(spec.commandLine(), "--form goes with --to bundle");
    }
    verified.check(1);
    Session session = input.locate(in);
    if (!verified.admits(in, session)) {
      return ExitCode.FINDINGS;
    }
    boolean toDirectory = Files.isDirectory(out)
        || (to != Target.BUNDLE && !Files.isRegularFile(out) && !hasFileName(out));
    boolean isSession = to == Target.BUNDLE || toDirectory || out.endsWith(Session.LOG_NAME);
    boolean fits = session.receipt() == null || !isSession || receiptFits(session);
    boolean makesReceipt = fits && isSession && to != Target.BUNDLE && session.receipt() != null;
    ConversionReport report =
        toDirectory ? convertInto(out, session, makesReceipt) : convert(session, out, makesReceipt);
    report.warnings().forEach(text -> complain("warning: " + Style.plain(text)));
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(new ConversionText(terminal.style()).render(in, report));
    }
    if (!fits) {
      complain("the log and its receipt do not verify: a receipt of the result would hide that");
      return ExitCode.FINDINGS;
    }
    return report.isComplete() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private ConversionReport convert(Session session, Path file, boolean makesReceipt)
      throws IOException {
    SessionFormat target = form == ReplayBundle.Form.TIMELINE
        ? SessionFormat.TIMELINE
        : SessionFormat.valueOf(to.name());
    ConvertOptions options = new ConvertOptions(overwrite, force, makesReceipt);
    return SessionConverter.convert(session.log(), file, target, options);
  }

  /** Converts into a directory, which is made if it is not there. */
  private ConversionReport convertInto(Path directory, Session session, boolean makesReceipt)
      throws IOException {
    Path stale = directory.resolve(Session.RECEIPT_NAME);
    if (!overwrite && Files.exists(stale)) {
      throw new FileAlreadyExistsException(stale.toString());
    }
    boolean isNew = Files.notExists(directory);
    Files.createDirectories(directory);
    Path file = directory.resolve(to == Target.BUNDLE ? BUNDLE_NAME : Session.LOG_NAME);
    boolean written = false;
    try {
      ConversionReport report = convert(session, file, makesReceipt);
      written = report.out() != null;
      if (written && to != Target.BUNDLE) {
        if (report.receipt() == null) {
          Files.deleteIfExists(stale); // it is that of the session that was here
        }
        session.copyAttachmentsTo(directory);
      }
      return report;
    } finally {
      if (isNew && !written) {
        Files.delete(directory);
      }
    }
  }

  /** A receipt of what is written must not cover up that the log contradicts its own. */
  private static boolean receiptFits(Session session) throws IOException {
    Verdict verdict =
        ReceiptVerifier.of(VerifyPolicy.defaults()).verify(session).verdict();
    return verdict == Verdict.VALID || verdict == Verdict.UNVERIFIED;
  }

  private static boolean hasFileName(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(".jsonl") || name.endsWith(".json");
  }
}
