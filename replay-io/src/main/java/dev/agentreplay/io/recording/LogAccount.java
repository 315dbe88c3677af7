package dev.agentreplay.io.recording;

import dev.agentreplay.io.log.ReplayLine;

/**
 * An account of a log that is kept besides the log itself, and receives each line in order, under
 * the lock of the writer. If an Error interrupts this, it is restarted, and receives the log from
 * its first line.
 */
interface LogAccount {

  /** An account that keeps nothing. */
  LogAccount NONE = new LogAccount() {
    @Override
    public void restart() {}

    @Override
    public void add(ReplayLine line) {}

    @Override
    public void add(WrittenEvent written) {}
  };

  /** Discards everything: each line of the log follows. */
  void restart();

  /** Adds a line that was read. */
  void add(ReplayLine line);

  /** Adds an event that was written. */
  void add(WrittenEvent written);
}
