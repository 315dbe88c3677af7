package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.Owner;
import dev.agentreplay.sandbox.internal.ProcessTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * The rest of crashed processes: directories, control groups, and sandboxes that were being set up,
 * since a {@code bwrap} that is killed at that moment leaves a process that waits for it.
 */
final class Leftovers {

  /** The variable that names the directory of a sandbox on the command line of bwrap. */
  static final String VARIABLE = "REPLAY_SANDBOX";

  private Leftovers() {}

  static void remove(Cgroups cgroups) throws IOException {
    kill(Owner::isAbandoned);
    cgroups.removeAbandoned();
    RunDirectory.removeAbandoned();
  }

  /** Kills the processes of {@code bwrap} whose sandbox has a directory with such a name. */
  static void kill(Predicate<String> names) throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (isNamed(process, names)) {
          ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
              .ifPresent(ProcessHandle::destroyForcibly);
        }
      }
    }
  }

  private static boolean isNamed(Path process, Predicate<String> names) {
    try {
      String line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
      String[] words = line.split("\0", 5);
      return words.length > 3
          && words[0].endsWith("bwrap")
          && words[2].equals(VARIABLE)
          && names.test(words[3]);
    } catch (IOException ended) {
      return false;
    }
  }

  /**
   * Kills the processes of the session that a directory of a crashed process names. They are those
   * with a filter of system calls: another session may have the same number by now.
   */
  static void killSession(Path directory) throws IOException {
    Path file = directory.resolve("session");
    String line = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        ? Files.readString(file, StandardCharsets.ISO_8859_1)
        : "";
    if (!line.endsWith("\n")) { // killed before it was written
      return;
    }
    ProcessTable.Entry first = ProcessTable.Entry.parse(line.strip());
    ProcessTable.Entry now = ProcessTable.read(Long.toString(first.pid()));
    if (now == null || now.start() == first.start()) {
      boolean unused = WatchedProcess.await(() -> ProcessTable.kill(each ->
          each.session() == first.pid() && each.start() >= first.start() && isFiltered(each)));
    }
  }

  private static boolean isFiltered(ProcessTable.Entry process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/status"))
          .contains("\nSeccomp:\t2\n");
    } catch (IOException ended) {
      return false;
    }
  }
}
