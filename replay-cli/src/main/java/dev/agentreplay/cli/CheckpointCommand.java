package dev.agentreplay.cli;

import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.verify.proof.LogCheckpoint;
import dev.agentreplay.verify.proof.LogProver;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay checkpoint}. */
@Command(
    name = "checkpoint",
    header = "Print a checkpoint of a log: its number of lines and Merkle root.",
    description = {
      "Store it where the writer of the log cannot change it: replay verify --checkpoint then detects",
      "every change to the lines that the log had, and every truncation. With --key the checkpoint is a",
      "signed tree head. The log is not verified."
    },
    exitCodeList = {"0:Done.", "2:Wrong usage.", "3:Unreadable input."},
    footer = {
      "  replay checkpoint sessions/fix-auth --out monday.json",
      "  replay checkpoint sessions/fix-auth --key key"
    })
final class CheckpointCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      description =
          "Session directory, log, packed session, or id; recording may still be running.")
  String session = "";

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description =
          "Private key to sign with, in a DSSE envelope: see replay keygen. A key that other"
              + " users can access is refused without --force.")
  @Nullable
  Path key;

  @Mixin
  OutFile out = new OutFile();

  CheckpointCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    out.check();
    try (OpenSession open = input.openForRereading(session)) {
      LogProver log = LogProver.open(open.session());
      LogCheckpoint checkpoint = key == null ? log.checkpoint() : log.checkpoint(input.signer(key));
      out.write(checkpoint + "\n", input, terminal.data());
    }
    return ExitCode.OK;
  }
}
