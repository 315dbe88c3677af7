package dev.agentreplay.convert.trace;

import dev.agentreplay.convert.trace.report.TraceFormat;
import org.jspecify.annotations.Nullable;

/**
 * Options of an import. Immutable.
 *
 * @param from the format of the source; null to detect it by its structure
 * @param overwrite whether an earlier import is replaced; a directory with other files never is
 */
public record ImportOptions(@Nullable TraceFormat from, boolean overwrite) {

  private static final ImportOptions DEFAULTS = new ImportOptions(null, false);

  /** The default options: the format is detected, and nothing is replaced. */
  public static ImportOptions defaults() {
    return DEFAULTS;
  }

  /** Returns options with a format; null to detect it. */
  public ImportOptions withFrom(@Nullable TraceFormat newFrom) {
    return new ImportOptions(newFrom, overwrite);
  }

  /** Returns options that replace an earlier import, or do not. */
  public ImportOptions withOverwrite(boolean newOverwrite) {
    return new ImportOptions(from, newOverwrite);
  }
}
