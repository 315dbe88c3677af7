package dev.agentreplay.cli.input;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The option {@code --format} of a report. */
public final class FormatOption {

  /** The forms of a report. */
  public enum Format {
    /** For people. */
    TEXT,
    /** For programs: one line. */
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Format format = Format.TEXT;

  public boolean isJson() {
    return format == Format.JSON;
  }
}
