package dev.agentreplay.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An installed {@code setpriv}, and its restrictions.
 *
 * @param options the restrictions in addition to {@link #FILES}, in the order in which versions of
 *     the kernel have them
 * @param filtersCalls whether it can load a seccomp filter
 */
record Setpriv(Path program, List<String> options, boolean filtersCalls) {

  // Those of Landlock ABI 3, which is in Linux 6.2. Before it, a program could cut off files that
  // it cannot open.
  private static final String FILES =
      "execute,write-file,read-file,read-dir,remove-dir,remove-file,make-char,make-dir,make-reg,"
          + "make-sock,make-fifo,make-block,make-sym,refer,truncate";
  private static final String DEVICES_TOO = "ioctl-dev";
  private static final String SOCKETS_TOO = "resolve-unix";

  private static final String READ_TREE = "execute,read-file,read-dir";
  private static final String READ_FILE = "execute,read-file";
  private static final List<String> GENERATED_ELSEWHERE =
      List.of("/etc/group", "/etc/hosts", "/etc/nsswitch.conf", "/etc/passwd");
  private static final List<String> DEVICES =
      List.of("/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero");
  // Not those of processes: the command lines of all are in /proc.
  private static final List<String> MACHINE = List.of(
      "/proc/cpuinfo",
      "/proc/filesystems",
      "/proc/loadavg",
      "/proc/meminfo",
      "/proc/stat",
      "/proc/sys/kernel/osrelease",
      "/proc/sys/kernel/pid_max",
      "/proc/sys/vm/overcommit_memory",
      "/proc/uptime",
      "/proc/version",
      "/sys/devices/system/cpu");

  Setpriv {
    options = List.copyOf(options);
  }

  /** Finds the features in the output of {@code setpriv --help}; null if it has no Landlock. */
  static @Nullable Setpriv of(Path program, String help) {
    if (!help.contains("--landlock-access") || !help.contains("truncate")) {
      return null;
    }
    List<String> options = new ArrayList<>();
    // The versions that have "net" and "scope" list their parts; others ignore the words.
    if (help.contains("connect-tcp")) {
      options.add("net");
    }
    if (help.contains(DEVICES_TOO)) {
      options.add(DEVICES_TOO);
    }
    if (help.contains("abstract-unix-socket")) {
      options.add("scope");
    }
    if (help.contains(SOCKETS_TOO)) {
      options.add(SOCKETS_TOO);
    }
    return new Setpriv(program, options, help.contains("--seccomp-filter"));
  }

  /** This one, and then with fewer options: it fails at those that the kernel does not have. */
  List<Setpriv> fallbacks() {
    List<Setpriv> all = new ArrayList<>();
    for (int count = options.size(); count >= 0; count--) {
      all.add(new Setpriv(program, options.subList(0, count), filtersCalls));
    }
    return all;
  }

  /** The restricted accesses to files. */
  private String files() {
    StringBuilder files = new StringBuilder(FILES);
    for (String option : options) {
      if (option.equals(DEVICES_TOO) || option.equals(SOCKETS_TOO)) {
        files.append(',').append(option);
      }
    }
    return files.toString();
  }

  /**
   * The call, up to the program that it starts.
   *
   * @param isRoot whether there are capabilities to drop
   * @param filter the file with the seccomp filter; null for none
   * @param shown paths to show read-only, in addition to those of the view
   * @param temporary the directory for temporary files
   */
  List<String> arguments(
      SandboxOptions view,
      boolean isRoot,
      @Nullable Path filter,
      SystemFiles system,
      List<Path> shown,
      Path temporary) {
    List<String> words = new ArrayList<>(List.of(program.toString(), "--no-new-privs"));
    if (isRoot) {
      words.addAll(List.of("--bounding-set", "-all", "--inh-caps", "-all"));
    }
    if (filter != null) {
      words.addAll(List.of("--seccomp-filter", filter.toString()));
    }
    words.addAll(List.of("--landlock-access", "fs:" + files()));
    for (String option : options) {
      if (option.equals("net") || option.equals("scope")) {
        words.addAll(List.of("--landlock-access", option));
      }
    }
    List<Path> readable = new ArrayList<>();
    system.entries().forEach(entry -> readable.add(entry.path()));
    GENERATED_ELSEWHERE.forEach(file -> readable.add(Path.of(file)));
    readable.addAll(shown);
    readable.removeIf(path -> !Files.exists(path));
    readable.addAll(view.readOnly()); // it is an error if one of these is missing
    for (Path path : readable) {
      allow(words, Files.isDirectory(path) ? READ_TREE : READ_FILE, path);
    }
    for (String file : MACHINE) {
      Path path = Path.of(file);
      if (Files.exists(path)) {
        allow(words, Files.isDirectory(path) ? "read-file,read-dir" : "read-file", path);
      }
    }
    for (String device : DEVICES) {
      if (Files.exists(Path.of(device))) {
        allow(words, "read-file,write-file", Path.of(device));
      }
    }
    allow(words, files(), temporary);
    allow(words, view.isWritable() ? files() : READ_TREE, view.workspace());
    words.add("--");
    return words;
  }

  private static void allow(List<String> words, String accesses, Path path) {
    words.addAll(List.of("--landlock-rule", "path-beneath:" + accesses + ":" + path));
  }
}
