package dev.agentreplay.sandbox;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file systems in memory of a sandbox. They are kept open, so that they can be measured after
 * the last process has ended: a program that has filled them may fail and exit at once.
 */
final class MemoryFiles implements Closeable {

  private final List<FileChannel> directories = new ArrayList<>();
  private final List<File> descriptors = new ArrayList<>();

  private final @Nullable String stat;

  private MemoryFiles(@Nullable String stat) {
    this.stat = stat;
  }

  /**
   * Opens the directories at paths in the root of a process.
   *
   * @param stat the program that counts files; null if it is not installed
   */
  static MemoryFiles open(long process, List<Path> paths, @Nullable String stat)
      throws IOException {
    MemoryFiles files = new MemoryFiles(stat);
    try {
      for (Path path : paths) {
        files.add(Path.of("/proc/" + process + "/root" + path));
      }
      return files;
    } catch (IOException e) {
      files.close();
      throw e;
    }
  }

  /** The number of bytes that are in use. */
  long used() {
    long used = 0;
    for (File file : descriptors) {
      // Not a FileStore, for which the path would be resolved in this process's root.
      used += file.getTotalSpace() - file.getFreeSpace();
    }
    return used;
  }

  /**
   * The number of files, directories and links. Java has no method for it: this starts a program.
   *
   * @return 0 if there is none
   */
  long entries() throws IOException {
    if (stat == null) {
      return 0;
    }
    List<String> words = new ArrayList<>(List.of(stat, "-f", "-c", "%c %d"));
    // The descriptors are those of this process.
    String self = "/proc/" + ProcessHandle.current().pid();
    for (File file : descriptors) {
      words.add(file.getPath().replaceFirst("^/proc/self", self));
    }
    Process process = new ProcessBuilder(words).redirectError(Redirect.DISCARD).start();
    process.getOutputStream().close();
    long entries = 0;
    String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
    for (String line : output.lines().toList()) {
      String[] numbers = line.split(" ", -1);
      entries += Long.parseLong(numbers[0]) - Long.parseLong(numbers[1]);
    }
    return entries;
  }

  @Override
  public void close() throws IOException {
    descriptors.clear();
    for (FileChannel directory : directories) {
      directory.close();
    }
  }

  private void add(Path path) throws IOException {
    directories.add(FileChannel.open(path, StandardOpenOption.READ));
    Object key = key(path);
    try (DirectoryStream<Path> own = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : own) {
        if (key != null && key.equals(key(descriptor))) {
          descriptors.add(descriptor.toFile());
          return;
        }
      }
    }
    throw new IOException("cannot measure " + path);
  }

  private static @Nullable Object key(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException closed) {
      return null;
    }
  }
}
