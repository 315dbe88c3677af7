package dev.agentreplay.verify.input;

import dev.agentreplay.io.log.LogDigest;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;

/**
 * The hash of the bytes of a log, and the tree over its lines, as they go by. Of a long log they
 * are computed by another thread if one is free, while this one reads on.
 */
public final class LineDigest {

  private final LogDigest digest = new LogDigest(true);
  private long lines;
  private long handedOver;

  /** Adds a line. */
  public void add(ReplayLine line) throws IOException {
    line.writeTo(digest);
    lines++;
    if (digest.batches() > handedOver) {
      handedOver = digest.batches();
      ForkJoinPool.commonPool().execute(digest::catchUp);
    }
  }

  /** How many lines there were. */
  public long lines() {
    return lines;
  }

  /**
   * The hash of the bytes so far.
   *
   * @throws OutOfMemoryError if hashing was interrupted by an Error, in this thread or another one
   */
  public ContentHash hash() {
    ContentHash hash = digest.toHash();
    requireSound();
    return hash;
  }

  /**
   * The tree over the lines so far.
   *
   * @throws OutOfMemoryError if hashing was interrupted by an Error, in this thread or another one
   */
  public TreeHead tree() {
    TreeHead tree = Objects.requireNonNull(digest.toTree());
    requireSound();
    return tree;
  }

  /** Else a session would be called altered because memory was short. */
  private void requireSound() {
    if (digest.isBroken()) {
      throw new OutOfMemoryError("hashing the log was interrupted");
    }
  }
}
