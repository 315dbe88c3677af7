package dev.agentreplay.io.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Files that are safe on a simulated disk. */
public final class DiskFiles {

  private DiskFiles() {}

  public static SimulatedDisk of(Path file, byte[] bytes) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(Path.of(""));
    put(disk, file, bytes);
    return disk;
  }

  public static void put(SimulatedDisk disk, Path file, byte[] bytes) throws IOException {
    disk.delete(file);
    try (AppendFile out = disk.create(file)) {
      out.write(bytes, 0, bytes.length);
      out.force();
    }
    disk.forceParent(file);
  }

  public static String text(SimulatedDisk disk, Path file) throws IOException {
    return new String(disk.content(file), StandardCharsets.UTF_8);
  }
}
