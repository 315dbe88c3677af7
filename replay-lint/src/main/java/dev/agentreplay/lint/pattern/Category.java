package dev.agentreplay.lint.pattern;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of nondeterminism. */
public enum Category {
  /** The time of the system, as by {@code System.currentTimeMillis()}. */
  CLOCK("times of the system"),

  /** Random numbers without a fixed seed. */
  RANDOM("random numbers without a fixed seed"),

  /** Generated ids and identity hash codes. */
  ID("generated ids and identity hash codes"),

  /** Properties of process and machine: variables, locale, zone, processors. */
  ENVIRONMENT("properties of process and machine"),

  /** The iteration of collections whose order differs from run to run, or is unspecified. */
  ORDER("iteration without a specified order"),

  /** Threads, whose interleaving differs from run to run. */
  THREAD("threads and their interleaving"),

  /** The content of files and directories. */
  FILE("files and directories"),

  /** Sockets and remote services. */
  NETWORK("sockets and remote services"),

  /** Other programs. */
  PROCESS("other programs");

  private final String meaning;

  Category(String meaning) {
    this.meaning = meaning;
  }

  /** The name in files, options and reports, in lower case. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The meaning, as a noun phrase. */
  public String meaning() {
    return meaning;
  }

  /** Returns the category with an id; null if there is none. */
  public static @Nullable Category ofId(String id) {
    for (Category category : values()) {
      if (category.id().equals(id)) {
        return category;
      }
    }
    return null;
  }
}
