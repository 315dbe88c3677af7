package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.convert.pack.PackOptions;
import dev.agentreplay.convert.pack.UnpackLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for additional files and limits of packing and unpacking. */
public final class PackContents {

  @Option(
      names = "--include",
      paramLabel = "PATTERN",
      description =
          "Additional files to take, as a glob on their paths in the session directory, such"
              + " as notes/*.md; ** takes all. Repeatable.")
  private String[] include = {};

  @Option(
      names = "--max-files",
      paramLabel = "N",
      description = "Maximum number of files (default: 20,000).")
  private @Nullable Integer maxFiles;

  @Option(
      names = "--max-directories",
      paramLabel = "N",
      description = "Maximum number of directories (default: 5,000).")
  private @Nullable Integer maxDirectories;

  /** The options of the library that the given ones stand for. */
  public PackOptions options() {
    UnpackLimits limits = UnpackLimits.defaults();
    try {
      limits = maxFiles == null ? limits : limits.withMaxFiles(maxFiles);
      limits = maxDirectories == null ? limits : limits.withMaxDirectories(maxDirectories);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--max-files and --max-directories must be positive", e);
    }
    try {
      return PackOptions.defaults().withLimits(limits).withInclude(include);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--include: expected a glob, found " + String.join(" ", include), e);
    }
  }
}
