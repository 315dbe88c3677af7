package dev.agentreplay.io.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Thrown when a log is locked by another writer, in this process or in a different one: a log has
 * one writer at a time.
 */
public final class LogLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The current writer, for people. */
  private final String holder;

  /**
   * The exception for a log that is locked.
   *
   * @param log the log
   * @param holder the current writer, for people, as in "process 4711 since 2026-01-13T10:00:00Z"
   */
  LogLockedException(Path log, String holder) {
    super(log + " is being written by " + Objects.requireNonNull(holder, "holder"));
    this.holder = holder;
  }

  /** The current writer, for people. */
  public String holder() {
    return holder;
  }
}
