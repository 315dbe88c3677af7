package dev.agentreplay.sandbox;

import java.nio.file.Path;
import java.util.List;

/** The directories with files of the kernel, of which each sandbox has its own. */
final class KernelFiles {

  private static final Path ROOT = Path.of("/");
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final List<Path> DIRECTORIES =
      List.of(Path.of("/dev"), Path.of("/proc"), Path.of("/sys"));

  private KernelFiles() {}

  /**
   * Whether a path is one of the directories or in one of them, or the root directory, in which
   * they are. Files below {@code /dev/shm} are those of programs.
   */
  static boolean include(Path path) {
    boolean isShared = path.startsWith(SHARED_MEMORY) && !path.equals(SHARED_MEMORY);
    return path.equals(ROOT) || (!isShared && DIRECTORIES.stream().anyMatch(path::startsWith));
  }
}
