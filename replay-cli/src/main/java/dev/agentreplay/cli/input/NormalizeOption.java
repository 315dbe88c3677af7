package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.diff.rule.Normalizer;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --normalize} of a comparison. */
public final class NormalizeOption {

  @Option(
      names = "--normalize",
      paramLabel = "RULE",
      description = "Replacement in texts before they are compared: ansi, uuids, dates, temp,"
          + " workspace=PATH, or NAME:REGEX=>REPLACEMENT. Repeatable, applied in order.")
  private List<String> normalizers = new ArrayList<>();

  /** The normalizers, in order. */
  List<Normalizer> normalizers() {
    return normalizers.stream().map(this::parse).toList();
  }

  private Normalizer parse(String text) {
    try {
      return Normalizer.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--normalize: " + e.getMessage());
    }
  }
}
