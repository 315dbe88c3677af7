package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.ConversionText;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.convert.ConversionReport;
import dev.agentreplay.convert.ConvertLimitException;
import dev.agentreplay.convert.ConvertOptions;
import dev.agentreplay.convert.SessionConverter;
import dev.agentreplay.convert.SessionFormat;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
      "does. Into a directory the summary and the blobs that the log refers to are copied, and",
      "nothing else. Each file that is written is listed. Links in OUT are refused.",
      "A result that would lack what its specification requires is not written, without --force,",
      "and neither is one of a session that verify reports CARRIED_OVER_CONFLICT for."
    })
final class ConvertCommand extends TerminalCommand {

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
  SessionFormat to = SessionFormat.EVENT;

  @Option(names = "--overwrite", description = "Replace files that exist.")
  boolean overwrite;

  @Option(
      names = "--force",
      description = "Read a version that is not supported, write what is incomplete.")
  boolean force;

  @Option(
      names = "--max-embedded-bytes",
      paramLabel = "N",
      description = "Write at most N bytes of blobs into a draft (default: 64 MiB).")
  @Nullable
  Long maxEmbeddedBytes;

  @Mixin
  VerifiedOption verified = new VerifiedOption();

  @Mixin
  FormatOption format = new FormatOption();

  ConvertCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (maxEmbeddedBytes != null && maxEmbeddedBytes < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--max-embedded-bytes must not be negative, found " + maxEmbeddedBytes);
    }
    verified.check(1);
    Session session = input.locate(in);
    int refused = verified.refuses(in, session);
    if (refused != ExitCode.OK) {
      return refused;
    }
    boolean toDirectory = Files.isDirectory(out)
        || (to != SessionFormat.BUNDLE && !Files.isRegularFile(out) && !hasFileName(out));
    boolean isSession = to == SessionFormat.BUNDLE || toDirectory || out.endsWith(Session.LOG_NAME);
    boolean makesReceipt = isSession && session.receipt() != null;
    ConversionReport report = convert(session, toDirectory, makesReceipt);
    report.warnings().forEach(text -> complain("warning: " + Style.plain(text)));
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(new ConversionText(terminal.style()).render(in, report));
    }
    if (report.sourceIsInvalid()) {
      complain("the log and its receipt do not verify: a receipt of the result would hide that");
      return ExitCode.FINDINGS;
    }
    return report.isComplete() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private ConversionReport convert(Session session, boolean toDirectory, boolean makesReceipt)
      throws IOException {
    ConvertOptions options = ConvertOptions.defaults()
        .withOverwrite(overwrite)
        .withForce(force)
        .withReceipt(makesReceipt);
    if (maxEmbeddedBytes != null) {
      options = options.withMaxEmbeddedBytes(maxEmbeddedBytes);
    }
    try {
      return toDirectory
          ? SessionConverter.convertInto(out, session, to, options)
          : SessionConverter.convert(session.log(), out, to, options);
    } catch (ConvertLimitException e) {
      throw new IOException(e.getMessage() + " (--max-embedded-bytes)", e);
    } catch (ReplayFormatException e) {
      throw e.code() == FindingCode.UNSUPPORTED_VERSION
          ? new IOException(e.getMessage() + "; --force reads it anyway", e)
          : e;
    }
  }

  private static boolean hasFileName(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(".jsonl") || name.endsWith(".json");
  }
}
