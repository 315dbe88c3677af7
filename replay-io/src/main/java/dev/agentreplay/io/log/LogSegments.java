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
 * The files that one log is in, its segments. A log that is not rotated is in one; the segments
 * after it have its name and a number from 2. Read one after the other, without gaps, they are the
 * log.
 */
public final class LogSegments {

  private static final Pattern LATER_SEGMENT = Pattern.compile("\\.(?:[2-9]|[1-9][0-9]{1,4})");

  private LogSegments() {}

  /** The file of a segment, from 1. */
  public static Path file(Path log, int segment) {
    return segment == 1 ? log : log.resolveSibling(log.getFileName() + "." + segment);
  }

  /** The directory of a log. */
  public static Path directory(Path log) {
    return Objects.requireNonNull(log.toAbsolutePath().getParent(), "a log is in a directory");
  }

  /** The numbers of all files that are named as later segments of a log. */
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

  /** Whether a name is that of a segment, other than the first, of a log. */
  public static boolean isLaterSegment(String log, String name) {
    return name.startsWith(log)
        && LATER_SEGMENT.matcher(name).region(log.length(), name.length()).matches();
  }

  /** The log that a file is a later segment of by its name; null if that is no such name. */
  public static @Nullable Path ofLaterSegment(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 && isLaterSegment(name.substring(0, dot), name)
        ? file.resolveSibling(name.substring(0, dot))
        : null;
  }

  /**
   * The files that a log is in now. One that is compressed, or a pipe, is in one.
   *
   * @throws NoSuchFileException if a segment is missing while a later one is there
   * @throws IOException if one but the first is a link, a directory or a special file, or the log
   *     is compressed and there are segments of it
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
   * Opens the bytes of a log: those of all its segments, and those of a compressed one
   * decompressed.
   *
   * @throws NoSuchFileException if there is no log, or a segment of it is missing
   * @throws IOException also as {@link #find} does
   */
  public static InputStream open(Path file) throws IOException {
    return LogBytes.open(LocalDisk.INSTANCE, file);
  }

  /** The log itself where a file is a link to it: its segments are next to it, not to the link. */
  public static Path named(Path file) throws IOException {
    return Files.isSymbolicLink(file) ? file.toRealPath() : file;
  }

  /** The files of a log that is not compressed; fails as {@link #find} does. */
  static List<Path> existing(Disk disk, Path log) throws IOException {
    List<Path> files = new ArrayList<>(List.of(log));
    for (int number : later(disk, log)) {
      Path expected = file(log, files.size() + 1);
      Path file = file(log, number);
      if (!file.equals(expected)) {
        String reason = "it is missing, but " + file.getFileName() + " is there";
        throw new NoSuchFileException(expected.toString(), null, reason);
      }
      if (state(disk, file) != null) {
        files.add(file);
      }
    }
    return files;
  }

  /** Fails if there are segments of a compressed log: they would not be read. */
  static void requireNone(Disk disk, Path log) throws IOException {
    for (int number : later(disk, log)) {
      throw new IOException(
          "%s: expected one log, found a compressed one, which has no segments, and %s"
              .formatted(
                  PlainText.escaped(log.toString()),
                  PlainText.escaped(file(log, number).getFileName().toString())));
    }
  }

  /** The message that a segment is missing while a later one is there; null if that is not so. */
  static @Nullable String missing(Disk disk, Path log, int number) throws IOException {
    Integer later = later(disk, log).ceiling(number);
    return later == null || later == number
        ? null
        : "segment %d is missing, but segment %d is there".formatted(number, later);
  }

  /**
   * The state of a segment; null if there is none.
   *
   * @throws IOException if it is not a regular file
   */
  static Disk.@Nullable FileState state(Disk disk, Path file) throws IOException {
    Disk.FileState state = disk.state(file);
    if (state != null && !state.isRegular()) {
      RegularFiles.file(file); // which says what it is
    }
    return state;
  }
}
