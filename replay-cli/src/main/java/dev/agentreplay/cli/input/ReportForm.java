package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.report.TextOptions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the form of a report on divergences. */
public final class ReportForm {

  /** The forms in which divergences are reported. */
  public enum Format {
    /** For people. */
    TEXT,
    /** For programs: one line. */
    JSON,
    /** For a comment on a pull request. */
    MARKDOWN,
    /** For a build server: JUnit XML. */
    JUNIT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "Report format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Format format = Format.TEXT;

  @Option(
      names = "--width",
      paramLabel = "N",
      description = "Width of the text report in columns, 80 to 120 (default: that of the"
          + " terminal, or 100).")
  private @Nullable Integer width;

  @Option(names = "--full", description = "Show each divergence in full in the text report.")
  private boolean full;

  /** The requested format. */
  public Format format() {
    return format;
  }

  /** The options of a text that fits the terminal; a file gets no colors. */
  public TextOptions text(Terminal terminal, boolean isFile, int maxDivergences) {
    TextOptions text = TextOptions.defaults()
        .withColor(terminal.color() && !isFile)
        .withMaxDivergences(maxDivergences)
        .withFull(full);
    if (width != null) {
      if (width < TextOptions.MIN_WIDTH || width > TextOptions.MAX_WIDTH) {
        throw new UsageException("--width: expected %d to %d, found %d"
            .formatted(TextOptions.MIN_WIDTH, TextOptions.MAX_WIDTH, width));
      }
      return text.withWidth(width);
    }
    return terminal.columns() == 0
        ? text
        : text.withWidth(
            Math.min(Math.max(terminal.columns(), TextOptions.MIN_WIDTH), TextOptions.MAX_WIDTH));
  }
}
