package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.ProcessTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The memory of processes: their own, and what they share with each other, such as by
 * {@code MAP_SHARED} of mmap(2). That of programs and libraries is not counted, which all processes
 * of the machine share.
 */
final class ProcessMemory {

  private ProcessMemory() {}

  /**
   * Measures the memory of processes, in bytes. Memory that several of them share is counted once
   * where this decides on a limit; below it, the result may be too large.
   */
  static long of(List<ProcessTable.Entry> processes, long limit) {
    long own = 0;
    long shared = 0;
    long largest = 0;
    for (ProcessTable.Entry process : processes) {
      String status = text(process.pid(), "status");
      long mapped = bytes(status, "RssShmem");
      own += bytes(status, "RssAnon");
      shared += mapped;
      largest = Math.max(largest, mapped);
    }
    if (own > limit || own + shared <= limit) {
      return own + shared;
    }
    long parts = 0;
    for (ProcessTable.Entry process : processes) {
      // The part of a process in a page is smaller the more processes share it. Reading it is slow.
      parts += bytes(text(process.pid(), "smaps_rollup"), "Pss_Shmem");
    }
    return own + Math.max(parts, largest); // Linux before 5.9 has no parts
  }

  /** The value of a line {@code NAME: NUMBER kB}; 0 if it is missing. */
  private static long bytes(String text, String name) {
    for (String line : text.lines().toList()) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return 0;
  }

  private static String text(long pid, String file) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(pid), file));
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException ended) {
      return "";
    }
  }
}
