package dev.agentreplay.cli;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.canonical.tree.MerkleProof;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.JsonFile;
import dev.agentreplay.cli.input.KeyFiles;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.proof.ProofCheck;
import dev.agentreplay.verify.proof.TrustedHead;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay check}. */
@Command(
    name = "check",
    header = "Check a proof made by replay prove, without the log.",
    description = {
      "",
      "A proof holds or not by itself. It proves something once somebody who is trusted states the",
      "root in it: valid. Otherwise it is unverified, which is exit code 1 when something to trust",
      "was named."
    })
final class CheckCommand extends TerminalCommand {

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "PROOF", description = "The file with the proof.")
  Path file = Path.of("");

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = "Trust what this checkpoint or receipt, or that in this directory, states.")
  List<Path> checkpoints = List.of();

  @Option(
      names = "--public-key",
      paramLabel = "FILE",
      description = "Refuse each that was not signed with one of these Ed25519 keys, in PEM.")
  List<Path> publicKeys = List.of();

  @Mixin
  FormatOption format = new FormatOption();

  CheckCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (!publicKeys.isEmpty() && checkpoints.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--public-key goes with --checkpoint");
    }
    JsonObject json = JsonFile.read(file, "a proof");
    List<TrustedHead> trusted = trusted();
    MerkleProof proof;
    try {
      proof = MerkleProof.fromJson(json);
    } catch (DocumentFormatException e) {
      throw new IOException(file + ": not a proof: " + e.getMessage(), e);
    }
    ProofCheck check = ProofCheck.of(proof, trusted);
    if (format.isJson()) {
      print(check.toJson());
    } else {
      print(check, proof);
    }
    // the user who names what is trusted is not to be told that all is well when it says nothing
    boolean isMissed = check.verdict() == Verdict.UNVERIFIED && !trusted.isEmpty();
    return check.verdict() == Verdict.INVALID || isMissed ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private List<TrustedHead> trusted() throws IOException {
    SignatureVerifier keys = publicKeys.isEmpty() ? null : KeyFiles.verifier(publicKeys);
    List<TrustedHead> trusted = new ArrayList<>();
    for (Path checkpoint : checkpoints) {
      trusted.add(TrustedHead.read(checkpoint, keys));
    }
    return trusted;
  }

  private void print(ProofCheck check, MerkleProof proof) {
    LabelledText said = new LabelledText();
    if (proof instanceof InclusionProof inclusion) {
      said.labelled(
              "line", "%,d of %,d".formatted(inclusion.line(), inclusion.tree().size()))
          .labelled("text", Style.fit(inclusion.text(), LabelledText.TEXT_WIDTH))
          .labelled("root", root(inclusion.tree()));
    } else if (proof instanceof ConsistencyProof consistency) {
      said.labelled("older", root(consistency.first()))
          .labelled("newer", root(consistency.second()));
    }
    Style style = terminal.style();
    print(VerificationText.verdict(check.verdict(), style) + "  "
        + style.bold(Style.plain(file.toString())) + "\n");
    said.labelled("proved", check.proved()).labelled("not proved", check.notProved());
    print(said.toString());
  }

  private static String root(TreeHead tree) {
    return "%s over %s".formatted(tree.root(), PlainText.count(tree.size(), "line"));
  }
}
