package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.ProcessTable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds limits that the processes of a sandbox have reached. Used by one thread. */
final class LimitMonitor implements Closeable {

  private static final int MAX_FAILURES = 50;
  // What the kernel needs for a file in memory, see BOGO_INODE_SIZE in mm/shmem.c.
  private static final long ENTRY_BYTES = 1024;

  private final SandboxLimits limits;
  private final Cgroup cgroup;
  private final List<DiskUse> directories;
  private final Processes processes;
  private final List<Path> inMemory;
  private final Path ownFile;
  private final @Nullable String stat;
  private @Nullable MemoryFiles memory;
  private int failures;
  private final Pace usage = new Pace(40);
  private final Pace deletion = new Pace(40);
  private final Pace entries = new Pace(500);
  private final Map<DiskUse, DeletedFiles> deleted = new HashMap<>();
  private long bytesOfEntries;

  /** Finds the processes of a sandbox, of which the first is given, and is among them. */
  interface Processes {
    List<ProcessTable.Entry> of(long first) throws IOException;
  }

  /**
   * Creates a monitor.
   *
   * @param directories those of this machine in which the program can write, by file system
   * @param inMemory the paths in the sandbox at which file systems in memory are mounted
   * @param ownFile the file of this machine that is mounted at {@code /etc/passwd}
   * @param stat the program that counts files; null if it is not installed
   */
  LimitMonitor(
      SandboxLimits limits,
      Cgroup cgroup,
      Processes processes,
      List<DiskUse> directories,
      List<Path> inMemory,
      Path ownFile,
      @Nullable String stat) {
    this.limits = limits;
    this.cgroup = cgroup;
    this.processes = processes;
    this.directories = List.copyOf(directories);
    this.inMemory = inMemory;
    this.ownFile = ownFile;
    this.stat = stat;
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
    growth += deleted(init); // after the walks, which may find what was missing
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
    long growth = bytesInMemory();
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
      return MemoryFiles.open(init, inMemory, stat);
    } catch (IOException e) {
      // The process may be ending, and then there is none the next time.
      if (++failures == MAX_FAILURES) {
        throw e;
      }
      return null;
    }
  }

  private long bytesInMemory() {
    return memory == null ? 0 : memory.used();
  }

  /** The space of the file systems in memory, and of the names in them. */
  private long temporary() throws IOException {
    if (memory != null && entries.isDue()) {
      entries.start();
      bytesOfEntries = memory.entries() * ENTRY_BYTES;
      entries.end();
    }
    return bytesInMemory() + bytesOfEntries;
  }

  /** The size of files that have no name any more, if a file system misses their space. */
  private long deleted(long init) throws IOException {
    List<DiskUse> missing = directories.stream().filter(DiskUse::isMissingSpace).toList();
    if (!missing.isEmpty() && deletion.isDue()) {
      deletion.start();
      List<Long> pids = processes.of(init).stream().map(ProcessTable.Entry::pid).toList();
      for (DiskUse directory : missing) {
        deleted.put(directory, DeletedFiles.of(pids, directory.directory()));
      }
      deletion.end();
    }
    long bytes = 0;
    for (DiskUse directory : missing) {
      DeletedFiles found = deleted.getOrDefault(directory, DeletedFiles.NONE);
      bytes += found.isHidden() ? directory.missing() : found.bytes();
    }
    return bytes;
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
    if (!usage.isDue()) {
      return null;
    }
    usage.start();
    List<ProcessTable.Entry> found = processes.of(init);
    long memoryBytes = cgroup.memory() == null ? ProcessMemory.of(found, limits.memoryBytes()) : 0;
    usage.end();
    if (memoryBytes > limits.memoryBytes()) {
      return memoryReached();
    }
    int threads = 0;
    for (ProcessTable.Entry process : found) {
      threads += process.threads();
    }
    return cgroup.pids() == null && threads >= limits.processes() ? processesReached() : null;
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
