package dev.agentreplay.convert;

/**
 * Options of a conversion. Immutable.
 *
 * @param overwrite whether files that exist are replaced
 * @param force whether a log of an unsupported version is read, and a result is written even if it
 *     lacks required members or its source conflicts with the members that it carries over
 * @param receipt whether a receipt of the written log is created, if the source verifies; a log
 *     converted from a bundle always gets one
 * @param maxEmbeddedBytes the maximum number of bytes of blobs that are embedded in a log whose
 *     specification requires the values; a blob counts once per reference; 64 MiB by default
 * @param fullPrompts whether a prompt that the log holds as a change of an earlier one is written
 *     in full, as it always is in a bundle
 */
public record ConvertOptions(
    boolean overwrite, boolean force, boolean receipt, long maxEmbeddedBytes, boolean fullPrompts) {

  private static final ConvertOptions DEFAULTS =
      new ConvertOptions(false, false, false, 64L << 20, false);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if {@code maxEmbeddedBytes} is negative
   */
  public ConvertOptions {
    if (maxEmbeddedBytes < 0) {
      throw new IllegalArgumentException(
          "maxEmbeddedBytes must not be negative: " + maxEmbeddedBytes);
    }
  }

  /** The default options: without overwriting, forcing or a receipt. */
  public static ConvertOptions defaults() {
    return DEFAULTS;
  }

  /** Returns options that replace existing files, or do not. */
  public ConvertOptions withOverwrite(boolean newOverwrite) {
    return new ConvertOptions(newOverwrite, force, receipt, maxEmbeddedBytes, fullPrompts);
  }

  /** Returns options that read unsupported versions and write incomplete results, or do not. */
  public ConvertOptions withForce(boolean newForce) {
    return new ConvertOptions(overwrite, newForce, receipt, maxEmbeddedBytes, fullPrompts);
  }

  /** Returns options that create a receipt of the written log, or do not. */
  public ConvertOptions withReceipt(boolean newReceipt) {
    return new ConvertOptions(overwrite, force, newReceipt, maxEmbeddedBytes, fullPrompts);
  }

  /**
   * Returns options with this maximum number of bytes of embedded blobs.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public ConvertOptions withMaxEmbeddedBytes(long bytes) {
    return new ConvertOptions(overwrite, force, receipt, bytes, fullPrompts);
  }

  /** Returns options that write every prompt in full, or leave changes as they are. */
  public ConvertOptions withFullPrompts(boolean newFullPrompts) {
    return new ConvertOptions(overwrite, force, receipt, maxEmbeddedBytes, newFullPrompts);
  }
}
