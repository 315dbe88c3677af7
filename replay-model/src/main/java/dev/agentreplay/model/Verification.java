package dev.agentreplay.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A check of the agent's work.
 *
 * @param commands the commands that were run
 * @param tests the numbers of tests that passed before and after the work; null when not counted
 * @param delta the number of checks that pass now minus the number that passed before
 * @param ciStatus the status that continuous integration reported
 * @param meta the data common to all events
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

  /** Creates the event for commands that were run. */
  public static Verification of(CommandRun... commands) {
    return new Verification(List.of(commands), null, null, null, Meta.NONE);
  }

  /** Returns a copy with the given commands. */
  public Verification withCommands(List<CommandRun> newCommands) {
    return new Verification(newCommands, tests, delta, ciStatus, meta);
  }

  /** Returns a copy with the given change in the number of passing checks. */
  public Verification withDelta(@Nullable Long newDelta) {
    return new Verification(commands, tests, newDelta, ciStatus, meta);
  }

  /** Returns a copy with the given numbers of passing tests. */
  public Verification withTests(@Nullable TestCounts newTests) {
    return new Verification(commands, newTests, delta, ciStatus, meta);
  }

  /** Returns a copy with the given status of continuous integration. */
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
   * @param exitCode the exit code
   * @param cwd the directory that the command ran in
   * @param durationMillis the duration in milliseconds, not negative
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

    /** Creates a command with its exit code. */
    public static CommandRun of(String command, int exitCode) {
      return new CommandRun(command, exitCode, null, null);
    }
  }

  /**
   * The numbers of tests that passed.
   *
   * @param before the number before the work
   * @param after the number after the work
   */
  public record TestCounts(long before, long after) {}
}
