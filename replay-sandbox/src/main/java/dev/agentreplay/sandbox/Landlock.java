package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.Architecture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Landlock, for machines on which user namespaces are forbidden: the kernel restricts a program to
 * listed files, set up by the program {@code setpriv} of util-linux 2.40 or later. It needs no
 * privileges. With {@code setpriv} 2.41 or later, a seccomp filter leaves the program no sockets.
 *
 * <p>The program sees files at their own paths only, and the names and sizes of all files. It can
 * send signals to processes of the same user, unless {@code setpriv} and the kernel restrict them.
 */
public final class Landlock {

  private Landlock() {}

  /**
   * Finds {@code setpriv} in the {@code PATH}, and starts a program in a sandbox to see that it
   * works. Also removes what sandboxes of crashed processes have left on this machine.
   *
   * @throws SandboxException if it is not installed, or cannot set up a sandbox
   */
  public static Sandbox find() throws SandboxException {
    try {
      return find(Cgroups.find());
    } catch (SandboxException e) {
      throw e;
    } catch (IOException e) {
      throw Trial.setup("cannot prepare a sandbox: " + e.getMessage(), e);
    }
  }

  /** Finds {@code setpriv}, for a sandbox that uses these control groups. */
  static Sandbox find(Cgroups cgroups) throws IOException {
    Trial.requireLinux("Landlock");
    Path program = HostPrograms.find("setpriv");
    Path setsid = HostPrograms.find("setsid");
    if (program == null || setsid == null) {
      throw Trial.setup("setpriv of util-linux 2.40 or later is required, found none", null);
    }
    Setpriv features = Setpriv.of(program, Trial.output(program, "--help"));
    if (features == null) {
      throw Trial.setup(
          "setpriv of util-linux 2.40 or later is required, found "
              + Trial.output(program, "--version").strip(),
          null);
    }
    Leftovers.remove(cgroups);
    return firstThatWorks(features, setsid, cgroups);
  }

  private static Sandbox firstThatWorks(Setpriv features, Path setsid, Cgroups cgroups)
      throws IOException {
    SystemFiles system = SystemFiles.of(Path.of("/"));
    Architecture architecture = Architecture.of(System.getProperty("os.arch"));
    SandboxException last = Trial.setup("setpriv was not tried", null);
    for (Cgroups groups : List.of(cgroups, Cgroups.NONE)) {
      for (Setpriv candidate : features.fallbacks()) {
        Sandbox sandbox = new LandlockSandbox(candidate, setsid, groups, system, architecture);
        SandboxException fault = Trial.run(sandbox, null);
        if (fault == null) {
          return sandbox;
        }
        last = fault;
      }
    }
    throw last;
  }
}
