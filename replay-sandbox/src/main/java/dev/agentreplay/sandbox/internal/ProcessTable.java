package dev.agentreplay.sandbox.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The processes of Linux, from {@code /proc}. */
public final class ProcessTable {

  private static final Path PROC = Path.of("/proc");

  /**
   * A process.
   *
   * @param session the session it is in, which has the pid of the process that created it
   * @param threads the number of its threads
   * @param start when it was started, in ticks since the machine was started
   */
  public record Entry(long pid, long parent, long session, char state, int threads, long start) {

    /** Parses a line of {@code /proc/PID/stat}; see proc_pid_stat(5). */
    public static Entry parse(String line) {
      int open = line.indexOf('(');
      int close = line.lastIndexOf(')');
      // The third field of the manual is the first one here.
      String[] fields = line.substring(close + 2).split(" ", -1);
      return new Entry(
          Long.parseLong(line.substring(0, open).strip()),
          Long.parseLong(fields[1]),
          Long.parseLong(fields[3]),
          fields[0].charAt(0),
          Integer.parseInt(fields[17]),
          Long.parseLong(fields[19]));
    }
  }

  private ProcessTable() {}

  /** The process with a pid; null if there is none. */
  public static @Nullable Entry read(String pid) {
    try {
      byte[] bytes = Files.readAllBytes(PROC.resolve(pid).resolve("stat"));
      return Entry.parse(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (IOException ended) {
      return null;
    }
  }

  /** The processes of this machine that this process sees. */
  public static List<Entry> all() throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path directory : directories) {
        Entry entry = read(directory.getFileName().toString());
        if (entry != null) {
          entries.add(entry);
        }
      }
    }
    return entries;
  }

  /** A process and all that descend from it. */
  public static List<Entry> tree(long root) throws IOException {
    Map<Long, List<Entry>> children = new HashMap<>();
    List<Entry> found = new ArrayList<>();
    for (Entry entry : all()) {
      children.computeIfAbsent(entry.parent, parent -> new ArrayList<>()).add(entry);
      if (entry.pid == root) {
        found.add(entry);
      }
    }
    Deque<Long> pending = new ArrayDeque<>(List.of(root));
    while (!pending.isEmpty()) {
      for (Entry child : children.getOrDefault(pending.remove(), List.of())) {
        found.add(child);
        pending.add(child.pid);
      }
    }
    return found;
  }

  /** The processes of a session. */
  public static List<Entry> ofSession(long session) throws IOException {
    return all().stream().filter(entry -> entry.session == session).toList();
  }

  /**
   * Kills processes.
   *
   * @return whether there were none that were alive
   */
  public static boolean kill(Predicate<Entry> processes) {
    boolean isNone = true;
    try {
      for (Entry entry : all()) {
        if (entry.state != 'Z' && processes.test(entry)) {
          isNone = false;
          ProcessHandle.of(entry.pid).ifPresent(ProcessHandle::destroyForcibly);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return isNone;
  }
}
