package dev.agentreplay.io.recording;

/**
 * What an event that was written survives, when {@link ReplayWriter#emit} has returned. Whatever is
 * chosen, {@link ReplayWriter#sync} returns when all that was written before it survives power
 * loss, and the header, the end of a session and its receipt are forced to the disk with their
 * names.
 *
 * <p>Forced means that the operating system says that it is on the disk. A disk that says so too
 * early, or a file system that does, is beyond what a program can know.
 */
public enum Durability {

  /**
   * The event survives nothing yet: the last 64 KiB may be lost with the process. For tests, and
   * for batches that can be made again.
   */
  BUFFERED,

  /**
   * The event survives the death of the process, kill -9 included, but not power loss. The default.
   */
  WRITTEN,

  /**
   * The event survives the death of the process, and power loss some time later: a background
   * thread forces what was written within {@link WriterOptions#forceInterval}.
   */
  INTERVAL,

  /**
   * The event survives power loss. Threads that emit at the same time share one force of the disk.
   */
  FSYNC
}
