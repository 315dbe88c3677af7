package dev.agentreplay.io;

/**
 * How a session is converted.
 *
 * @param overwrite whether files that exist are replaced
 * @param force whether a log of a version that is not supported is read, and a result that lacks
 *     what its specification requires, or whose source is in conflict with what it keeps aside, is
 *     written all the same
 * @param receipt whether a receipt is made of the log that is written; of one that was a bundle it
 *     always is
 */
public record ConvertOptions(boolean overwrite, boolean force, boolean receipt) {

  /** Nothing is replaced, nothing incomplete is read or written, no receipt is made. */
  public static ConvertOptions defaults() {
    return new ConvertOptions(false, false, false);
  }

  /** With files that exist replaced, or not. */
  public ConvertOptions withOverwrite(boolean newOverwrite) {
    return new ConvertOptions(newOverwrite, force, receipt);
  }

  /** With what is not supported read, and what is incomplete written, or not. */
  public ConvertOptions withForce(boolean newForce) {
    return new ConvertOptions(overwrite, newForce, receipt);
  }

  /** With a receipt of the log that is written, or not. */
  public ConvertOptions withReceipt(boolean newReceipt) {
    return new ConvertOptions(overwrite, force, newReceipt);
  }
}
