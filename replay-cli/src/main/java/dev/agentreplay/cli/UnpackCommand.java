package dev.agentreplay.cli;

import dev.agentreplay.cli.input.PackContents;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.convert.pack.PackFormatException;
import dev.agentreplay.convert.pack.PackOptions;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.convert.pack.UnpackLimits;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay unpack}. */
@Command(
    name = "unpack",
    header = "Unpack a packed session.",
    description = {
      "Checks each file against the manifest. If a file does not match, or is not a file of a session",
      "and not named by --include, nothing is unpacked. If the command is killed, a temporary directory",
      ".replay.*.tmp may remain in DIR or next to it: delete it."
    },
    exitCodeList = {
      "0:Unpacked.",
      "2:Wrong usage, or DIR is not empty.",
      "3:The packed file was refused."
    },
    footer = "  replay unpack fix-auth.tar.gz restored")
final class UnpackCommand extends TerminalCommand {

  @Parameters(index = "0", paramLabel = "FILE", description = "Packed session.")
  Path file = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "DIR",
      description = "Directory to unpack into; new or empty.")
  Path directory = Path.of("");

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description =
          "Maximum size of all files in bytes (default: 8 GiB per file, 16 GiB in total).")
  @Nullable
  Long maxBytes;

  @Option(
      names = "--max-ratio",
      paramLabel = "N",
      description = "Maximum compression ratio beyond 64 MiB (default: 200).")
  @Nullable
  Integer maxRatio;

  @Mixin
  PackContents contents = new PackContents();

  UnpackCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    PackedSession packed;
    try {
      packed = PackedSession.unpack(file, directory, options());
    } catch (PackFormatException e) {
      complain(e.getMessage() + remedy(e));
      return ExitCode.UNREADABLE;
    } catch (FileAlreadyExistsException e) {
      throw new UsageException("DIR: expected a new or empty directory, found " + directory, e);
    }
    print("unpacked %,d files, %,d bytes, into %s\n"
        .formatted(packed.files().size(), packed.totalBytes(), Style.plain(directory.toString())));
    return ExitCode.OK;
  }

  private PackOptions options() {
    PackOptions options = contents.options();
    UnpackLimits limits = options.limits();
    try {
      if (maxBytes != null) {
        limits = limits.withMaxTotalBytes(maxBytes).withMaxFileBytes(maxBytes);
      }
      return options.withLimits(maxRatio == null ? limits : limits.withMaxRatio(maxRatio));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--max-bytes and --max-ratio must be positive", e);
    }
  }

  private static String remedy(PackFormatException refused) {
    return switch (refused.reason()) {
      case SIZE -> "; --max-bytes takes more, if you trust the file";
      case RATIO -> "; --max-ratio takes more, if you trust the file";
      case NOT_OF_SESSION ->
        "; unpack --include %s takes it, if you trust the file".formatted(refused.entry());
      default -> "";
    };
  }
}
