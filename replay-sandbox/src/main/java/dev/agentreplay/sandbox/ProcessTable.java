package dev.agentreplay.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The processes of Linux, from {@code /proc}. */
final class ProcessTable {

  private static final Path PROC = Path.of("/proc");

  /**
   * A process.
   *
   * @param threads the number of its threads
   * @param start when it was started, in ticks since the machine was started
   */
  record Entry(long pid, long parent, char state, int threads, long start) {

    /** Parses a line of {@code /proc/PID/stat}; see proc_pid_stat(5). */
    static Entry parse(String line) {
      int open = line.indexOf('(');
      int close = line.lastIndexOf(')');
      // The third field of the manual is the first one here.
      String[] fields = line.substring(close + 2).split(" ", -1);
      return new Entry(
          Long.parseLong(line.substring(0, open).strip()),
          Long.parseLong(fields[1]),
          fields[0].charAt(0),
          Integer.parseInt(fields[17]),
          Long.parseLong(fields[19]));
    }
  }

  private ProcessTable() {}

  /** The process with a pid; null if there is none. */
  static @Nullable Entry read(String pid) {
    try {
      byte[] bytes = Files.readAllBytes(PROC.resolve(pid).resolve("stat"));
      return Entry.parse(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (IOException ended) {
      return null;
    }
  }

  /** The processes that descend from a process. */
  static List<Entry> descendants(long root) throws IOException {
    Map<Long, List<Entry>> children = new HashMap<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path directory : directories) {
        Entry entry = read(directory.getFileName().toString());
        if (entry != null) {
          children.computeIfAbsent(entry.parent, parent -> new ArrayList<>()).add(entry);
        }
      }
    }
    List<Entry> found = new ArrayList<>();
    Deque<Long> pending = new ArrayDeque<>(List.of(root));
    while (!pending.isEmpty()) {
      for (Entry child : children.getOrDefault(pending.remove(), List.of())) {
        found.add(child);
        pending.add(child.pid);
      }
    }
    return found;
  }
}
