package dev.agentreplay.cli;

import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay receipt}. */
@Command(
    name = "receipt",
    header = "Create the receipt of a log.",
    description = {
      "",
      "The log is verified first, against itself: no receipt is made of one that contradicts itself."
    })
final class ReceiptCommand extends TerminalCommand {

  /** The forms of a receipt, as the command line spells them. */
  enum Form {
    SESSION(Receipt.Form.SESSION),
    OPENAGENTS(Receipt.Form.OPENAGENTS_V1),
    DRAFT(Receipt.Form.DRAFT);

    private final Receipt.Form form;

    Form(Receipt.Form form) {
      this.form = form;
    }

    @Override
    public String toString() {
      return form.id();
    }
  }

  @Mixin
  ReadableSessions input = new ReadableSessions();

  @Parameters(paramLabel = "SESSION", description = "Of what to make the receipt.")
  String session = "";

  @Option(
      names = "--form",
      paramLabel = "FORM",
      defaultValue = "session",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  Form form = Form.SESSION;

  @Mixin
  OutFile out = new OutFile();

  ReceiptCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    out.check();
    Session log = input.locateForRereading(session).withReceipt(null);
    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()).verify(log);
    int code = ExitCode.of(report);
    if (code != ExitCode.OK) {
      complain("no receipt is made, because the log does not verify:");
      terminal.err().print(VerificationText.render(report, session, terminal.style()));
      return code;
    }
    out.write(ReceiptFile.toText(Receipts.compute(log, form.form)), terminal.data());
    return ExitCode.OK;
  }
}
