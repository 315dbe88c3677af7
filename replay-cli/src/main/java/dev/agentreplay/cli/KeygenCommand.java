package dev.agentreplay.cli;

import dev.agentreplay.cli.input.KeyFiles;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.signature.Ed25519Signer;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay keygen}. */
@Command(
    name = "keygen",
    header = "Generate an Ed25519 signing key and print its key id.",
    description = {
      "Writes the private key to OUT, readable only by its owner, and the public key to OUT.pub, for",
      "those who verify. Both are PEM files in the format of openssl. The key id is the SHA-256 hash of",
      "the DER form of the public key: send it over a different channel than the key."
    },
    exitCodeList = {"0:Done.", "2:Wrong usage, or OUT exists.", "3:OUT cannot be written."},
    footer = "  replay keygen key")
final class KeygenCommand extends TerminalCommand {

  @Parameters(paramLabel = "OUT", description = "File for the private key.")
  Path file = Path.of("");

  @Option(names = "--overwrite", description = "Replace OUT and OUT.pub if they exist.")
  boolean overwrite;

  KeygenCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Ed25519Signer key = Ed25519Signer.generate();
    KeyFiles.write(key, file, overwrite);
    print(key.keyId() + "\n");
    return ExitCode.OK;
  }
}
