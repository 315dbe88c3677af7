package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.SandboxException.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The command that sets the sandbox up: a shell that moves into the control groups and opens the
 * files which {@code bwrap} reads by descriptor, and then becomes {@code bwrap}.
 *
 * @param words the program and its arguments
 * @param hasInnerLauncher whether a program in the sandbox starts that of the caller
 */
record BubblewrapCommand(List<String> words, boolean hasInnerLauncher) {

  // The kernel reports no failed fork, so that the monitor must be able to count too many.
  private static final int SPARE_PROCESSES = 16;
  // The unit of ulimit -f.
  private static final int BLOCK = 512;

  // The parent is compared after setpriv has asked for a signal at its end, which may have come
  // before.
  private static final String SCRIPT =
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
      exec "$@" 9< "$directory/filter" 8< "$directory/arguments" 7> "$directory/status"
      """;

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
    List<String> words = new ArrayList<>();
    if (programs.setpriv() != null) {
      words.addAll(List.of(programs.setpriv(), "--pdeathsig", "KILL"));
    }
    words.addAll(List.of("/bin/sh", "-c", SCRIPT, "sh"));
    words.add(Long.toString(ProcessHandle.current().pid()));
    long blocks = (options.limits().temporaryBytes() + BLOCK - 1) / BLOCK;
    words.addAll(List.of(umask, Long.toString(blocks), directory.path().toString()));
    List<String> groups = cgroup.joinFiles();
    words.add(Integer.toString(groups.size()));
    words.addAll(groups);
    // The variable is removed by the other arguments; it names the owner of the process.
    words.addAll(List.of(
        bwrap.toString(),
        "--setenv",
        Leftovers.VARIABLE,
        directory.path().getFileName().toString()));
    words.addAll(List.of("--args", "8", "--"));
    List<String> inner = new ArrayList<>();
    if (processes > 0 && programs.prlimit() != null) {
      inner.addAll(List.of(programs.prlimit(), "--nproc=" + (processes + SPARE_PROCESSES), "--"));
    }
    addWorkingDirectory(inner, options, command.get(0));
    words.addAll(inner);
    words.addAll(command);
    return new BubblewrapCommand(List.copyOf(words), !inner.isEmpty());
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
    if (hasInnerLauncher && (exitCode == 126 || exitCode == 127)) {
      String message = error.get().strip();
      if (message.matches("(?s)(/usr/bin/)?(env|prlimit): .*")
          && message.lines().count() <= 2) {
        return new SandboxException(Reason.NOT_STARTED, lastLine(message));
      }
    }
    return null;
  }

  /** bwrap always sets PWD, which is taken back if it is not in the environment. */
  private static void addWorkingDirectory(
      List<String> inner, SandboxOptions options, String program) {
    String directory = options.environment().get("PWD");
    if (options.directory().toString().equals(directory) || program.contains("=")) {
      return;
    }
    inner.add("/usr/bin/env");
    inner.addAll(
        directory == null ? List.of("-u", "PWD", "--") : List.of("--", "PWD=" + directory));
  }

  private static String lastLine(String message) {
    return message.lines().reduce("", (first, second) -> second);
  }
}
