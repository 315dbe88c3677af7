package dev.agentreplay.cli;

import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Terminal;
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
    header = "Print a checkpoint of a log: its size, and the root of its tree.",
    description = {
      "",
      "Keep it where the log's writer cannot change it: replay verify --checkpoint then finds out",
      "whether anything that the log had was changed or cut off. The log is not verified."
    })
final class CheckpointCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions();

  @Parameters(paramLabel = "SESSION", description = "Of what; it may still be recorded.")
  String session = "";

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = {
        "Sign it with this private key, in a DSSE envelope: see replay keygen. With --force it may",
        "be one that other users have access to."
      })
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
    LogProver log = LogProver.open(input.locateForRereading(session));
    LogCheckpoint checkpoint = key == null ? log.checkpoint() : log.checkpoint(input.signer(key));
    out.write(checkpoint + "\n", terminal.data());
    return ExitCode.OK;
  }
}
