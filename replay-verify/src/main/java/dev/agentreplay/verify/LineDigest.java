package dev.agentreplay.verify;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.internal.RunningDigest;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;

/**
 * The hash of the bytes of a log, and the tree over its lines, as they go by. Of a long log they
 * are computed by another thread if one is free, while this one reads on.
 */
final class LineDigest {

  private final RunningDigest digest;
  private final boolean isWhole;
  private long lines;
  private long handedOver;

  /** Of a log from its beginning. */
  LineDigest() {
    this.digest = new RunningDigest(true);
    this.isWhole = true;
  }

  /** Of a log from where it was verified to: the hash of its bytes is not known. */
  LineDigest(VerificationState since) {
    this.digest = new RunningDigest(MerkleTree.of(since.tree().size(), since.edge()));
    this.isWhole = false;
    this.lines = since.tree().size();
  }

  /** Adds a line. */
  void add(ReplayLine line) throws IOException {
    line.copyTo(digest);
    lines++;
    if (digest.batches() > handedOver) {
      handedOver = digest.batches();
      ForkJoinPool.commonPool().execute(digest::catchUp);
    }
  }

  /** How many lines there were. */
  long lines() {
    return lines;
  }

  /** Whether the hash of the bytes is known. */
  boolean isWhole() {
    return isWhole;
  }

  /**
   * The hash of the bytes so far.
   *
   * @throws IllegalStateException if it is not known
   */
  ContentHash hash() {
    if (!isWhole) {
      throw new IllegalStateException("the bytes before were not read");
    }
    return digest.toHash();
  }

  /** The right edge of the tree, with which it can be gone on. */
  List<ContentHash> edge() {
    return digest.toEdge();
  }

  /** The tree over the lines so far. */
  TreeHead tree() {
    return Objects.requireNonNull(digest.toTree());
  }
}
