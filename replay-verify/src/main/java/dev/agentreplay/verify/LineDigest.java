package dev.agentreplay.verify;

import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.internal.RunningDigest;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;

/**
 * The hash of the bytes of a log, and the tree over its lines, as they go by. Of a long log they
 * are computed by another thread if one is free, while this one reads on.
 */
final class LineDigest {

  private final RunningDigest digest = new RunningDigest(true);
  private long lines;
  private long handedOver;

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

  /** The hash of the bytes so far. */
  ContentHash hash() {
    return digest.toHash();
  }

  /** The tree over the lines so far. */
  TreeHead tree() {
    return Objects.requireNonNull(digest.toTree());
  }
}
