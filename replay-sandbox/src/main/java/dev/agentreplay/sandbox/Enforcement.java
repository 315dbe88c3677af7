package dev.agentreplay.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The limits that are in force for a program in a sandbox, and the files that it was shown.
 *
 * @param memory the way in which memory is limited
 * @param processes the way in which the number of processes is limited
 * @param files the way in which the growth of files is limited
 * @param shown the files and directories that the program sees at their own paths, read-only, apart
 *     from those of the system
 */
public record Enforcement(Limiter memory, Limiter processes, Limiter files, List<Path> shown) {

  /** There are no limits, and nothing is known to be shown. */
  public static final Enforcement NONE =
      new Enforcement(Limiter.NONE, Limiter.NONE, Limiter.NONE, List.of());

  /** Copies the list. */
  public Enforcement {
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(processes, "processes");
    Objects.requireNonNull(files, "files");
    shown = List.copyOf(shown);
  }
}
