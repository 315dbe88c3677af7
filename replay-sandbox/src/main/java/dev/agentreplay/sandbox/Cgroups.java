package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.Owner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The directories of control groups in which this process can create more: those of version 2 that
 * were delegated to this user, or those of version 1. Null where there is none.
 */
record Cgroups(@Nullable Path unified, @Nullable Path memory, @Nullable Path pids) {

  static final Cgroups NONE = new Cgroups(null, null, null);

  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Finds the directories in the texts of {@code /proc/self/mountinfo} and {@code cgroup}. */
  static Cgroups find(String mounts, String groups) {
    Path unified = null;
    Path memory = null;
    Path pids = null;
    for (String line : mounts.lines().toList()) {
      int separator = line.indexOf(" - ");
      String[] fields = line.split(" ", -1);
      String[] type = line.substring(separator + 3).split(" ", -1);
      Path root = Path.of(fields[3]);
      Path point = Path.of(fields[4]);
      List<String> controllers = Arrays.asList(type[type.length - 1].split(",", -1));
      if (type[0].equals("cgroup2")) {
        unified = delegated(point, own(root, point, group(groups, "")));
      } else if (type[0].equals("cgroup") && controllers.contains("memory")) {
        memory = ifWritable(own(root, point, group(groups, "memory")));
      } else if (type[0].equals("cgroup") && controllers.contains("pids")) {
        pids = ifWritable(own(root, point, group(groups, "pids")));
      }
    }
    return new Cgroups(unified, memory, pids);
  }

  /** Finds the directories of this machine. */
  static Cgroups find() throws IOException {
    return find(
        Files.readString(Path.of("/proc/self/mountinfo")),
        Files.readString(Path.of("/proc/self/cgroup")));
  }

  /** Creates a group with limits. */
  Cgroup create(SandboxLimits limits) {
    String name = Owner.namePrefix() + COUNT.incrementAndGet();
    if (unified != null) {
      Path directory = make(unified, name, "memory.max", limits.memoryBytes());
      if (directory != null && write(directory, "pids.max", limits.processes())) {
        write(directory, "memory.swap.max", 0);
        write(directory, "memory.oom.group", 1);
        return new Cgroup(directory, directory);
      }
      new Cgroup(directory, null).close();
    }
    Path inMemory = make(memory, name, "memory.limit_in_bytes", limits.memoryBytes());
    if (inMemory != null) {
      write(inMemory, "memory.memsw.limit_in_bytes", limits.memoryBytes());
    }
    return new Cgroup(inMemory, make(pids, name, "pids.max", limits.processes()));
  }

  /** Removes the groups of crashed processes, and kills what is in them. */
  void removeAbandoned() throws IOException {
    Set<Path> parents = new LinkedHashSet<>();
    for (Path parent : new Path[] {unified, memory, pids}) {
      if (parent != null) {
        parents.add(parent);
      }
    }
    for (Path parent : parents) {
      try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, "replay-sandbox-*")) {
        for (Path group : groups) {
          if (Owner.isAbandoned(group.getFileName().toString())) {
            Cgroup abandoned = new Cgroup(group, null);
            boolean unused = abandoned.kill(false);
            abandoned.close();
          }
        }
      }
    }
  }

  private static @Nullable Path make(@Nullable Path parent, String name, String limit, long value) {
    if (parent == null) {
      return null;
    }
    Path directory = parent.resolve(name);
    try {
      Files.createDirectory(directory);
    } catch (IOException forbidden) {
      return null;
    }
    if (write(directory, limit, value)) {
      return directory;
    }
    new Cgroup(directory, null).close();
    return null;
  }

  private static boolean write(Path directory, String file, long value) {
    try {
      Files.write(
          directory.resolve(file), Long.toString(value).getBytes(StandardCharsets.US_ASCII));
      return true;
    } catch (IOException notSupported) {
      return false;
    }
  }

  /** The path of this process's group in the hierarchy of a controller. */
  private static String group(String groups, String controller) {
    for (String line : groups.lines().toList()) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && Arrays.asList(fields[1].split(",", -1)).contains(controller)) {
        return fields[2];
      }
    }
    return "/";
  }

  private static Path own(Path root, Path point, String group) {
    Path path = Path.of(group);
    Path own = path.startsWith(root) ? point.resolve(root.relativize(path)) : point;
    return Files.isDirectory(own) ? own : point;
  }

  /** The nearest group that may have groups with these controllers, and in which we may move. */
  private static @Nullable Path delegated(Path point, Path own) {
    for (Path group = own; group != null && group.startsWith(point); group = group.getParent()) {
      try {
        List<String> controllers = Arrays.asList(
            Files.readString(group.resolve("cgroup.subtree_control")).strip().split(" ", -1));
        if (controllers.containsAll(List.of("memory", "pids"))) {
          return ifWritable(group);
        }
      } catch (IOException hidden) {
        return null;
      }
    }
    return null;
  }

  private static @Nullable Path ifWritable(Path group) {
    return Files.isWritable(group) && Files.isWritable(group.resolve("cgroup.procs"))
        ? group
        : null;
  }
}
