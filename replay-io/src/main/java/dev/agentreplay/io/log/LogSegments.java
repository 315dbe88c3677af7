package dev.agentreplay.io.log;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.GzipInput;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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
 * The segments of a log: the files that it consists of. A log that was not rotated has one segment;
 * later segments have the name of the log with a number from 2, as {@code REPLAY.jsonl.2}. The
 * bytes of all segments, in order, are the log.
 */
public final class LogSegments {

  private static final Pattern LATER_SEGMENT = Pattern.compile("\\.(?:[2-9]|[1-9][0-9]{1,4})");

  private LogSegments() {}

  /** The file of a segment; segments are counted from 1. */
  public static Path file(Path log, int segment) {
    return segment == 1 ? log : log.resolveSibling(log.getFileName() + "." + segment);
  }

  /** The directory that contains a log. */
  public static Path directory(Path log) {
    return Objects.requireNonNull(log.toAbsolutePath().getParent(), "a log is in a directory");
  }

  /** The numbers of all files with the name of a later segment of a log. */
  public static NavigableSet<Integer> later(Disk disk, Path log) throws IOException {
    String name = log.getFileName().toString();
    NavigableSet<Integer> later = new TreeSet<>();
    for (String other : disk.names(directory(log))) {
      if (isLaterSegment(name, other)) {
        later.add(Integer.parseInt(other.substring(name.length() + 1)));
      }
    }
    return later;
  }

  /** Whether a name is that of a later segment of a log. */
  public static boolean isLaterSegment(String log, String name) {
    return name.startsWith(log)
        && LATER_SEGMENT.matcher(name).region(log.length(), name.length()).matches();
  }

  /**
   * The log of which a file is a later segment by its name; null if the file does not have such a
   * name.
   */
  public static @Nullable Path ofLaterSegment(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 && isLaterSegment(name.substring(0, dot), name)
        ? file.resolveSibling(name.substring(0, dot))
        : null;
  }

  /** Whether a file is the log or a later segment of it, also if one of them is named by a link. */
  public static boolean isSegment(Path log, Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    if (Files.isSameFile(log, file)) {
      return true;
    }
    if (!Files.isRegularFile(log) || GzipInput.isCompressed(log)) {
      return false; // they have no later segments
    }
    Path first = named(log);
    for (int number : later(LocalDisk.INSTANCE, first)) {
      if (Files.isSameFile(file(first, number), file)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Finds the current segments of a log. A compressed log and a pipe have one.
   *
   * @throws NoSuchFileException if a segment is missing while a later one exists
   * @throws IOException if a later segment is a link, a directory or a special file, or the log is
   *     compressed and has later segments
   */
  public static List<Path> find(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return List.of(file);
    }
    Path log = named(file);
    if (!GzipInput.isCompressed(log)) {
      return existing(LocalDisk.INSTANCE, log);
    }
    requireNone(LocalDisk.INSTANCE, log);
    return List.of(file);
  }

  /**
   * Opens the bytes of a log: those of all its segments, or the decompressed bytes of a compressed
   * log.
   *
   * @throws NoSuchFileException if there is no log, or one of its segments is missing
   * @throws IOException also as {@link #find} does
   */
  public static InputStream open(Path file) throws IOException {
    return LogBytes.open(LocalDisk.INSTANCE, file);
  }

  /**
   * Returns the target if a file is a symbolic link, otherwise the file: segments are next to the
   * log, not next to the link.
   */
  public static Path named(Path file) throws IOException {
    return Files.isSymbolicLink(file) ? file.toRealPath() : file;
  }

  /** The segments of a log that is not compressed; fails as {@link #find} does. */
  static List<Path> existing(Disk disk, Path log) throws IOException {
    List<Path> files = new ArrayList<>(List.of(log));
    for (int number : later(disk, log)) {
      Path expected = file(log, files.size() + 1);
      Path file = file(log, number);
      if (!file.equals(expected)) {
        String reason = "it is missing, but " + file.getFileName() + " exists";
        throw new NoSuchFileException(expected.toString(), null, reason);
      }
      if (state(disk, file) != null) {
        files.add(file);
      }
    }
    return files;
  }

  /** Fails if a compressed log has later segments, which would not be read. */
  static void requireNone(Disk disk, Path log) throws IOException {
    for (int number : later(disk, log)) {
      throw new IOException(
          "%s: expected one log, found a compressed one, which has no segments, and %s"
              .formatted(
                  PlainText.escaped(log.toString()),
                  PlainText.escaped(file(log, number).getFileName().toString())));
    }
  }

  /**
   * The message that a segment is missing while a later one exists; null if this is not the case.
   */
  static @Nullable String missing(Disk disk, Path log, int number) throws IOException {
    Integer later = later(disk, log).ceiling(number);
    return later == null || later == number
        ? null
        : "segment %d is missing, but segment %d exists".formatted(number, later);
  }

  /**
   * The state of a segment; null if it does not exist.
   *
   * @throws IOException if it is not a regular file
   */
  static Disk.@Nullable FileState state(Disk disk, Path file) throws IOException {
    Disk.FileState state = disk.state(file);
    if (state != null && !state.isRegular()) {
      RegularFiles.file(file); // throws, and names the type of the file
    }
    return state;
  }
}
