package dev.agentreplay.io.file;

/** A call of a {@link Disk} or of one of its files that can fail. */
public enum DiskCall {
  CREATE,
  APPEND,
  READ,
  STATE,
  LOCK,
  UNLOCK,
  MOVE,
  MOVE_IF_ABSENT,
  DELETE,
  CREATE_DIRECTORY,
  FORCE_DIRECTORY,
  WRITE,
  LENGTH,
  TRUNCATE,
  FORCE,
  CLOSE
}
