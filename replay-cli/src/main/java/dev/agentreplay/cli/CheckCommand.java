package dev.agentreplay.cli;

import dev.agentreplay.canonical.commitment.Disclosure;
import dev.agentreplay.canonical.tree.MerkleProof;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.JsonFile;
import dev.agentreplay.cli.input.KeyFiles;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.proof.DisclosureCheck;
import dev.agentreplay.verify.proof.ProofCheck;
import dev.agentreplay.verify.proof.TrustedHead;
import dev.agentreplay.verify.report.DisclosureReport;
import dev.agentreplay.verify.report.ProofReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay check}. */
@Command(
    name = "check",
    header = "Check a proof from replay prove, or a disclosed value, without the log.",
    description = {
      "A proof is consistent or not by itself. It is valid once a trusted checkpoint or receipt states",
      "the same root; otherwise it is unverified."
    },
    exitCodeList = {
      "0:Valid; or unverified, and no --checkpoint was given.",
      "1:Invalid; or unverified in spite of --checkpoint.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay check line-4.json --checkpoint monday.json",
      "  replay check line-4.json --checkpoint sessions/fix-auth --public-key key.pub"
    })
final class CheckCommand extends TerminalCommand {

  private static final String CHECKPOINT = "--checkpoint";
  private static final String PUBLIC_KEY = "--public-key";

  @Parameters(paramLabel = "PROOF", description = "File with the proof, or from replay disclose.")
  Path file = Path.of("");

  @Option(
      names = CHECKPOINT,
      paramLabel = "FILE",
      description =
          "Trusted checkpoint or receipt, or session directory or packed session with a receipt; of"
              + " a disclosed value, its public checkpoint. Repeatable.")
  List<Path> checkpoints = List.of();

  @Option(
      names = PUBLIC_KEY,
      paramLabel = "FILE",
      description = "Ed25519 public key in PEM; a --checkpoint not signed with one is refused."
          + " Repeatable.")
  List<Path> publicKeys = List.of();

  @Mixin
  FormatOption format = new FormatOption();

  CheckCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (!publicKeys.isEmpty() && checkpoints.isEmpty()) {
      throw new UsageException(PUBLIC_KEY + " requires " + CHECKPOINT);
    }
    JsonObject json = JsonFile.read(file, "a proof");
    List<TrustedHead> trusted = trusted();
    boolean isDisclosure = JsonString.of(Disclosure.SCHEMA).equals(json.get("schema"));
    Verdict verdict = isDisclosure ? disclosure(json, trusted) : proof(json, trusted);
    // a user who names what to trust must not get exit code 0 when it does not confirm the proof
    boolean isMissed = verdict == Verdict.UNVERIFIED && !trusted.isEmpty();
    return verdict == Verdict.INVALID || isMissed ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private Verdict proof(JsonObject json, List<TrustedHead> trusted) throws IOException {
    ProofCheck check = ProofCheck.of(parse(json, MerkleProof::fromJson), trusted);
    ProofReport report = ProofReport.of(check, CHECKPOINT, PUBLIC_KEY);
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(report.render(file.toString(), terminal.style()));
    }
    return check.verdict();
  }

  private Verdict disclosure(JsonObject json, List<TrustedHead> trusted) throws IOException {
    DisclosureCheck check = DisclosureCheck.of(parse(json, Disclosure::fromJson), trusted);
    DisclosureReport report = DisclosureReport.of(check, CHECKPOINT, PUBLIC_KEY);
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(report.render(file.toString(), terminal.style()));
    }
    return check.verdict();
  }

  /** Reads the JSON form of a claim. */
  @FunctionalInterface
  private interface Form<T> {
    T read(JsonObject json) throws DocumentFormatException;
  }

  private <T> T parse(JsonObject json, Form<T> form) throws IOException {
    try {
      return form.read(json);
    } catch (DocumentFormatException e) {
      throw new IOException(file + ": not a proof: " + e.getMessage(), e);
    }
  }

  private List<TrustedHead> trusted() throws IOException {
    SignatureVerifier keys = publicKeys.isEmpty() ? null : KeyFiles.verifier(publicKeys);
    List<TrustedHead> trusted = new ArrayList<>();
    for (Path checkpoint : checkpoints) {
      trusted.add(trusted(checkpoint, keys));
    }
    return trusted;
  }

  private static TrustedHead trusted(Path checkpoint, @Nullable SignatureVerifier keys)
      throws IOException {
    if (!PackedSession.isPacked(checkpoint)) {
      return TrustedHead.read(checkpoint, keys);
    }
    try (OpenSession open = PackedSession.open(checkpoint)) {
      return TrustedHead.read(LogSegments.directory(open.session().log()), keys);
    }
  }
}
