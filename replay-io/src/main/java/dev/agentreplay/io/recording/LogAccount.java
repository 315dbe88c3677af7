package dev.agentreplay.io.recording;

import dev.agentreplay.io.log.ReplayLine;

/**
 * What somebody keeps of a log besides the log itself, told of each line in order, under the lock
 * of the writer. When an Error interrupts that, the log is told from its first line again.
 */
interface LogAccount {

  /** Keeps nothing. */
  LogAccount NONE = new LogAccount() {
    @Override
    public void restart() {}

    @Override
    public void add(ReplayLine line) {}

    @Override
    public void add(WrittenEvent written) {}
  };

  /** Forgets everything: each line of the log follows. */
  void restart();

  /** A line was read. */
  void add(ReplayLine line);

  /** An event was written. */
  void add(WrittenEvent written);
}
