package dev.agentreplay.io.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** A log has a writer already; a second one is refused. */
public final class LogLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Who writes the log, for people. */
  private final String holder;

  /**
   * A refusal.
   *
   * @param log the log
   * @param holder who writes it, for people, as in "process 4711 since 2026-01-13T10:00:00Z"
   */
  LogLockedException(Path log, String holder) {
    super(log + " is being written by " + Objects.requireNonNull(holder, "holder"));
    this.holder = holder;
  }

  /** Who writes the log, for people. */
  public String holder() {
    return holder;
  }
}
