package dev.agentreplay.cli;

import dev.agentreplay.cli.input.PackContents;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay unpack}. */
@Command(
    name = "unpack",
    header = "Unpack a packed session.",
    description = {
      "",
      "Each file is checked against the manifest. When one is wrong, or is none that every session",
      "has, and --include does not name it, nothing is unpacked.",
      "When the command is killed, a directory .replay.*.tmp may be left beside DIR, or in it if it",
      "was there; delete it."
    })
final class UnpackCommand extends TerminalCommand {

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "FILE", description = "What was packed.")
  Path file = Path.of("");

  @Parameters(index = "1", paramLabel = "DIR", description = "Where to; new, or empty.")
  Path directory = Path.of("");

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description = "Take at most N bytes of files (default: 8 GiB of one, 16 GiB of all).")
  @Nullable
  Long maxBytes;

  @Option(
      names = "--max-ratio",
      paramLabel = "N",
      description = "Let a compressed byte become at most N, beyond 64 MiB (default: 200).")
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
      throw new ParameterException(
          spec.commandLine(), "unpack wants a new or empty directory: " + directory, e);
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
      throw new ParameterException(
          spec.commandLine(), "--max-bytes and --max-ratio must be positive", e);
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
