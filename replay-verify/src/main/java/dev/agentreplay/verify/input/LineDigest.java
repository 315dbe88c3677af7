package dev.agentreplay.verify.input;

import dev.agentreplay.io.log.LogDigest;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.io.IOException;
import java.util.Objects;

/**
 * The hash of the bytes of a log and the Merkle tree over its lines, computed incrementally. For a
 * long log a thread of the common pool computes them while the caller continues to read.
 */
public final class LineDigest {

  private final LogDigest digest = new LogDigest(true);
  private long lines;

  /** Adds a line. */
  public void add(ReplayLine line) throws IOException {
    digest.add(line);
    lines++;
    digest.passOn();
  }

  /** The number of lines that were added. */
  public long lines() {
    return lines;
  }

  /**
   * Returns the hash of the bytes so far.
   *
   * @throws OutOfMemoryError if hashing was interrupted by an {@link Error} in any thread
   */
  public ContentHash hash() {
    ContentHash hash = digest.toHash();
    requireSound();
    return hash;
  }

  /**
   * Returns the head of the tree over the lines so far.
   *
   * @throws OutOfMemoryError if hashing was interrupted by an {@link Error} in any thread
   */
  public TreeHead tree() {
    TreeHead tree = Objects.requireNonNull(digest.toTree());
    requireSound();
    return tree;
  }

  /**
   * Throws if hashing was interrupted: otherwise a lack of memory would be reported as an
   * alteration.
   */
  private void requireSound() {
    if (digest.isBroken()) {
      throw new OutOfMemoryError("hashing the log was interrupted");
    }
  }
}
