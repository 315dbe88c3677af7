package dev.agentreplay.io.log;

import dev.agentreplay.canonical.dialect.LineEncoder;

/**
 * The limits within which a log is read.
 *
 * @param maxLineBytes the longest line that is read, without its line feed: from 1 byte to 1 GiB;
 *     {@link LineEncoder#MAX_LINE_BYTES} by default. A line and its values take many times that in
 *     memory
 */
public record ReaderOptions(int maxLineBytes) {

  private static final int MAX_LINE_BYTES = 1 << 30;

  private static final ReaderOptions DEFAULTS = new ReaderOptions(LineEncoder.MAX_LINE_BYTES);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the limit is out of it
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

  /** With another limit of a line, in bytes. */
  public ReaderOptions withMaxLineBytes(int newMaxLineBytes) {
    return new ReaderOptions(newMaxLineBytes);
  }
}
