package dev.agentreplay.cli;

import dev.agentreplay.cli.input.PackContents;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.convert.pack.UnpackLimits;
import dev.agentreplay.io.session.SessionDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay pack}. */
@Command(
    name = "pack",
    header = "Pack a session into one file (.tar.gz).",
    description = {
      "Packs the files of the session with a manifest of their SHA-256 hashes: log, receipt, envelope,",
      "summary, the account of an import, blobs, and the files of snapshot/ that are not hidden. Other",
      "files are left out and listed, unless --include names them. Links, and whatever unpack would",
      "refuse, are refused. If the command is killed, a temporary file .replay.*.tmp may remain next to",
      "OUT: delete it."
    },
    exitCodeList = {"0:Packed.", "2:Wrong usage, or OUT exists.", "3:Unreadable input."},
    footer = {
      "  replay pack sessions/fix-auth fix-auth.tar.gz",
      "  replay pack --include 'notes/*.md' sessions/fix-auth fix-auth.tar.gz"
    })
final class PackCommand extends TerminalCommand {

  @Parameters(index = "0", paramLabel = "DIR", description = "Session directory.")
  Path directory = Path.of("");

  @Parameters(index = "1", paramLabel = "OUT", description = "File to write.")
  Path file = Path.of("");

  @Option(names = "--overwrite", description = "Replace OUT if it exists.")
  boolean overwrite;

  @Mixin
  PackContents contents = new PackContents();

  PackCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    PackedSession packed =
        PackedSession.pack(directory, file, contents.options().withOverwrite(overwrite));
    print("packed %,d files, %,d bytes, into %s\n"
        .formatted(packed.files().size(), packed.totalBytes(), Style.plain(file.toString())));
    for (String path : packed.leftOut()) {
      complain("left out: " + path + "; " + why(path));
    }
    if (packed.ratio() > UnpackLimits.defaults().maxRatio()) {
      complain(
          "the session is highly compressed: unpacking it needs --max-ratio " + packed.ratio());
    }
    return ExitCode.OK;
  }

  private String why(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return SessionDirectory.isLeftover(name)
        ? "the lock or a temporary file of a recorder"
        : "--include %s packs it"
            .formatted(path + (Files.isDirectory(directory.resolve(path)) ? "/**" : ""));
  }
}
