package dev.agentreplay.io.log;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Computes the SHA-256 of the bytes of a log, and the Merkle tree (RFC 6962) over its lines, while
 * they are written or read. One thread at a time may call its methods, as under the lock with which
 * a writer writes lines; only {@link #passOn} and {@link #catchUp} may be called by any thread.
 *
 * <p>When an Error interrupts one of these methods, a line may be hashed twice or not at all: from
 * then on {@link #isBroken} returns true, and hash and tree are meaningless.
 */
public final class LogDigest extends OutputStream {

  private static final int BATCH_BYTES = 1 << 17;

  private static final boolean HAS_PROCESSORS = Runtime.getRuntime().availableProcessors() > 1;

  /** The state of the waiting batch. */
  private enum State {
    /** It is empty. */
    NONE,
    /** It is full. */
    WAITING,
    /** It is full, and a thread is to hash it. */
    PASSED_ON
  }

  /** Consecutive lines, the index after each of them, and those hashes of leaves that are known. */
  private static final class Batch {
    byte[] bytes = new byte[BATCH_BYTES];
    int length;
    int[] ends = new int[512];
    int lines;

    /** The hashes of leaves that are known, by line; may have fewer elements than lines. */
    @Nullable
    ContentHash[] leaves = {};

    boolean isFullFor(int more) {
      return more > bytes.length - length || length > BATCH_BYTES;
    }

    void add(byte[] line, int from, int count, @Nullable ContentHash leaf) {
      if (count > bytes.length) {
        bytes = new byte[count]; // a longer line is a batch by itself
      }
      System.arraycopy(line, from, bytes, length, count);
      length += count;
      if (lines == ends.length) {
        ends = Arrays.copyOf(ends, lines * 2);
      }
      if (leaf != null) {
        if (lines >= leaves.length) {
          leaves = Arrays.copyOf(leaves, ends.length);
        }
        leaves[lines] = leaf;
      }
      ends[lines++] = length;
    }

    void clear() {
      Arrays.fill(leaves, 0, Math.min(lines, leaves.length), null);
      length = 0;
      lines = 0;
      if (bytes.length > BATCH_BYTES) {
        bytes = new byte[BATCH_BYTES];
      }
    }
  }

  /** Guards the waiting batch, the digest and the tree. */
  private final ReentrantLock hashing = new ReentrantLock();

  private final RunningHash digest = new RunningHash();
  private final @Nullable MerkleTree tree;
  private Batch waiting = new Batch();
  private final AtomicReference<State> state = new AtomicReference<>(State.NONE);

  /** Whether hashing was interrupted; true while it runs. */
  private volatile boolean hashingBroken;

  /** The batch to which lines are added, by one thread at a time. */
  private Batch filling = new Batch();

  /** The hash of the leaf for the line that is being added, if it is known. */
  private @Nullable ContentHash leaf;

  /** Whether adding a line was interrupted; true while it runs. Used by one thread at a time. */
  private boolean fillingBroken;

  /**
   * Creates a digest without lines.
   *
   * @param hasTree whether the tree over the lines is computed as well
   */
  public LogDigest(boolean hasTree) {
    this.tree = hasTree ? new MerkleTree() : null;
  }

  /**
   * Adds a line. Faster than {@link ReplayLine#writeTo} if the hash of the leaf for it was computed
   * in advance.
   */
  public void add(ReplayLine line) throws IOException {
    leaf = line.leafHash();
    try {
      line.writeTo(this);
    } finally {
      leaf = null;
    }
  }

  /** Adds one line, including its line feed if it has one. */
  @Override
  public void write(byte[] line, int from, int length) {
    if (fillingBroken) {
      return;
    }
    fillingBroken = true;
    if (filling.isFullFor(length)) {
      turnOver();
    }
    filling.add(line, from, length, leaf);
    if (filling.length > BATCH_BYTES) {
      turnOver();
    }
    fillingBroken = false;
  }

  /**
   * Not supported: a line must be added with one call.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public void write(int b) {
    throw new UnsupportedOperationException("a line must be added with one call");
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

  /**
   * Lets a thread of the common pool hash the waiting batch, if there is one that was not passed on
   * yet. If the machine has one processor only, or no thread can be created, this thread hashes it.
   * May be called by any thread; to be called after each line.
   */
  public void passOn() {
    if (state.get() != State.WAITING || !state.compareAndSet(State.WAITING, State.PASSED_ON)) {
      return;
    }
    if (!HAS_PROCESSORS || !PoolTask.passOn(new CatchingUp(new WeakReference<>(this)))) {
      catchUp();
    }
  }

  /**
   * Hashes the waiting batch of a digest.
   *
   * @param digest the digest, which the task does not keep if the pool is busy for long
   */
  private record CatchingUp(WeakReference<LogDigest> digest) implements Runnable {

    @Override
    public void run() {
      LogDigest known = digest.get();
      try {
        if (known != null) {
          known.catchUp();
        }
      } catch (Error e) {
        // the digest is marked as broken
      }
    }
  }

  /** Hashes the waiting batch, if there is one. May be called by any thread. */
  public void catchUp() {
    if (state.get() != State.NONE) {
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

  /** The head of the tree over the lines so far; null if no tree is computed. */
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

  /** Begins the next batch; the previous one is hashed first, if no thread has done so yet. */
  private void turnOver() {
    hashing.lock();
    try {
      hashWaiting();
      Batch next = waiting;
      waiting = filling;
      state.set(State.WAITING);
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
      state.set(State.NONE);
      return;
    }
    hashingBroken = true;
    digest.write(batch.bytes, 0, batch.length);
    if (tree != null) {
      int from = 0;
      for (int i = 0; i < batch.lines; i++) {
        int end = batch.ends[i];
        boolean hasLineFeed = end > from && batch.bytes[end - 1] == '\n';
        ContentHash known = i < batch.leaves.length ? batch.leaves[i] : null;
        if (known != null) {
          tree.addLeafHash(known);
        } else {
          tree.add(batch.bytes, from, end - from - (hasLineFeed ? 1 : 0));
        }
        from = end;
      }
    }
    batch.clear();
    state.set(State.NONE);
    hashingBroken = false;
  }
}
