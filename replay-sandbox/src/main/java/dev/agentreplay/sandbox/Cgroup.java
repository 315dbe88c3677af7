package dev.agentreplay.sandbox;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The control groups of a sandbox. Closing it removes them.
 *
 * @param memory the group that limits memory; null if there is none
 * @param pids the group that limits processes; null if there is none
 */
record Cgroup(@Nullable Path memory, @Nullable Path pids) implements Closeable {

  private static final long REMOVE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The files to which a process writes 0 to move into the groups. */
  List<String> joinFiles() {
    List<String> files = new ArrayList<>();
    for (Path group : groups()) {
      files.add(group.resolve("cgroup.procs").toString());
    }
    return files;
  }

  /** Whether a process was killed because the group had no memory left. */
  boolean hasReachedMemory() throws IOException {
    return memory != null
        && (count(memory.resolve("memory.events"), "oom_kill") > 0
            || count(memory.resolve("memory.oom_control"), "oom_kill") > 0);
  }

  /** Whether a process could not be started because there were too many. */
  boolean hasReachedProcesses() throws IOException {
    return pids != null && count(pids.resolve("pids.events"), "max") > 0;
  }

  /**
   * Kills the processes of the groups.
   *
   * @param forbidsForks whether they cannot start others any more, which counts as a limit that
   *     they have reached
   * @return whether there were none
   */
  boolean kill(boolean forbidsForks) {
    Path group = pids != null ? pids : memory;
    try {
      if (pids != null && forbidsForks) {
        Files.writeString(pids.resolve("pids.max"), "0");
      }
      List<String> left =
          group == null ? List.of() : Files.readAllLines(group.resolve("cgroup.procs"));
      for (String pid : left) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
      return left.isEmpty();
    } catch (IOException e) {
      // A thread that has seen the end of the processes may just have removed the group.
      if (group != null && !Files.exists(group)) {
        return true;
      }
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the groups, which is possible as soon as the kernel has removed the processes. */
  @Override
  public void close() {
    long end = System.nanoTime() + REMOVE_NANOS;
    for (Path group : groups()) {
      while (!remove(group) && System.nanoTime() < end) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
  }

  private static boolean remove(Path group) {
    try {
      Files.deleteIfExists(group);
      return true;
    } catch (IOException busy) {
      return false;
    }
  }

  private List<Path> groups() {
    List<Path> groups = new ArrayList<>();
    if (memory != null) {
      groups.add(memory);
    }
    if (pids != null && !pids.equals(memory)) {
      groups.add(pids);
    }
    return groups;
  }

  private static long count(Path file, String name) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(name + " ")) {
        return Long.parseLong(line.substring(name.length() + 1).strip());
      }
    }
    return 0;
  }
}
