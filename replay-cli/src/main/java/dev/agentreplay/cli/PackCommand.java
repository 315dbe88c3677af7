package dev.agentreplay.cli;

import dev.agentreplay.io.pack.PackedSession;
import dev.agentreplay.io.pack.UnpackLimits;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay pack}. */
@Command(
    name = "pack",
    header = "Pack the directory of a session into one file (.tar.gz).",
    description = {
      "",
      "Every file in the directory is packed, with a manifest of SHA-256 sums. Links are refused,",
      "and so is what unpack would not take. What a killed recorder left is left out, and listed.",
      "When the command is killed, a file .replay.*.tmp may be left beside OUT; delete it."
    })
final class PackCommand extends TerminalCommand {

  @Parameters(index = "0", paramLabel = "DIR", description = "The session's directory.")
  Path directory = Path.of("");

  @Parameters(index = "1", paramLabel = "OUT", description = "The file to write.")
  Path file = Path.of("");

  @Option(names = "--overwrite", description = "Replace OUT if it exists.")
  boolean overwrite;

  PackCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    PackedSession packed = overwrite
        ? PackedSession.packReplacing(directory, file)
        : PackedSession.pack(directory, file);
    print("packed %,d files, %,d bytes, into %s\n"
        .formatted(packed.files().size(), packed.totalBytes(), Style.plain(file.toString())));
    for (String path : packed.leftOut()) {
      complain("left out, because a recorder leaves it when it is killed: " + path);
    }
    if (packed.ratio() > UnpackLimits.defaults().maxRatio()) {
      complain("the session is compressed so well that unpacking it needs --max-ratio "
          + packed.ratio());
    }
    return ExitCode.OK;
  }
}
