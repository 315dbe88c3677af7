package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.ProcessTable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds limits that the processes of a sandbox have reached. Used by one thread. */
final class LimitMonitor implements Closeable {

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
  private static final int REST_FACTOR = 20;
  private static final int MAX_FAILURES = 50;

  private final SandboxLimits limits;
  private final Cgroup cgroup;
  private final List<DiskUse> directories;
  private final Measure measure;
  private final List<Path> inMemory;
  private final Path ownFile;
  private @Nullable MemoryFiles memory;
  private int failures;
  private long scannedAt;
  private long scanNanos;

  /** Measures the processes of a sandbox, of which the first is given. */
  interface Measure {
    ProcessTable.Usage of(long first) throws IOException;
  }

  /**
   * Creates a monitor.
   *
   * @param directories the directories of this machine in which the program can write
   * @param inMemory the paths in the sandbox at which file systems in memory are mounted
   * @param ownFile the file of this machine that is mounted at {@code /etc/passwd}
   */
  LimitMonitor(
      SandboxLimits limits,
      Cgroup cgroup,
      Measure measure,
      List<DiskUse> directories,
      List<Path> inMemory,
      Path ownFile) {
    this.limits = limits;
    this.cgroup = cgroup;
    this.measure = measure;
    this.directories = List.copyOf(directories);
    this.inMemory = inMemory;
    this.ownFile = ownFile;
  }

  /**
   * Measures once.
   *
   * @param init the first process in the sandbox
   * @return the limit that was reached, as a message; null if there is none
   */
  @Nullable
  String check(long init) throws IOException {
    String counted = cgroupReached();
    if (counted != null) {
      return counted;
    }
    if (memory == null && !inMemory.isEmpty() && isSetUp(init)) {
      memory = openMemory(init);
    }
    long growth = temporary();
    for (DiskUse directory : directories) {
      growth += directory.growth();
    }
    if (growth >= limits.temporaryBytes()) {
      return filesReached();
    }
    return usageReached(init);
  }

  /**
   * Measures after the last process has ended.
   *
   * @param exitCode the exit code that the program has, as far as it is known
   */
  @Nullable
  String checkLast(int exitCode) throws IOException {
    String counted = cgroupReached();
    if (counted != null) {
      return counted;
    }
    long growth = temporary();
    for (DiskUse directory : directories) {
      growth += directory.lastGrowth();
    }
    // 128 + SIGXFSZ.
    return exitCode == 153 || growth >= limits.temporaryBytes() ? filesReached() : null;
  }

  @Override
  public void close() throws IOException {
    if (memory != null) {
      memory.close();
    }
  }

  /** Whether the first process has its own root directory, in which there is a file of ours. */
  private boolean isSetUp(long init) {
    try {
      return Files.isSameFile(
          ownFile, Path.of("/proc", Long.toString(init), "root", "etc", "passwd"));
    } catch (IOException early) {
      return false;
    }
  }

  private @Nullable MemoryFiles openMemory(long init) throws IOException {
    try {
      return MemoryFiles.open(init, inMemory);
    } catch (IOException e) {
      // The process may be ending, and then there is none the next time.
      if (++failures == MAX_FAILURES) {
        throw e;
      }
      return null;
    }
  }

  private long temporary() {
    return memory == null ? 0 : memory.used();
  }

  private @Nullable String cgroupReached() throws IOException {
    if (cgroup.hasReachedMemory()) {
      return memoryReached();
    }
    return cgroup.hasReachedProcesses() ? processesReached() : null;
  }

  private @Nullable String usageReached(long init) throws IOException {
    if (cgroup.memory() != null && cgroup.pids() != null) {
      return null;
    }
    long now = System.nanoTime();
    if (now - scannedAt < Math.max(REST_NANOS, REST_FACTOR * scanNanos)) {
      return null;
    }
    ProcessTable.Usage usage = measure.of(init);
    scannedAt = System.nanoTime();
    scanNanos = scannedAt - now;
    if (cgroup.memory() == null && usage.memory() > limits.memoryBytes()) {
      return memoryReached();
    }
    return cgroup.pids() == null && usage.threads() >= limits.processes()
        ? processesReached()
        : null;
  }

  private String memoryReached() {
    return "the program reached the limit of %d bytes of memory".formatted(limits.memoryBytes());
  }

  private String processesReached() {
    return "the program reached the limit of %d processes and threads"
        .formatted(limits.processes());
  }

  private String filesReached() {
    return "the program reached the limit of %d bytes of new files"
        .formatted(limits.temporaryBytes());
  }
}
