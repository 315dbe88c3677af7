package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A command that was run to check the work.
 *
 * @param command the command line
 * @param exitCode how it ended
 * @param cwd the directory it ran in
 * @param durationMillis how long it took, in milliseconds, not negative
 */
public record CommandRun(
    String command,
    @Nullable Integer exitCode,
    @Nullable String cwd,
    @Nullable Long durationMillis) {

  /** Checks for null. */
  public CommandRun {
    Objects.requireNonNull(command, "command");
  }

  /** A command and how it ended. */
  public static CommandRun of(String command, int exitCode) {
    return new CommandRun(command, exitCode, null, null);
  }
}
