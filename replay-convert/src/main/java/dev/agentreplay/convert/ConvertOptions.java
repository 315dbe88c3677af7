package dev.agentreplay.convert;

/**
 * How a session is converted.
 *
 * @param overwrite whether files that exist are replaced
 * @param force whether a log of a version that is not supported is read, and a result that lacks
 *     what its specification requires, or whose source is in conflict with what it keeps aside, is
 *     written all the same
 * @param receipt whether a receipt is made of the log that is written, if the source verifies; of a
 *     log that was a bundle it always is
 * @param maxEmbeddedBytes the most bytes of blobs that are written into a log whose specification
 *     requires the values; a blob counts each time that it is referred to; 64 MiB by default
 */
public record ConvertOptions(
    boolean overwrite, boolean force, boolean receipt, long maxEmbeddedBytes) {

  private static final ConvertOptions DEFAULTS = new ConvertOptions(false, false, false, 64L << 20);

  /** Checks the range. */
  public ConvertOptions {
    if (maxEmbeddedBytes < 0) {
      throw new IllegalArgumentException(
          "maxEmbeddedBytes must not be negative: " + maxEmbeddedBytes);
    }
  }

  /** Nothing is replaced, nothing incomplete is read or written, no receipt is made. */
  public static ConvertOptions defaults() {
    return DEFAULTS;
  }

  /** With files that exist replaced, or not. */
  public ConvertOptions withOverwrite(boolean newOverwrite) {
    return new ConvertOptions(newOverwrite, force, receipt, maxEmbeddedBytes);
  }

  /** With what is not supported read, and what is incomplete written, or not. */
  public ConvertOptions withForce(boolean newForce) {
    return new ConvertOptions(overwrite, newForce, receipt, maxEmbeddedBytes);
  }

  /** With a receipt of the log that is written, or not. */
  public ConvertOptions withReceipt(boolean newReceipt) {
    return new ConvertOptions(overwrite, force, newReceipt, maxEmbeddedBytes);
  }

  /** With another limit for the blobs that are written into a log. */
  public ConvertOptions withMaxEmbeddedBytes(long bytes) {
    return new ConvertOptions(overwrite, force, receipt, bytes);
  }
}
