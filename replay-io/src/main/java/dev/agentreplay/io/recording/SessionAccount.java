package dev.agentreplay.io.recording;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.ReceiptAccumulator;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Computes the receipt of a session from its log, in whose order it lists results. Safe for use by
 * several threads.
 */
final class SessionAccount implements LogAccount {

  private final ReentrantLock lock = new ReentrantLock();
  private Consumer<ReplayLine> lines;
  private ReceiptAccumulator receipt = new ReceiptAccumulator();

  /**
   * Creates an account without lines.
   *
   * @param lines receives each line that was read, until the account is restarted
   */
  SessionAccount(Consumer<ReplayLine> lines) {
    this.lines = lines;
  }

  @Override
  public void restart() {
    ReceiptAccumulator empty = new ReceiptAccumulator();
    lock.lock();
    try {
      receipt = empty;
      lines = line -> {}; // it has received them before
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void add(ReplayLine line) {
    lock.lock();
    try {
      receipt.add(line.event());
      lines.accept(line);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void add(WrittenEvent written) {
    lock.lock();
    try {
      receipt.add(written.event(), written.time(), written.contentHash());
    } finally {
      lock.unlock();
    }
  }

  /** The receipt of the log with the given hash and tree. */
  SessionReceipt toReceipt(WrittenLog.Digest log) {
    lock.lock();
    try {
      return receipt.toSessionReceipt(log.hash()).withTree(log.tree());
    } finally {
      lock.unlock();
    }
  }
}
