package dev.agentreplay.io.log;

import dev.agentreplay.canonical.dialect.LineEncoder;

/**
 * The limits for reading a log. Immutable.
 *
 * @param maxLineBytes the maximum length of a line in bytes, without its line feed: from 1 byte to
 *     1 GiB; {@link LineEncoder#MAX_LINE_BYTES} by default. A line and its values take many times
 *     their length in memory
 */
public record ReaderOptions(int maxLineBytes) {

  private static final int MAX_LINE_BYTES = 1 << 30;

  private static final ReaderOptions DEFAULTS = new ReaderOptions(LineEncoder.MAX_LINE_BYTES);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the limit is out of range
   */
  public ReaderOptions {
    if (maxLineBytes < 1 || maxLineBytes > MAX_LINE_BYTES) {
      throw new IllegalArgumentException("maxLineBytes must be from 1 to 1 GiB: " + maxLineBytes);
    }
  }

  /** The default limits. */
  public static ReaderOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with a different maximum length of a line, in bytes. */
  public ReaderOptions withMaxLineBytes(int newMaxLineBytes) {
    return new ReaderOptions(newMaxLineBytes);
  }
}
