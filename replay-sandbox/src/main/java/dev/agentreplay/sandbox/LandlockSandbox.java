package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.internal.Architecture;
import dev.agentreplay.sandbox.internal.ProcessTable;
import dev.agentreplay.sandbox.internal.ShellVariables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Starts programs with Landlock. A shell moves into the control groups and becomes {@code setpriv},
 * which restricts itself and becomes a second shell, with the environment of the program, and that
 * becomes the program: nothing of the environment has an effect outside.
 *
 * <p>Without control groups, a program is found by its session, which the seccomp filter makes it
 * keep.
 */
final class LandlockSandbox implements Sandbox {

  // Its process is the one that leads the session.
  private static final String RESTRICT =
      """
      read -r line < "/proc/$$/stat" && echo "$line" > "$directory/session" || exit 125
      exec "$@" 9> "$directory/status" 8< "$directory/environment"
      """;

  // The file itself cannot be opened any more.
  private static final String START =
      """
      environment=$(/bin/cat <&8)
      exec 8<&-
      unset LC_ALL PATH
      eval "$environment"
      echo started >&9
      exec "$@" 9>&-
      """;

  private final Setpriv setpriv;
  private final Path setsid;
  private final Cgroups cgroups;
  private final SystemFiles system;
  private final @Nullable Architecture architecture;

  /**
   * Creates a sandbox.
   *
   * @param architecture null if there is no filter for it
   */
  LandlockSandbox(
      Setpriv setpriv,
      Path setsid,
      Cgroups cgroups,
      SystemFiles system,
      @Nullable Architecture architecture) {
    this.setpriv = setpriv;
    this.setsid = setsid;
    this.cgroups = cgroups;
    this.system = system;
    this.architecture = architecture;
  }

  @Override
  public Mechanism mechanism() {
    return Mechanism.LANDLOCK;
  }

  @Override
  public boolean mapsWorkspace() {
    return false;
  }

  @Override
  public void requireProgram(List<String> command, SandboxOptions options) throws SandboxException {
    BubblewrapSandbox.files(command, options, ProgramIdentity.of(options.identity()), system);
  }

  @Override
  public SandboxedProcess start(List<String> command, SandboxOptions options)
      throws SandboxException {
    BubblewrapSandbox.check(command, options, system);
    if (!options.workspacePath().equals(options.workspace())) {
      throw new SandboxException(
          Reason.SETUP,
          "Landlock cannot show the workspace at %s: it is at %s on this machine"
              .formatted(options.workspacePath(), options.workspace()));
    }
    ProgramIdentity identity = ProgramIdentity.of(options.identity());
    List<Path> shown = BubblewrapSandbox.files(command, options, identity, system);
    RunDirectory directory = null;
    Cgroup cgroup = null;
    try {
      directory = RunDirectory.create();
      cgroup = cgroups.create(options.limits());
      Path temporary = Files.createDirectory(directory.path().resolve("tmp"));
      SandboxOptions all = withTemporary(options, temporary);
      // not by the shell, whose umask is the recorded one
      directory.write("session", "");
      directory.write("environment", exports(all.environment()));
      List<String> words = new ArrayList<>(List.of(setsid.toString()));
      words.addAll(BubblewrapCommand.prepare(
          setpriv.program().toString(),
          BubblewrapCommand.PREPARE + RESTRICT,
          options.limits(),
          identity.umask(),
          directory,
          cgroup));
      words.addAll(setpriv.arguments(
          options, isRoot(), filter(directory, cgroup), system, shown, temporary));
      words.addAll(List.of("/bin/sh", "-c", START, BubblewrapCommand.START_NAME));
      Set<String> names = new TreeSet<>(ShellVariables.SET_BY_SHELLS);
      all.environment().keySet().stream()
          .filter(name -> !ShellVariables.canSet(name))
          .forEach(names::add);
      BubblewrapCommand.addVariables(words, all, command.get(0), names);
      words.addAll(command);
      List<Path> readOnly = new ArrayList<>(options.readOnly());
      readOnly.addAll(shown);
      Enforcement enforcement = new Enforcement(
          cgroup.memory() != null ? Limiter.CGROUP : Limiter.MONITOR,
          cgroup.pids() != null ? Limiter.CGROUP : Limiter.MONITOR,
          Limiter.MONITOR,
          readOnly);
      long limit = options.limits().temporaryBytes();
      LimitMonitor monitor = new LimitMonitor(
          options.limits(),
          cgroup,
          ProcessTable::ofSession,
          DiskUse.of(List.of(options.workspace(), temporary), limit),
          List.of(),
          directory.status(),
          null);
      Process process = Launcher.start(
          BubblewrapSandbox.builder(words).directory(options.directory().toFile()));
      return new LandlockProcess(process, command.get(0), directory, cgroup, monitor, enforcement)
          .watched();
    } catch (IOException e) {
      throw BubblewrapSandbox.failed(directory, cgroup, e);
    }
  }

  /** Replaces a directory for temporary files that the program could not write to. */
  private static SandboxOptions withTemporary(SandboxOptions options, Path temporary) {
    Map<String, String> variables = new TreeMap<>(options.environment());
    String given = variables.get("TMPDIR");
    if (given == null || !Path.of(given).startsWith(options.workspace())) {
      variables.put("TMPDIR", temporary.toString());
    }
    return options.withEnvironment(variables);
  }

  /** Commands of a shell that set variables, apart from those that it cannot set. */
  private static String exports(Map<String, String> variables) {
    StringBuilder script = new StringBuilder();
    variables.forEach((name, value) -> {
      if (ShellVariables.canSet(name)) {
        String quoted = value.replace("'", "'\\''");
        script.append("export ").append(name).append("='").append(quoted).append("'\n");
      }
    });
    return script.toString();
  }

  /** Writes the filter; null if there is none. */
  private @Nullable Path filter(RunDirectory directory, Cgroup cgroup) throws IOException {
    if (architecture == null || !setpriv.filtersCalls()) {
      return null;
    }
    directory.write(
        "filter",
        SeccompFilter.withoutNamespaces(
            architecture, cgroup.joinFiles().isEmpty(), cgroup.memory() != null));
    return directory.path().resolve("filter");
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }
}
