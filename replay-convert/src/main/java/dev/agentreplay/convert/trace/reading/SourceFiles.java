package dev.agentreplay.convert.trace.reading;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The files in the directory of a source, whose content is not trusted: symbolic links, which may
 * lead anywhere, are not followed. {@link TraceSource#attach} reports those among the files.
 */
public final class SourceFiles {

  private static final List<String> COMPRESSED = List.of(".gz", ".zst");

  private static final List<String> TYPES =
      List.of(".jsonl", ".ndjson", ".json", ".yaml", ".yml", ".eval", ".log");

  private static final String TRAJECTORY = ".traj";

  private SourceFiles() {}

  /** Whether a path is that of a regular file, not of a link. */
  public static boolean isFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether a path is that of a directory, not of a link. */
  public static boolean isDirectory(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** The entries of a directory, sorted. */
  public static List<Path> entries(Path directory) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(directory)) {
      listed.forEach(entries::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    Collections.sort(entries);
    return entries;
  }

  /**
   * The files in a directory and below it, sorted, with the links and the special files; empty if
   * it does not exist. If it is itself a link, that is the only one.
   *
   * @throws IOException if a directory cannot be read
   */
  public static List<Path> below(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.walkFileTree(directory, new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
          files.add(file);
          return FileVisitResult.CONTINUE;
        }
      });
    }
    Collections.sort(files);
    return files;
  }

  /**
   * The name of a file without the ends that name its compression and its type, such as
   * {@code .jsonl.gz} or {@code .traj.json}. Other parts with a dot stay: {@code run.1.jsonl} and
   * {@code run.2.jsonl} are different traces.
   */
  public static String stem(String name) {
    String stem = name;
    for (String end : COMPRESSED) {
      stem = without(stem, end);
    }
    for (String end : TYPES) {
      String shorter = without(stem, end);
      if (!shorter.equals(stem)) {
        stem = shorter;
        break;
      }
    }
    return without(stem, TRAJECTORY);
  }

  private static String without(String name, String end) {
    String shorter = name.endsWith(end) ? name.substring(0, name.length() - end.length()) : name;
    return shorter.isEmpty() || shorter.equals(".") || shorter.equals("..") ? name : shorter;
  }
}
