package dev.agentreplay.cli;

import dev.agentreplay.cli.input.JsonFile;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.verify.SessionInvalidException;
import dev.agentreplay.verify.SessionSigner;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay sign}. */
@Command(
    name = "sign",
    header = "Sign the receipt of a session.",
    description = {
      "",
      "The session is verified first: one that contradicts itself or its receipt is not signed.",
      "The signature is written into RECEIPT.json, and with the hashes of log and receipt into",
      "RECEIPT.dsse.json, an in-toto statement in a DSSE envelope, for other tools."
    })
final class SignCommand extends TerminalCommand {

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Mixin
  ReadableSessions input = new ReadableSessions();

  @Parameters(paramLabel = "SESSION", description = "What to sign: a directory with a receipt.")
  String name = "";

  @Option(
      names = "--key",
      required = true,
      paramLabel = "FILE",
      description = {
        "The private key, in PEM: see replay keygen. With --force it may be one that other users",
        "have access to."
      })
  Path key = Path.of("");

  @Option(names = "--overwrite", description = "Replace a signature and an envelope.")
  boolean overwrite;

  SignCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Ed25519Signer signer = input.signer(key);
    Session session = input.locateForRereading(name);
    Path receipt = session.receipt();
    if (receipt == null) {
      Path missing = session.log().resolveSibling(Session.RECEIPT_NAME);
      throw new NoSuchFileException(
          missing.toString(),
          null,
          "there is no receipt to sign; replay receipt %s --out %s makes it"
              .formatted(name, missing));
    }
    if (!overwrite && isSigned(session, receipt)) {
      throw new ParameterException(
          spec.commandLine(), receipt + " is signed already; --overwrite signs it anew");
    }
    try {
      SessionSigner.sign(session, signer);
    } catch (SessionInvalidException e) {
      complain("nothing is signed, because the session does not verify:");
      terminal.err().print(VerificationText.render(e.report(), name, terminal.style()));
      return Math.max(ExitCode.FINDINGS, ExitCode.of(e.report()));
    }
    JsonObject stated = JsonFile.read(receipt, "a receipt");
    if (!stated.has(Names.REPLAY_HASH) && !stated.has(Names.TREE_ROOT)) {
      complain(
          "warning: the receipt states neither replay_hash nor tree_root, so that its signature"
              + " covers no line of the log; that of the envelope does");
    }
    print("signed %s\n       %s\nby     %s\n"
        .formatted(
            Style.plain(receipt.toString()),
            Style.plain(receipt.resolveSibling(Session.ENVELOPE_NAME).toString()),
            Style.plain(signer.keyId())));
    return ExitCode.OK;
  }

  private static boolean isSigned(Session session, Path receipt) throws IOException {
    JsonValue signature = JsonFile.read(receipt, "a receipt").get("signature");
    return session.envelope() != null || (signature != null && signature != JsonNull.NULL);
  }
}
