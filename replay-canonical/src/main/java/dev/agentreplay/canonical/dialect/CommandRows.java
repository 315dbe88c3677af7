package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.LONGS;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;
import static dev.agentreplay.canonical.dialect.FieldType.STRINGS;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.finding.FindingCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows for the commands of a verification in the layout of specification 000: an array of
 * commands and an array of exit codes, plus the directory and the duration of a single command.
 */
record CommandRows(
    Row<Verification, List<String>> commands,
    Row<Verification, List<Long>> exitCodes,
    Row<Verification, String> cwd,
    Row<Verification, Long> duration) {

  static CommandRows add(Layout<Verification> t, Presence presence) {
    t.leavesOver();
    return new CommandRows(
        t.add("commands", presence, STRINGS, CommandRows::lines),
        t.add(Names.EXIT_CODES, presence, LONGS, CommandRows::exitCodes)
            .role(EventMember.Role.OUTCOME),
        t.optional("cwd", STRING, v -> ofOnlyCommand(v, CommandRun::cwd)),
        t.optional(Names.DURATION_MS, LONG, v -> ofOnlyCommand(v, CommandRun::durationMillis))
            .role(EventMember.Role.NONE));
  }

  /**
   * Reads the commands. Members that are inconsistent with each other are kept as extra members.
   */
  List<CommandRun> read(Members m) {
    List<String> lines = m.getOr(commands, List.of());
    List<Long> codes = m.getOr(exitCodes, List.of());
    List<CommandRun> runs = new ArrayList<>();
    boolean fits = codes.stream().allMatch(code -> code == code.intValue());
    if (lines.size() == codes.size() && fits) {
      for (int i = 0; i < lines.size(); i++) {
        boolean only = lines.size() == 1;
        runs.add(new CommandRun(
            lines.get(i),
            codes.get(i).intValue(),
            only ? m.get(cwd) : null,
            only ? m.get(duration) : null));
      }
    } else if (m.get(commands) != null && m.get(exitCodes) != null) {
      m.report(
          FindingCode.FIELD_INVALID,
          fits ? commands.name : exitCodes.name,
          fits
              ? "commands and exit_codes must have the same length, found %d and %d"
                  .formatted(lines.size(), codes.size())
              : "exit_codes must be 32-bit integers");
    }
    if (runs.size() != lines.size() || runs.size() != codes.size()) {
      m.keep(commands);
      m.keep(exitCodes);
    }
    if (runs.size() != 1) {
      m.keep(cwd);
      m.keep(duration);
    }
    return runs;
  }

  private static @Nullable List<String> lines(Verification verification) {
    return FieldType.unlessEmpty(
        verification.commands().stream().map(CommandRun::command).toList());
  }

  private static @Nullable List<Long> exitCodes(Verification verification) {
    List<Long> codes = new ArrayList<>();
    for (CommandRun run : verification.commands()) {
      Integer exitCode = run.exitCode();
      if (exitCode == null) {
        throw new IllegalArgumentException("exit code of \"" + run.command() + "\" is missing");
      }
      codes.add(exitCode.longValue());
    }
    return FieldType.unlessEmpty(codes);
  }

  /**
   * A property that can only be written for a single command; null if there is none.
   *
   * @throws IllegalArgumentException if one of several commands has it
   */
  private static <T> @Nullable T ofOnlyCommand(
      Verification verification, Function<CommandRun, @Nullable T> get) {
    List<CommandRun> runs = verification.commands();
    if (runs.size() == 1) {
      return get.apply(runs.get(0));
    }
    if (runs.stream().map(get).anyMatch(Objects::nonNull)) {
      throw new IllegalArgumentException(
          "directory and duration of several commands can only be written in the dialect type,"
              + " one command per event");
    }
    return null;
  }
}
