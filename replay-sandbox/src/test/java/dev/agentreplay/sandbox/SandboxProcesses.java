package dev.agentreplay.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the processes of this machine that have a marker in their environment or command line. */
final class SandboxProcesses {

  private SandboxProcesses() {}

  static List<ProcessHandle> with(String marker) throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (text(process, "environ").contains(marker)
            || text(process, "cmdline").contains(marker)) {
          ProcessHandle.of(Long.parseLong(process.getFileName().toString())).ifPresent(found::add);
        }
      }
    }
    return found;
  }

  private static String text(Path process, String file) {
    try {
      return Files.readString(process.resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException endedOrForeign) {
      return "";
    }
  }
}
