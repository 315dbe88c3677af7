package dev.agentreplay.cli;

import dev.agentreplay.io.ReceiptBuilder;
import dev.agentreplay.io.ReceiptFile;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.verify.ReceiptVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay receipt}. */
@Command(
    name = "receipt",
    header = "Makes the receipt of a log.",
    description = {
      "",
      "The log is verified first, against itself: no receipt is made of one that contradicts itself."
    })
final class ReceiptCommand extends TerminalCommand {

  /** The forms of a receipt, as the command line spells them. */
  enum Form {
    SESSION("session"),
    OPENAGENTS("openagents.v1");

    private final String spelling;

    Form(String spelling) {
      this.spelling = spelling;
    }

    @Override
    public String toString() {
      return spelling;
    }
  }

  @Mixin
  ReadableSessions input = new ReadableSessions();

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SESSION", description = "Of what to make the receipt.")
  String session = "";

  @Option(
      names = "--form",
      paramLabel = "FORM",
      defaultValue = "session",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  Form form = Form.SESSION;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "Write it there instead of to standard output.")
  @Nullable
  Path file;

  @Option(names = "--overwrite", description = "Replace FILE if it exists.")
  boolean overwrite;

  ReceiptCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (overwrite && file == null) {
      throw new ParameterException(spec.commandLine(), "--overwrite goes with --out");
    }
    Session log = input.locateForRereading(session).withReceipt(null);
    VerificationReport report = ReceiptVerifier.of(VerifyPolicy.defaults()).verify(log);
    int code = ExitCode.of(report);
    if (code != ExitCode.OK) {
      complain("no receipt is made, because the log does not verify:");
      terminal.err().print(new VerificationText(terminal.style()).render(session, report));
      return code;
    }
    Receipt receipt = receipt(log);
    if (file == null) {
      print(ReceiptFile.toText(receipt));
    } else if (overwrite) {
      ReceiptFile.replace(file, receipt);
    } else {
      ReceiptFile.create(file, receipt);
    }
    return ExitCode.OK;
  }

  private Receipt receipt(Session log) throws IOException {
    ReceiptBuilder builder = new ReceiptBuilder();
    try (ReplayReader reader = log.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (form == Form.SESSION) {
          builder.add(line.event());
        } else {
          builder.add(line.event(), line.json());
        }
      }
    }
    return form == Form.SESSION
        ? builder.toSessionReceipt(log.replayHash())
        : builder.toTrajectoryReceipt();
  }
}
