package dev.agentreplay.sandbox;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Files that have no name any more, but take space for as long as a process has them open.
 *
 * @param bytes their sizes
 * @param isHidden whether a process does not show its files
 */
record DeletedFiles(long bytes, boolean isHidden) {

  static final DeletedFiles NONE = new DeletedFiles(0, false);

  // The end of the target of a descriptor, see proc_pid_fd(5). A file with a name may have it, too.
  private static final String MARK = " (deleted)";

  /**
   * Finds the files that processes have open.
   *
   * @param directory a directory of the file system whose files count
   */
  static DeletedFiles of(List<Long> processes, Path directory) throws IOException {
    Object device = Files.getAttribute(directory, "unix:dev");
    Set<Object> seen = new HashSet<>();
    long bytes = 0;
    boolean isHidden = false;
    for (long process : processes) {
      Path descriptors = Path.of("/proc", Long.toString(process), "fd");
      try (DirectoryStream<Path> open = Files.newDirectoryStream(descriptors)) {
        for (Path descriptor : open) {
          bytes += bytes(descriptor, device, seen);
        }
      } catch (DirectoryIteratorException | NoSuchFileException ended) {
        // its files are closed
      } catch (AccessDeniedException denied) {
        isHidden = true;
      }
    }
    return new DeletedFiles(bytes, isHidden);
  }

  private static long bytes(Path descriptor, Object device, Set<Object> seen) {
    try {
      if (!Files.readSymbolicLink(descriptor).toString().endsWith(MARK)) {
        return 0;
      }
      Map<String, Object> file = Files.readAttributes(descriptor, "unix:dev,ino,nlink,size");
      boolean isOne = device.equals(file.get("dev"))
          && Integer.valueOf(0).equals(file.get("nlink"))
          && seen.add(file.get("ino"));
      return isOne && file.get("size") instanceof Long size ? size : 0;
    } catch (IOException closed) {
      return 0;
    }
  }
}
