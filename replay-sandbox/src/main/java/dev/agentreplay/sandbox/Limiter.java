package dev.agentreplay.sandbox;

import java.util.Locale;

/** The way in which a limit is enforced. */
public enum Limiter {
  /** By a control group of the kernel: exactly. */
  CGROUP,
  /** By a resource limit of the kernel, see setrlimit(2). */
  RLIMIT,
  /** By a thread that measures now and then: a program can exceed the limit for a moment. */
  MONITOR,
  /** Not at all. */
  NONE;

  /** The text of the constant in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
