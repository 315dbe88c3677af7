package dev.agentreplay.cli;

import dev.agentreplay.canonical.tree.GrowthProof;
import dev.agentreplay.canonical.tree.LineProof;
import dev.agentreplay.model.DocumentFormatException;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.VerificationText;
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
    String schema = json.get("schema") instanceof JsonString text ? text.value() : "";
    try {
      return switch (schema) {
        case LineProof.SCHEMA -> check(LineProof.fromJson(json), trusted);
        case GrowthProof.SCHEMA -> check(GrowthProof.fromJson(json), trusted);
        default ->
          throw new DocumentFormatException("expected the schema %s or %s, found %s"
              .formatted(
                  LineProof.SCHEMA,
                  GrowthProof.SCHEMA,
                  json.has("schema") ? json.get("schema") : "no \"schema\""));
      };
    } catch (DocumentFormatException e) {
      throw new IOException(file + ": not a proof: " + e.getMessage(), e);
    }
  }

  private List<TrustedHead> trusted() throws IOException {
    SignatureVerifier keys = publicKeys.isEmpty() ? null : KeyFiles.verifier(publicKeys);
    List<TrustedHead> trusted = new ArrayList<>();
    for (Path checkpoint : checkpoints) {
      trusted.add(TrustedHead.read(checkpoint, keys));
    }
    return trusted;
  }

  private int check(LineProof proof, List<TrustedHead> trusted) {
    LabelledText said = new LabelledText()
        .labelled("line", "%,d of %,d".formatted(proof.line(), proof.tree().size()))
        .labelled("text", Style.fit(proof.text(), LabelledText.TEXT_WIDTH))
        .labelled("root", root(proof.tree()));
    return report(ProofCheck.of(proof, trusted), proof.toJson(), said);
  }

  private int check(GrowthProof proof, List<TrustedHead> trusted) {
    LabelledText said = new LabelledText()
        .labelled("older", root(proof.first()))
        .labelled("newer", root(proof.second()));
    return report(ProofCheck.of(proof, trusted), proof.toJson(), said);
  }

  private int report(ProofCheck check, JsonObject proof, LabelledText said) {
    if (format.isJson()) {
      print(check.toJson(proof));
    } else {
      Style style = terminal.style();
      print(
          VerificationText.verdict(check.verdict(), style)
              + "  "
              + style.bold(Style.plain(file.toString()))
              + "\n");
      said.labelled("proved", check.texts(true)).labelled("not proved", check.texts(false));
      print(said.toString());
    }
    return check.exitCode();
  }

  private static String root(TreeHead tree) {
    return "%s over %s".formatted(tree.root(), PlainText.count(tree.size(), "line"));
  }
}
