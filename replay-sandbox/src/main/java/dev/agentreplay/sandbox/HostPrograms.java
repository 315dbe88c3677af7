package dev.agentreplay.sandbox;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Programs of util-linux and coreutils; null if they are not installed.
 *
 * @param setpriv the program that asks for a signal when its parent ends
 * @param stat the program that counts the files of a file system
 * @param prlimit the program that sets resource limits, in a directory that programs in a sandbox
 *     see
 */
record HostPrograms(@Nullable String setpriv, @Nullable String stat, @Nullable String prlimit) {

  static HostPrograms find() {
    Path setpriv = find("setpriv");
    Path stat = find("stat");
    Path prlimit = find("prlimit");
    return new HostPrograms(
        setpriv == null ? null : setpriv.toString(),
        stat == null ? null : stat.toString(),
        prlimit == null || !prlimit.startsWith("/usr") ? null : prlimit.toString());
  }

  /**
   * Finds a program in the PATH of this process, but not in or below its working directory, where a
   * workspace may have one of the same name.
   */
  static @Nullable Path find(String name) {
    Path here = Path.of("").toAbsolutePath();
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/bin:/bin";
    for (String directory : path.split(":", -1)) {
      try {
        Path file = Path.of(directory, name);
        boolean isLocal = file.startsWith(here) && here.getNameCount() > 0;
        if (file.isAbsolute() && !isLocal && Files.isExecutable(file)) {
          return file;
        }
      } catch (InvalidPathException notADirectory) {
        // The next one may be.
      }
    }
    return null;
  }
}
