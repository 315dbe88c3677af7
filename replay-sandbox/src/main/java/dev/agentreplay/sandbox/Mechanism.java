package dev.agentreplay.sandbox;

import java.util.Locale;

/** A mechanism of the operating system, or a program, that isolates programs. */
public enum Mechanism {
  /** Namespaces and a seccomp filter of Linux, set up by {@code bwrap}. */
  BUBBLEWRAP,
  /** Landlock of Linux, set up by {@code setpriv}: files only. */
  LANDLOCK,
  /** A container of Podman. */
  PODMAN,
  /** A container of Docker. */
  DOCKER,
  /** The sandbox of macOS, set up by {@code sandbox-exec}. */
  SEATBELT,
  /** None: programs have the permissions of this process. */
  NONE;

  /** The text of the constant in JSON and on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
