package dev.agentreplay.cli;

import dev.agentreplay.cli.input.JsonFile;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay sign}. */
@Command(
    name = "sign",
    header = "Sign the receipt of a session.",
    description = {
      "The session is verified first; a session that is not valid is not signed. The signature is",
      "written into RECEIPT.json, and, with the hashes of log and receipt, into RECEIPT.dsse.json: an",
      "in-toto statement in a DSSE envelope, which other tools can verify. If the log has a salt, the",
      "root of its public tree is signed, too, in RECEIPT.json and PUBLIC_CHECKPOINT.json: published",
      "copies of the session can be verified with it, whatever they show."
    },
    exitCodeList = {
      "0:Signed.",
      "1:The session is not valid: nothing was signed.",
      "2:Wrong usage, or signed already.",
      "3:Unreadable input."
    },
    footer = "  replay sign sessions/fix-auth --key key")
final class SignCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      description = "Session with a receipt: its directory, or its id.")
  String name = "";

  @Option(
      names = "--key",
      required = true,
      paramLabel = "FILE",
      description =
          "Private key in PEM, as replay keygen writes it. A key that other users can access"
              + " is refused without --force.")
  Path key = Path.of("");

  @Option(names = "--overwrite", description = "Replace an existing signature and envelope.")
  boolean overwrite;

  SignCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Ed25519Signer signer = input.signer(key);
    Session session = input.locateForWriting(name);
    Path receipt = session.receipt();
    if (receipt == null) {
      Path missing = session.log().resolveSibling(Session.RECEIPT_NAME);
      throw new NoSuchFileException(
          missing.toString(),
          null,
          "there is no receipt to sign; replay receipt %s --out %s creates it"
              .formatted(name, missing));
    }
    if (!overwrite && isSigned(session, receipt)) {
      throw new UsageException(receipt + " is signed already; --overwrite signs it again");
    }
    try {
      SessionSigner.sign(session, signer);
    } catch (SessionInvalidException e) {
      complain("nothing was signed, because the session is not valid:");
      terminal.err().print(VerificationText.render(e.report(), name, terminal.style()));
      return Math.max(ExitCode.FINDINGS, ExitCode.of(e.report()));
    }
    JsonObject stated = JsonFile.read(receipt, "a receipt");
    if (!stated.has(Names.REPLAY_HASH) && !stated.has(Names.TREE_ROOT)) {
      complain(
          "warning: the receipt has neither replay_hash nor tree_root, so its signature does not cover"
              + " the log; the signature of the envelope does");
    }
    Path publicCheckpoint = stated.has(Names.PUBLIC_ROOT) ? session.publicCheckpoint() : null;
    print("signed %s\n       %s\n%sby     %s\n"
        .formatted(
            Style.plain(receipt.toString()),
            Style.plain(receipt.resolveSibling(Session.ENVELOPE_NAME).toString()),
            publicCheckpoint == null
                ? ""
                : "       " + Style.plain(publicCheckpoint.toString()) + "\n",
            Style.plain(signer.keyId())));
    return ExitCode.OK;
  }

  private static boolean isSigned(Session session, Path receipt) throws IOException {
    JsonValue signature = JsonFile.read(receipt, "a receipt").get("signature");
    return session.envelope() != null || (signature != null && signature != JsonNull.NULL);
  }
}
