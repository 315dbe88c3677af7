package dev.agentreplay.sandbox.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Shells of the machine whose command line contains a text.
 *
 * <p>The program that starts such a shell in a session of its own has the text in its command line,
 * too, and is not counted: Linux shows no command line while a process executes its next program,
 * so that it would be seen, and then taken for ended.
 */
final class Leftovers {

  private static final int TRIES = 200;
  private static final String SHELL = "sh\0";

  private Leftovers() {}

  static boolean exist(String text) throws IOException {
    Path processes = Path.of("/proc");
    if (!Files.isDirectory(processes.resolve("self"))) {
      return ProcessHandle.allProcesses()
          .anyMatch(process -> process.info().commandLine().orElse("").contains(text));
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(processes, "[0-9]*")) {
      for (Path entry : entries) {
        String line = commandLine(entry);
        if (line.startsWith(SHELL) && line.contains(text)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Waits at most a second until there is such a process, or none. */
  static boolean await(String text, boolean exists) throws IOException, InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      if (exist(text) == exists) {
        return true;
      }
      Thread.sleep(5);
    }
    return false;
  }

  /** Ends the processes. */
  static void kill(String text) {
    ProcessHandle.allProcesses()
        .filter(process ->
            String.join(" ", process.info().arguments().orElse(new String[0])).contains(text))
        .forEach(ProcessHandle::destroyForcibly);
  }

  private static String commandLine(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException ended) {
      return "";
    }
  }
}
