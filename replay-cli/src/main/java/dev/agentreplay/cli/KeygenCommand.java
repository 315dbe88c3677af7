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
    header = "Generate a signing key (Ed25519), and print its id.",
    description = {
      "",
      "OUT has the private key, for its owner alone; OUT.pub has the public one, which those need",
      "who verify. Both are PEM, as openssl writes and reads them. The id is the SHA-256 of the",
      "public key's DER: tell it to them some other way than the key."
    })
final class KeygenCommand extends TerminalCommand {

  @Parameters(paramLabel = "OUT", description = "The file of the private key.")
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
