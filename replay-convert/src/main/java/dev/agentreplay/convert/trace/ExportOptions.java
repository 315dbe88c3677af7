package dev.agentreplay.convert.trace;

/**
 * Options of an export. Immutable.
 *
 * @param overwrite whether a file that exists is replaced
 * @param force whether a log of an unsupported version is read
 * @param maxBytes the maximum number of bytes of the values to export: of the lines of the log,
 *     with prompts in full if the format has them so, and of the blobs; 256 MiB by default, the
 *     length of a document that can be imported
 */
public record ExportOptions(boolean overwrite, boolean force, long maxBytes) {

  private static final ExportOptions DEFAULTS = new ExportOptions(false, false, 256L << 20);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if {@code maxBytes} is negative
   */
  public ExportOptions {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes must not be negative: " + maxBytes);
    }
  }

  /** The default options: without overwriting or forcing. */
  public static ExportOptions defaults() {
    return DEFAULTS;
  }

  /** Returns options that replace an existing file, or do not. */
  public ExportOptions withOverwrite(boolean newOverwrite) {
    return new ExportOptions(newOverwrite, force, maxBytes);
  }

  /** Returns options that read unsupported versions, or do not. */
  public ExportOptions withForce(boolean newForce) {
    return new ExportOptions(overwrite, newForce, maxBytes);
  }

  /**
   * Returns options with this maximum number of bytes.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public ExportOptions withMaxBytes(long bytes) {
    return new ExportOptions(overwrite, force, bytes);
  }
}
