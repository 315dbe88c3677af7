package dev.agentreplay.sandbox;

import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.sandbox.internal.Architecture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sandbox of Linux: namespaces, a root directory with the system and the workspace alone, and a
 * seccomp filter, set up by the program {@code bwrap} of the project Bubblewrap. It needs no
 * privileges where the kernel permits user namespaces.
 */
public final class Bubblewrap {

  // The soft limit, then the hard one, which only root could raise again.
  private static final Pattern MAX_PROCESSES = Pattern.compile("(?m)^Max processes +\\S+ +(\\d+) ");
  private static final Path TRIAL = Path.of("/tmp/workspace");

  private Bubblewrap() {}

  /**
   * Finds {@code bwrap} in the {@code PATH}, and starts a program in a sandbox to see that it
   * works. Also removes what sandboxes of crashed processes have left on this machine.
   *
   * @throws SandboxException if it is not installed, or cannot set up a sandbox
   */
  public static Sandbox find() throws SandboxException {
    Trial.requireLinux("Bubblewrap");
    Architecture architecture = Architecture.of(System.getProperty("os.arch"));
    if (architecture == null) {
      throw Trial.setup(
          "expected an x86_64 or aarch64 processor, found " + System.getProperty("os.arch"), null);
    }
    Path program = HostPrograms.find("bwrap");
    if (program == null) {
      throw Trial.setup("bwrap is not installed; install the package bubblewrap", null);
    }
    try {
      BubblewrapFeatures features = BubblewrapFeatures.of(
          program, Trial.output(program, "--version").strip(), Trial.output(program, "--help"));
      Cgroups cgroups = Cgroups.find();
      Leftovers.remove(cgroups);
      return firstThatWorks(features, cgroups, architecture);
    } catch (SandboxException e) {
      throw e;
    } catch (IOException e) {
      throw Trial.setup("cannot prepare a sandbox: " + FileMessages.of(e), e);
    }
  }

  private static Sandbox firstThatWorks(
      BubblewrapFeatures features, Cgroups cgroups, Architecture architecture) throws IOException {
    SystemFiles system = SystemFiles.of(Path.of("/"));
    HostPrograms programs = HostPrograms.find();
    SandboxException first = null;
    for (Cgroups groups : List.of(cgroups, Cgroups.NONE)) {
      for (boolean disables : new boolean[] {features.disablesNamespaces(), false}) {
        Sandbox sandbox = new BubblewrapSandbox(
            features.withDisablesNamespaces(disables),
            groups,
            system,
            programs,
            architecture,
            maxProcesses());
        SandboxException fault = Trial.run(sandbox, TRIAL);
        if (fault == null) {
          return sandbox;
        }
        first = first == null ? fault : first;
      }
    }
    throw first == null ? Trial.setup("bwrap was not tried", null) : first;
  }

  /**
   * The most processes that RLIMIT_NPROC can permit to a sandbox; 0 if it does not count those of
   * the sandbox alone, as it does since Linux 5.14, but not for root.
   */
  private static int maxProcesses() throws IOException {
    String[] version = System.getProperty("os.version").split("[^0-9]+", -1);
    int number = Integer.parseInt(version[0]) * 1000 + Integer.parseInt(version[1]);
    Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    return number >= 5014 && !uid.equals(0)
        ? maxProcesses(Files.readString(Path.of("/proc/self/limits")))
        : 0;
  }

  /** The hard limit of processes in a text like that of {@code /proc/self/limits}. */
  static int maxProcesses(String limits) {
    Matcher matcher = MAX_PROCESSES.matcher(limits);
    return matcher.find()
        ? (int) Math.min(Integer.MAX_VALUE, Long.parseLong(matcher.group(1)))
        : Integer.MAX_VALUE;
  }
}
