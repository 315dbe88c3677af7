package dev.agentreplay.cli.input;

import dev.agentreplay.convert.pack.PackOptions;
import dev.agentreplay.convert.pack.UnpackLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What is packed and unpacked beside what every session has, and how much. */
public final class PackContents {

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--include",
      paramLabel = "PATTERN",
      description = {
        "Take files that not every session has, too, by their paths in the directory: a glob, such",
        "as notes/*.md; ** takes all. May be given several times."
      })
  private String[] include = {};

  @Option(
      names = "--max-files",
      paramLabel = "N",
      description = "Take at most N files (default: 20,000).")
  private @Nullable Integer maxFiles;

  @Option(
      names = "--max-directories",
      paramLabel = "N",
      description = "Take at most N directories (default: 5,000).")
  private @Nullable Integer maxDirectories;

  /** The options that were given. */
  public PackOptions options() {
    UnpackLimits limits = UnpackLimits.defaults();
    try {
      limits = maxFiles == null ? limits : limits.withMaxFiles(maxFiles);
      limits = maxDirectories == null ? limits : limits.withMaxDirectories(maxDirectories);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--max-files and --max-directories must be positive", e);
    }
    try {
      return PackOptions.defaults().withLimits(limits).withInclude(include);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--include: expected a glob, found " + String.join(" ", include), e);
    }
  }
}
