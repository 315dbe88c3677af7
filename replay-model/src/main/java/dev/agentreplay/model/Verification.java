package dev.agentreplay.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The work was checked.
 *
 * @param commands the commands that were run
 * @param tests how many tests passed, where counted
 * @param delta how many more checks pass than before
 * @param ciStatus what continuous integration said
 * @param meta what every event has
 */
public record Verification(
    List<CommandRun> commands,
    @Nullable TestCounts tests,
    @Nullable Long delta,
    @Nullable String ciStatus,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null and copies. */
  public Verification {
    commands = List.copyOf(commands);
    Objects.requireNonNull(meta, "meta");
  }

  /** These commands were run. */
  public static Verification of(CommandRun... commands) {
    return new Verification(List.of(commands), null, null, null, Meta.NONE);
  }

  /** With other commands. */
  public Verification withCommands(List<CommandRun> newCommands) {
    return new Verification(newCommands, tests, delta, ciStatus, meta);
  }

  /** With the change in passing checks. */
  public Verification withDelta(@Nullable Long newDelta) {
    return new Verification(commands, tests, newDelta, ciStatus, meta);
  }

  /** With how many tests passed. */
  public Verification withTests(@Nullable TestCounts newTests) {
    return new Verification(commands, newTests, delta, ciStatus, meta);
  }

  /** With what continuous integration said. */
  public Verification withCiStatus(@Nullable String newCiStatus) {
    return new Verification(commands, tests, delta, newCiStatus, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.VERIFICATION;
  }

  @Override
  public Boolean succeeded() {
    return commands.stream().allMatch(run -> run.exitCode() == null || run.exitCode() == 0);
  }

  @Override
  public @Nullable Long latencyMillis() {
    return commands.size() == 1 ? commands.get(0).durationMillis() : null;
  }

  @Override
  public Verification withMeta(Meta newMeta) {
    return new Verification(commands, tests, delta, ciStatus, newMeta);
  }

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

  /**
   * How many tests passed.
   *
   * @param before before the work
   * @param after after the work
   */
  public record TestCounts(long before, long after) {}
}
