package dev.agentreplay.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The arguments of {@code bwrap}: a root of its own that is empty but for the system, the workspace
 * at its recorded path, an empty home and what is shown read-only; and namespaces of its own.
 */
final class BubblewrapArguments {

  private static final Path ROOT = Path.of("/");
  private static final Path TMP = Path.of("/tmp");
  private static final Path VAR_TMP = Path.of("/var/tmp");
  private static final Set<Path> RESERVED = paths(
      "/usr",
      "/etc",
      "/bin",
      "/sbin",
      "/lib",
      "/lib32",
      "/lib64",
      "/libx32",
      "/home",
      "/run",
      "/usr/bin",
      "/usr/sbin",
      "/usr/lib",
      "/usr/lib64",
      "/usr/libexec");
  private static final List<String> GENERATED =
      List.of("passwd", "group", "hosts", "nsswitch.conf");

  private final List<String> arguments = new ArrayList<>();
  private final List<Path> inMemory = new ArrayList<>();
  private final Set<Path> bound = new TreeSet<>();
  private final Set<Path> directories = new TreeSet<>();
  private final BubblewrapFeatures features;
  private final SandboxOptions options;

  private BubblewrapArguments(BubblewrapFeatures features, SandboxOptions options) {
    this.features = features;
    this.options = options;
  }

  /**
   * Builds the arguments, without those that name descriptors.
   *
   * @param shown paths to show read-only, in addition to those of the options
   * @param generated a directory with the generated files of {@code /etc}
   */
  static BubblewrapArguments of(
      BubblewrapFeatures features,
      SandboxOptions options,
      ProgramIdentity identity,
      SystemFiles system,
      List<Path> shown,
      Path generated)
      throws SandboxException {
    BubblewrapArguments all = new BubblewrapArguments(features, options);
    all.addIsolation(identity);
    all.addSystem(system, generated);
    all.addUserFiles(homes(options, identity), shown);
    all.add("--remount-ro", "/");
    all.add("--chdir", options.directory().toString());
    options.environment().forEach((name, value) -> all.add("--setenv", name, value));
    return all;
  }

  /** The arguments, in order. */
  List<String> list() {
    return arguments;
  }

  /** The paths at which file systems in memory are mounted. */
  List<Path> inMemory() {
    return inMemory;
  }

  /** The home directories that a program may look for. */
  static List<Path> homes(SandboxOptions options, ProgramIdentity identity) {
    Set<Path> homes = new TreeSet<>();
    for (String home : List.of(identity.home(), options.environment().getOrDefault("HOME", ""))) {
      if (home.startsWith("/")) {
        homes.add(Path.of(home).normalize());
      }
    }
    return List.copyOf(homes);
  }

  private void addIsolation(ProgramIdentity identity) {
    add("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts");
    add("--unshare-cgroup-try", "--new-session", "--die-with-parent");
    if (features.disablesNamespaces()) {
      add("--disable-userns");
    }
    add("--cap-drop", "ALL", "--hostname", identity.host());
    add("--uid", Long.toString(identity.uid()), "--gid", Long.toString(identity.gid()));
    add("--clearenv");
  }

  private void addSystem(SystemFiles system, Path generated) {
    for (SystemFiles.Entry entry : system.entries()) {
      if (entry.target() != null) {
        addParents(entry.path());
        add("--symlink", entry.target(), entry.path().toString());
      } else {
        bind("--ro-bind", entry.path(), entry.path());
      }
    }
    for (String name : GENERATED) {
      bind("--ro-bind", generated.resolve(name), Path.of("/etc", name));
    }
    // the user root could change settings of the kernel, as files belong to the real root
    add("--proc", "/proc", "--remount-ro", "/proc");
    add("--dev", "/dev");
    addMemory("1777", Path.of("/dev/shm"));
    add("--remount-ro", "/dev");
    addMemory("1777", TMP);
    addParents(VAR_TMP);
    addMemory("1777", VAR_TMP); // not a link to /tmp, so that a workspace can be in it
  }

  private void addUserFiles(List<Path> homes, List<Path> shown) {
    // Sorted, a directory comes before what is mounted in it.
    Map<Path, Runnable> mounts = new TreeMap<>();
    for (Path home : homes) {
      if (isFree(home)) {
        mounts.put(home, () -> {
          addParents(home);
          addMemory("0755", home);
        });
      }
    }
    List<Path> readOnly = new ArrayList<>(options.readOnly());
    readOnly.addAll(shown);
    for (Path path : readOnly) {
      mounts.put(path, () -> bind("--ro-bind", path, path));
    }
    String bind = options.isWritable() ? "--bind" : "--ro-bind";
    mounts.put(
        options.workspacePath(), () -> bind(bind, options.workspace(), options.workspacePath()));
    mounts.values().forEach(Runnable::run);
    // A workspace at /tmp hides the file system that is mounted there.
    inMemory.removeIf(path -> bound.stream().anyMatch(path::startsWith));
  }

  /** Whether an empty directory can be mounted at a path without hiding the system. */
  private boolean isFree(Path home) {
    return !home.startsWith(options.workspacePath())
        && !home.equals(TMP)
        && !home.equals(VAR_TMP)
        && !KernelFiles.include(home)
        && RESERVED.stream().filter(path -> !path.endsWith("home")).noneMatch(home::startsWith)
        && !home.equals(Path.of("/home"))
        && options.readOnly().stream().noneMatch(home::startsWith);
  }

  private void bind(String option, Path source, Path path) {
    addParents(path);
    add(option, source.toString(), path.toString());
    bound.add(path);
  }

  private void addMemory(String permissions, Path path) {
    add("--perms", permissions);
    if (features.limitsSize()) {
      add("--size", Long.toString(options.limits().temporaryBytes()));
    }
    add("--tmpfs", path.toString());
    inMemory.add(path);
  }

  /** Creates the directories above a path, which bwrap would make accessible to the user only. */
  private void addParents(Path path) {
    for (int count = 1; count < path.getNameCount(); count++) {
      Path parent = ROOT.resolve(path.subpath(0, count));
      if (bound.stream().noneMatch(parent::startsWith)
          && !parent.equals(TMP)
          && !parent.equals(VAR_TMP)
          && directories.add(parent)) {
        add("--perms", "0755", "--dir", parent.toString());
      }
    }
  }

  private void add(String... values) {
    arguments.addAll(List.of(values));
  }

  /** Checks that a workspace hides no directory of the system or of the kernel. */
  static void check(SandboxOptions options, SystemFiles system) throws SandboxException {
    Path workspace = options.workspacePath();
    if (KernelFiles.include(workspace) || RESERVED.contains(workspace)) {
      throw new SandboxException(
          SandboxException.Reason.SETUP,
          "a workspace cannot be at %s, which is a directory of the system".formatted(workspace));
    }
    Path shown = system.directoryAbove(workspace);
    if (shown != null && !Files.isDirectory(workspace)) {
      throw new SandboxException(
          SandboxException.Reason.SETUP,
          "the workspace was at %s, which is missing on this machine: a sandbox shows %s, but"
                  .formatted(workspace, shown)
              + " cannot create a directory in it; create it, and it remains empty");
    }
  }

  private static Set<Path> paths(String... paths) {
    Set<Path> set = new TreeSet<>();
    for (String path : paths) {
      set.add(Path.of(path));
    }
    return set;
  }
}
