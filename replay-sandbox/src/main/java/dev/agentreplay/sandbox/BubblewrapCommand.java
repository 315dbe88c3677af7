package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.internal.ShellVariables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The command that sets the sandbox up: a shell that moves into the control groups and opens the
 * files which {@code bwrap} reads by descriptor, and then becomes {@code bwrap}.
 *
 * @param words the program and its arguments
 * @param launched the program, if a launcher in the sandbox starts it; null if bwrap does
 */
record BubblewrapCommand(List<String> words, @Nullable String launched) {

  // The kernel reports no failed fork, so that the monitor must be able to count too many.
  static final int SPARE_PROCESSES = 16;
  // The unit of ulimit -f.
  private static final int BLOCK = 512;
  // More bytes than any file has, but not so many that the shell counts them wrongly.
  private static final long MAX_BLOCKS = 1L << 52;

  // The parent is compared after setpriv has asked for a signal at its end, which may have come
  // before.
  static final String PREPARE =
      """
      [ "$PPID" = "$1" ] || exit 125
      umask "$2"
      ulimit -c 0
      ulimit -f "$3" || true # a lower limit may be in force
      directory=$4
      groups=$5
      shift 5
      while [ "$groups" -gt 0 ]; do
        echo 0 > "$1" || exit 125
        shift
        groups=$((groups - 1))
      done
      """;
  private static final String START_BWRAP =
      "exec \"$@\" 9< \"$directory/filter\" 8< \"$directory/arguments\" 7> \"$directory/status\"\n";

  // Of the descriptors that bwrap has, it keeps the first three open until the program has exited,
  // so that the reader of its output would not see that the program has closed it.
  private static final String MOVE_OUTPUT = "exec 6>&1 > /dev/null\n";
  private static final String START = "exec \"$@\" >&6 6>&-";
  static final String START_NAME = "replay-start";
  private static final Pattern FAILED_START =
      Pattern.compile("(/usr/bin/)?(env|prlimit|" + START_NAME + "): .*", Pattern.DOTALL);

  /**
   * Builds the command.
   *
   * @param processes the number of processes to set as a resource limit; 0 for none
   */
  static BubblewrapCommand of(
      HostPrograms programs,
      Path bwrap,
      SandboxOptions options,
      String umask,
      RunDirectory directory,
      Cgroup cgroup,
      int processes,
      List<String> command) {
    boolean movesOutput = keepsVariables(options.environment().keySet(), command.get(0));
    String script = PREPARE + START_BWRAP;
    List<String> words = prepare(
        programs.setpriv(),
        movesOutput ? MOVE_OUTPUT + script : script,
        options.limits(),
        umask,
        directory,
        cgroup);
    // The variable is removed by the other arguments; it names the owner of the process.
    words.addAll(List.of(
        bwrap.toString(),
        "--setenv",
        Leftovers.VARIABLE,
        directory.path().getFileName().toString()));
    words.addAll(List.of("--args", "8", "--"));
    List<String> inner = new ArrayList<>();
    if (movesOutput) {
      inner.addAll(List.of("/bin/sh", "-c", START, START_NAME));
    }
    if (processes > 0 && programs.prlimit() != null) {
      inner.addAll(List.of(programs.prlimit(), "--nproc=" + (processes + SPARE_PROCESSES), "--"));
    }
    addVariables(
        inner,
        options,
        command.get(0),
        movesOutput ? ShellVariables.SET_BY_SHELLS : List.of("PWD"));
    words.addAll(inner);
    words.addAll(command);
    return new BubblewrapCommand(List.copyOf(words), inner.isEmpty() ? null : command.get(0));
  }

  /**
   * The start of a command: a shell that ends with this process, whose script has the arguments
   * that {@link #PREPARE} reads.
   *
   * @param setpriv the program that asks for a signal when its parent ends; null if there is none
   */
  static List<String> prepare(
      @Nullable String setpriv,
      String script,
      SandboxLimits limits,
      String umask,
      RunDirectory directory,
      Cgroup cgroup) {
    List<String> words = new ArrayList<>();
    if (setpriv != null) {
      words.addAll(List.of(setpriv, "--pdeathsig", "KILL"));
    }
    words.addAll(List.of("/bin/sh", "-c", script, "sh"));
    words.add(Long.toString(ProcessHandle.current().pid()));
    long blocks = Math.min(MAX_BLOCKS, (limits.temporaryBytes() - 1) / BLOCK + 1);
    words.addAll(List.of(umask, Long.toString(blocks), directory.path().toString()));
    List<String> groups = cgroup.joinFiles();
    words.add(Integer.toString(groups.size()));
    words.addAll(groups);
    return words;
  }

  /** The arguments that name the descriptors which the script opens. */
  static List<String> descriptors() {
    return List.of("--seccomp", "9", "--json-status-fd", "7");
  }

  /**
   * The reason why the program has no exit code of its own; null if it has.
   *
   * @param error the beginning of standard error
   */
  @Nullable
  SandboxException fault(BubblewrapStatus status, int exitCode, Supplier<String> error) {
    if (!status.hasRun()) {
      String message = error.get().strip();
      boolean isProgram = message.contains("bwrap: execvp ");
      return new SandboxException(
          isProgram ? Reason.NOT_STARTED : Reason.SETUP,
          message.isEmpty() ? "bwrap ended with exit code " + exitCode : lastLine(message));
    }
    return launched == null ? null : innerFault(launched, exitCode, error);
  }

  /**
   * The reason why a program in the sandbox could not start that of the caller; null if it did.
   *
   * @param launched the program of the caller
   */
  static @Nullable SandboxException innerFault(
      String launched, int exitCode, Supplier<String> error) {
    if (exitCode == 126 || exitCode == 127) {
      String message = error.get().strip();
      // a program may print such a message itself, on a program that it has not found
      if (FAILED_START.matcher(message).matches()
          && message.lines().count() <= 2
          && message.contains(launched)) {
        return new SandboxException(Reason.NOT_STARTED, lastLine(message));
      }
    }
    return null;
  }

  /**
   * Whether a program that a shell starts gets its variables: a shell may drop those with other
   * names than its own, and env, which restores what it sets itself, starts no program with "=".
   */
  private static boolean keepsVariables(Set<String> names, String program) {
    return !program.contains("=") && names.stream().allMatch(ShellVariables::isName);
  }

  /**
   * Adds the call of a program that sets variables which a shell, or bwrap, has set itself, or
   * removes them.
   *
   * @param names the names of the variables
   */
  static void addVariables(
      List<String> inner, SandboxOptions options, String program, Collection<String> names) {
    Map<String, String> variables = options.environment();
    boolean isAsSet = options.directory().toString().equals(variables.get("PWD"));
    if (program.contains("=") || (isAsSet && names.size() == 1)) {
      return;
    }
    inner.add("/usr/bin/env");
    List<String> values = new ArrayList<>();
    for (String name : names) {
      if (variables.containsKey(name)) {
        values.add(name + "=" + variables.get(name));
      } else {
        inner.addAll(List.of("-u", name));
      }
    }
    inner.add("--");
    inner.addAll(values);
  }

  static String lastLine(String message) {
    return message.lines().reduce("", (first, second) -> second);
  }
}
