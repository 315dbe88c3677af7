package dev.agentreplay.io.recording;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.ReceiptAccumulator;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The receipt of a session as it grows with the log, in whose order it lists results. Safe for use
 * by several threads.
 */
final class SessionAccount implements LogAccount {

  private final ReentrantLock lock = new ReentrantLock();
  private Consumer<ReplayLine> lines;
  private ReceiptAccumulator receipt = new ReceiptAccumulator();

  /**
   * The account of no lines.
   *
   * @param lines is handed each line that was read, until the account is started again
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
      lines = line -> {}; // it knows them
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

  /** The receipt of the log, whose hash and tree are these. */
  SessionReceipt toReceipt(WrittenLog.Digest log) {
    lock.lock();
    try {
      return receipt.toSessionReceipt(log.hash()).withTree(log.tree());
    } finally {
      lock.unlock();
    }
  }
}
