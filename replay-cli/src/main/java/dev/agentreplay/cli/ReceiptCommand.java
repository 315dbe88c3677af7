package dev.agentreplay.cli;

import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.session.OpenSession;
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
      "The log is verified first; a log that contradicts itself gets no receipt. A receipt next to the",
      "log is not read."
    },
    exitCodeList = {
      "0:Done.",
      "1:The log is not valid: no receipt was created.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay receipt sessions/fix-auth --out sessions/fix-auth/RECEIPT.json",
      "  replay receipt --form openagents.v1 sessions/fix-auth"
    })
final class ReceiptCommand extends TerminalCommand {

  /** The forms of a receipt in the spelling of the command line. */
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
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      description = "Session directory, log, packed session, or id.")
  String session = "";

  @Option(
      names = "--form",
      paramLabel = "FORM",
      defaultValue = "session",
      description = "Form of the receipt: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  Form form = Form.SESSION;

  @Mixin
  OutFile out = new OutFile();

  ReceiptCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    out.check();
    try (OpenSession open = input.openForRereading(session)) {
      return receipt(open.session().withReceipt(null));
    }
  }

  private int receipt(Session log) throws IOException {
    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()).verify(log);
    int code = ExitCode.of(report);
    if (code != ExitCode.OK) {
      complain("no receipt was created, because the log is not valid:");
      terminal.err().print(VerificationText.render(report, session, terminal.style()));
      return code;
    }
    out.write(ReceiptFile.toText(Receipts.compute(log, form.form)), input, terminal.data());
    return ExitCode.OK;
  }
}
