package dev.agentreplay.io.recording;

/**
 * The failures that a written event survives once {@link ReplayWriter#emit} has returned. With
 * every value, {@link ReplayWriter#sync} forces everything written before to disk, and the header,
 * the end of a session and its receipt are forced to disk with their directory entries.
 *
 * <p>Forcing is an fsync: the operating system reports that the bytes are on persistent storage. A
 * device or a file system that reports this too early cannot be detected by a program.
 */
public enum Durability {

  /**
   * No fsync, and buffered in memory: the event survives nothing yet; up to 64 KiB may be lost when
   * the process crashes. A call that is recorded with {@link SessionRecorder#effect} is written to
   * the operating system, with everything before it. For tests, and for batches that can be
   * repeated.
   */
  BUFFERED,

  /**
   * Written to the operating system: the event survives a crash of the process, including
   * {@code kill -9}, but not power loss. The default.
   */
  WRITTEN,

  /**
   * Written to the operating system; a background thread starts to force it to disk after
   * {@link WriterOptions#forceInterval}, or after an fsync in progress and that interval: the event
   * survives a crash of the process, and power loss some time later.
   */
  INTERVAL,

  /**
   * Forced to disk before {@code emit} returns: the event survives power loss. Threads that emit at
   * the same time share one fsync (group commit).
   */
  FSYNC
}
