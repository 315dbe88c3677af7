package dev.agentreplay.io.log;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the files that one log is in, its segments. A log that is not rotated is in one; the
 * parts after it have its name and a number from 2. Read one after the other, without gaps, they
 * are the log.
 */
public final class LogSegments {

  private static final Pattern LATER_PART = Pattern.compile("\\.(?:[2-9]|[1-9][0-9]{1,4})");

  private LogSegments() {}

  /** The file of a part, from 1. */
  public static Path file(Path log, int part) {
    return part == 1 ? log : log.resolveSibling(log.getFileName() + "." + part);
  }

  /** The directory of a log. */
  public static Path directory(Path log) {
    return Objects.requireNonNull(log.toAbsolutePath().getParent(), "a log is in a directory");
  }

  /** The numbers of all files that are named as later parts of a log. */
  public static NavigableSet<Integer> later(Disk disk, Path log) throws IOException {
    String name = log.getFileName().toString();
    NavigableSet<Integer> later = new TreeSet<>();
    for (String other : disk.names(directory(log))) {
      if (isLaterPart(name, other)) {
        later.add(Integer.parseInt(other.substring(name.length() + 1)));
      }
    }
    return later;
  }

  /** Whether a name is that of a part, other than the first, of a log. */
  public static boolean isLaterPart(String log, String name) {
    return name.startsWith(log)
        && LATER_PART.matcher(name).region(log.length(), name.length()).matches();
  }

  /** The log that a file is a later part of by its name; null if that is no such name. */
  public static @Nullable Path ofLaterPart(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 && isLaterPart(name.substring(0, dot), name)
        ? file.resolveSibling(name.substring(0, dot))
        : null;
  }

  /**
   * The parts that there are now.
   *
   * @throws NoSuchFileException if one is missing while a later one is there
   * @throws IOException if one but the first is a link, a directory or a special file
   */
  public static List<Path> existing(Path log) throws IOException {
    NavigableSet<Integer> later = later(LocalDisk.INSTANCE, log);
    List<Path> parts = new ArrayList<>(List.of(log));
    Path next = RegularFiles.file(file(log, 2));
    while (next != null) {
      parts.add(next);
      next = RegularFiles.file(file(log, parts.size() + 1));
    }
    Integer behind = later.higher(parts.size() + 1);
    if (behind != null) {
      throw new NoSuchFileException(
          file(log, parts.size() + 1).toString(),
          null,
          "it is missing, but " + file(log, behind).getFileName() + " is there");
    }
    return parts;
  }
}
