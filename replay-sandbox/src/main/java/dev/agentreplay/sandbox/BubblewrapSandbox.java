package dev.agentreplay.sandbox;

import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.internal.Architecture;
import dev.agentreplay.sandbox.internal.ProcessTable;
import dev.agentreplay.sandbox.internal.ThisUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts programs with {@code bwrap}. */
final class BubblewrapSandbox implements Sandbox {

  private static final String NAME_SERVICES =
      """
      passwd: files
      group: files
      hosts: files
      services: files
      protocols: files
      networks: files
      """;

  private final BubblewrapFeatures features;
  private final Cgroups cgroups;
  private final SystemFiles system;
  private final HostPrograms programs;
  private final Architecture architecture;
  private final int maxProcesses;

  BubblewrapSandbox(
      BubblewrapFeatures features,
      Cgroups cgroups,
      SystemFiles system,
      HostPrograms programs,
      Architecture architecture,
      int maxProcesses) {
    this.features = features;
    this.cgroups = cgroups;
    this.system = system;
    this.programs = programs;
    this.architecture = architecture;
    this.maxProcesses = maxProcesses;
  }

  @Override
  public Mechanism mechanism() {
    return Mechanism.BUBBLEWRAP;
  }

  @Override
  public SandboxedProcess start(List<String> command, SandboxOptions options)
      throws SandboxException {
    check(command, options, system);
    ProgramIdentity identity = ProgramIdentity.of(options.identity());
    List<Path> shown = files(command, options, identity, system);
    RunDirectory directory = null;
    Cgroup cgroup = null;
    try {
      directory = RunDirectory.create();
      BubblewrapArguments arguments =
          BubblewrapArguments.of(features, options, identity, system, shown, directory.path());
      write(directory, identity, arguments.list());
      cgroup = cgroups.create(options.limits());
      directory.write("filter", SeccompFilter.of(architecture, cgroup.memory() != null));
      boolean hasLimit = cgroup.pids() == null && maxProcesses > 0;
      SandboxLimits limits = hasLimit ? withMaxProcesses(options.limits()) : options.limits();
      BubblewrapCommand all = BubblewrapCommand.of(
          programs,
          features.program(),
          options,
          identity.umask(),
          directory,
          cgroup,
          hasLimit ? limits.processes() : 0,
          command);
      List<Path> readOnly = new ArrayList<>(options.readOnly());
      readOnly.addAll(shown);
      Enforcement enforcement = new Enforcement(
          cgroup.memory() != null ? Limiter.CGROUP : Limiter.MONITOR,
          cgroup.pids() != null
              ? Limiter.CGROUP
              : hasLimit && programs.prlimit() != null ? Limiter.RLIMIT : Limiter.MONITOR,
          Limiter.MONITOR,
          readOnly);
      LimitMonitor monitor = new LimitMonitor(
          limits,
          cgroup,
          ProcessTable::tree,
          DiskUse.of(List.of(options.workspace()), options.limits().temporaryBytes()),
          arguments.inMemory(),
          directory.path().resolve("passwd"),
          programs.stat());
      Process process = Launcher.start(builder(all.words()));
      return new BubblewrapProcess(process, directory, cgroup, monitor, enforcement, all).watched();
    } catch (IOException e) {
      throw failed(directory, cgroup, e);
    }
  }

  @Override
  public void requireProgram(List<String> command, SandboxOptions options) throws SandboxException {
    files(command, options, ProgramIdentity.of(options.identity()), system);
  }

  @Override
  public void requireWorkspace(SandboxOptions options) throws SandboxException {
    BubblewrapArguments.check(options, system);
  }

  /** The files that the program of a command needs. */
  static List<Path> files(
      List<String> command, SandboxOptions options, ProgramIdentity identity, SystemFiles system)
      throws SandboxException {
    List<Path> homes = new ArrayList<>(BubblewrapArguments.homes(options, identity));
    Path own = ThisUser.home();
    if (own != null) {
      homes.add(own);
    }
    return ProgramFiles.of(command.get(0), options, system, homes, System.getenv("PATH"));
  }

  static void check(List<String> command, SandboxOptions options, SystemFiles system)
      throws SandboxException {
    if (command.isEmpty() || command.get(0).isEmpty()) {
      throw new IllegalArgumentException("expected a program, found an empty command");
    }
    BubblewrapArguments.check(options, system);
    if (!Files.isDirectory(options.workspace())) {
      throw new SandboxException(
          Reason.SETUP, "the workspace " + options.workspace() + " is not a directory");
    }
    for (Map.Entry<String, String> variable : options.environment().entrySet()) {
      String name = variable.getKey();
      if (name.isEmpty()
          || name.contains("=")
          || name.indexOf(0) >= 0
          || variable.getValue().indexOf(0) >= 0) {
        throw new SandboxException(
            Reason.SETUP, "the environment variable '%s' is not valid".formatted(name));
      }
    }
  }

  /** A limit that this process may not set would keep the program from being started. */
  private SandboxLimits withMaxProcesses(SandboxLimits limits) {
    int most = Math.max(1, maxProcesses - BubblewrapCommand.SPARE_PROCESSES);
    return limits.processes() > most ? limits.withProcesses(most) : limits;
  }

  private void write(RunDirectory directory, ProgramIdentity identity, List<String> arguments)
      throws IOException {
    directory.write("passwd", identity.passwd());
    directory.write("group", identity.group());
    directory.write("hosts", identity.hosts());
    directory.write("nsswitch.conf", NAME_SERVICES);
    List<String> all = new ArrayList<>(BubblewrapCommand.descriptors());
    all.addAll(arguments);
    // Not on the command line, which other users can read.
    directory.write("arguments", String.join("\0", all) + "\0");
  }

  static ProcessBuilder builder(List<String> words) {
    ProcessBuilder builder = new ProcessBuilder(words).directory(Path.of("/").toFile());
    // Nothing of the program's environment, which could change what bwrap itself does.
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/bin:/bin");
    return builder;
  }

  /** Removes what was created for a program that cannot be started. */
  static SandboxException failed(
      @Nullable RunDirectory directory, @Nullable Cgroup cgroup, IOException cause) {
    if (cgroup != null) {
      cgroup.close();
    }
    if (directory != null) {
      try {
        directory.remove();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
    if (cause instanceof SandboxException known) {
      return known;
    }
    SandboxException failed = new SandboxException(Reason.SETUP, FileMessages.of(cause));
    failed.initCause(cause);
    return failed;
  }
}
