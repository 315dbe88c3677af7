package dev.agentreplay.io.log;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The hash of the bytes of a log, and the tree over its lines, as they are written or read. One
 * thread at a time may call its methods, as under the lock under which a writer writes the lines;
 * only {@link #catchUp}, which hashes many of them at once, may be called by any.
 *
 * <p>When an Error interrupts one of these methods, a line may be hashed twice or not at all:
 * {@link #isBroken} says so from then on, and hash and tree mean nothing.
 */
public final class LogDigest extends OutputStream {

  private static final int BATCH_BYTES = 1 << 17;

  /** Some lines, one behind the other, and where each of them ends. */
  private static final class Batch {
    byte[] bytes = new byte[BATCH_BYTES];
    int length;
    int[] ends = new int[512];
    int lines;

    boolean isFullFor(int more) {
      return more > bytes.length - length || length > BATCH_BYTES;
    }

    void add(byte[] line, int from, int count) {
      if (count > bytes.length) {
        bytes = new byte[count]; // a batch of its own, once
      }
      System.arraycopy(line, from, bytes, length, count);
      length += count;
      if (lines == ends.length) {
        ends = Arrays.copyOf(ends, lines * 2);
      }
      ends[lines++] = length;
    }

    void clear() {
      length = 0;
      lines = 0;
      if (bytes.length > BATCH_BYTES) {
        bytes = new byte[BATCH_BYTES];
      }
    }
  }

  /** Guards what is hashed: the batch that waits, the digest and the tree. */
  private final ReentrantLock hashing = new ReentrantLock();

  private final RunningHash digest = new RunningHash();
  private final @Nullable MerkleTree tree;
  private Batch waiting = new Batch();
  private volatile boolean isWaiting;
  private long batches;

  /** Whether hashing was interrupted; true while it runs. */
  private volatile boolean hashingBroken;

  /** One thread at a time. */
  private Batch filling = new Batch();

  /** Whether adding a line was interrupted; true while it runs. One thread at a time. */
  private boolean fillingBroken;

  /**
   * The digest of no lines.
   *
   * @param hasTree whether the tree over the lines is computed as well
   */
  public LogDigest(boolean hasTree) {
    this.tree = hasTree ? new MerkleTree() : null;
  }

  /** Adds one line, with its line feed if it has one. */
  @Override
  public void write(byte[] line, int from, int length) {
    if (fillingBroken) {
      return;
    }
    fillingBroken = true;
    if (filling.isFullFor(length)) {
      turnOver();
    }
    filling.add(line, from, length);
    if (filling.length > BATCH_BYTES) {
      turnOver();
    }
    fillingBroken = false;
  }

  /**
   * Not supported: a line is added at once.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public void write(int b) {
    throw new UnsupportedOperationException("a line is added at once");
  }

  /** The number of batches that were handed over to be hashed. */
  public long batches() {
    return batches;
  }

  /** Whether an Error has interrupted this digest. */
  public boolean isBroken() {
    hashing.lock();
    try {
      return fillingBroken || hashingBroken;
    } finally {
      hashing.unlock();
    }
  }

  /** Hashes what has come together. May be called by any thread. */
  public void catchUp() {
    if (isWaiting) {
      hashing.lock();
      try {
        hashWaiting();
      } finally {
        hashing.unlock();
      }
    }
  }

  /** The hash of the bytes so far. */
  public ContentHash toHash() {
    hashing.lock();
    try {
      hashAll();
      return digest.toHash();
    } finally {
      hashing.unlock();
    }
  }

  /** The tree over the lines so far, null without one. */
  public @Nullable TreeHead toTree() {
    hashing.lock();
    try {
      hashAll();
      return tree == null ? null : tree.head();
    } finally {
      hashing.unlock();
    }
  }

  private void hashAll() {
    turnOver();
    hashWaiting();
  }

  /** Begins another batch; the one before it, if nobody has hashed it yet, is hashed first. */
  private void turnOver() {
    hashing.lock();
    try {
      hashWaiting();
      Batch next = waiting;
      waiting = filling;
      isWaiting = true;
      batches++;
      filling = next;
    } finally {
      hashing.unlock();
    }
  }

  private void hashWaiting() {
    Batch batch = waiting;
    if (hashingBroken) {
      batch.length = 0;
      batch.lines = 0;
      isWaiting = false;
      return;
    }
    hashingBroken = true;
    digest.write(batch.bytes, 0, batch.length);
    if (tree != null) {
      int from = 0;
      for (int i = 0; i < batch.lines; i++) {
        int end = batch.ends[i];
        boolean hasLineFeed = end > from && batch.bytes[end - 1] == '\n';
        tree.add(batch.bytes, from, end - from - (hasLineFeed ? 1 : 0));
        from = end;
      }
    }
    batch.clear();
    isWaiting = false;
    hashingBroken = false;
  }
}
