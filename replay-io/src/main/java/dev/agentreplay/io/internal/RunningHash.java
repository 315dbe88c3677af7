package dev.agentreplay.io.internal;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.internal.Sha256;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The hash of the bytes of a log, as they are written. Bytes are added under the lock under which
 * they are written, and so in their order; {@link #catchUp} hashes many of them at once, without
 * that lock.
 */
public final class RunningHash extends OutputStream {

  private static final int BATCH_BYTES = 1 << 17;

  private final MessageDigest digest = Sha256.newDigest();
  private byte[] filling = new byte[BATCH_BYTES];
  private int filled;

  /** Guards the digest, and the batch that it takes next. */
  private final ReentrantLock hashing = new ReentrantLock();

  private byte[] batch = new byte[BATCH_BYTES];
  private volatile int batched;

  /** The hash of no bytes. */
  public RunningHash() {}

  /** Adds bytes; the caller holds the writer's lock. */
  @Override
  public void write(byte[] bytes, int from, int length) {
    if (length > filling.length - filled) {
      turnOver();
    }
    if (length > filling.length) {
      filling = new byte[length]; // a batch of its own, once
    }
    System.arraycopy(bytes, from, filling, filled, length);
    filled += length;
    if (filled > BATCH_BYTES) {
      turnOver();
    }
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Hashes what has come together; the caller does not hold the writer's lock. */
  public void catchUp() {
    if (batched > 0) {
      hashing.lock();
      try {
        hashBatch();
      } finally {
        hashing.unlock();
      }
    }
  }

  /** The hash of the bytes so far; the caller holds the writer's lock. */
  public ContentHash toHash() {
    turnOver();
    hashing.lock();
    try {
      hashBatch();
      return ContentHash.of(Sha256.copyOf(digest).digest());
    } finally {
      hashing.unlock();
    }
  }

  /** Begins another batch; the one before it, if nobody has hashed it yet, is hashed first. */
  private void turnOver() {
    hashing.lock();
    try {
      hashBatch();
      byte[] next = batch.length == BATCH_BYTES ? batch : new byte[BATCH_BYTES];
      batch = filling;
      batched = filled;
      filling = next;
      filled = 0;
    } finally {
      hashing.unlock();
    }
  }

  private void hashBatch() {
    digest.update(batch, 0, batched);
    batched = 0;
  }
}
