package dev.agentreplay.cli.input;

import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.proof.LogCheckpoint;
import dev.agentreplay.verify.proof.TrustedHead;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The public keys and checkpoints that a verification trusts. */
public final class TrustOptions {

  private final Terminal terminal;

  @Option(
      names = "--public-key",
      paramLabel = "FILE",
      description =
          "Trusted Ed25519 public key in PEM; fail unless its signature covers every line."
              + " Repeatable.")
  private List<Path> publicKeys = List.of();

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description =
          "Trusted checkpoint, also a public one; fail unless the log begins with the lines that it"
              + " covers. Its signature is checked if there is a --public-key. Repeatable.")
  private List<Path> checkpoints = List.of();

  /** Creates the options; warnings go to the terminal. */
  public TrustOptions(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The files of the checkpoints that are not public ones. */
  public List<Path> checkpointsOfLines() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path file : checkpoints) {
      if (!isPublic(file)) {
        files.add(file);
      }
    }
    return files;
  }

  private static boolean isPublic(Path file) throws IOException {
    return PublicCheckpoint.isOne(JsonFile.read(file, "a checkpoint"));
  }

  /** The files of the checkpoints. */
  public List<Path> checkpoints() {
    return checkpoints;
  }

  /** The files of the keys and checkpoints. */
  public List<Path> files() {
    return Stream.concat(publicKeys.stream(), checkpoints.stream()).toList();
  }

  /** Whether any was given. */
  public boolean areGiven() {
    return !publicKeys.isEmpty() || !checkpoints.isEmpty();
  }

  /** A policy with these keys and checkpoints. */
  public VerifyPolicy applyTo(VerifyPolicy policy) throws IOException {
    List<TreeHead> heads = new ArrayList<>();
    List<TreeHead> publicHeads = new ArrayList<>();
    for (Path file : checkpoints) {
      if (isPublic(file)) {
        publicHeads.add(publicCheckpoint(file).tree());
      } else {
        heads.add(checkpoint(file).tree());
      }
    }
    VerifyPolicy with = policy.withCheckpoints(heads).withPublicCheckpoints(publicHeads);
    return publicKeys.isEmpty() ? with : with.requiringSignature(KeyFiles.verifier(publicKeys));
  }

  /** Reads a checkpoint: an unsigned one is trusted as the user's own, a forged one is refused. */
  private LogCheckpoint checkpoint(Path file) throws IOException {
    LogCheckpoint checkpoint = LogCheckpoint.read(file);
    return isToBeVerified(file, checkpoint.isSigned())
        ? LogCheckpoint.read(file, KeyFiles.verifier(publicKeys))
        : checkpoint;
  }

  /** Reads a public checkpoint, by the same rules. */
  private TrustedHead publicCheckpoint(Path file) throws IOException {
    TrustedHead head = TrustedHead.read(file, null);
    return isToBeVerified(file, head.isSigned())
        ? TrustedHead.read(file, KeyFiles.verifier(publicKeys))
        : head;
  }

  private boolean isToBeVerified(Path file, boolean isSigned) {
    if (isSigned && publicKeys.isEmpty()) {
      complain(file, "the signature is not checked, because there is no --public-key");
    } else if (!isSigned && !publicKeys.isEmpty()) {
      complain(file, "not signed; trusted because it is named on the command line");
    }
    return isSigned && !publicKeys.isEmpty();
  }

  private void complain(Path file, String text) {
    terminal.complain(file + ": " + text);
  }
}
