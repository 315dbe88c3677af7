package dev.agentreplay.io;

import dev.agentreplay.io.internal.AppendFile;
import dev.agentreplay.io.internal.Disk;
import dev.agentreplay.io.internal.LocalDisk;
import dev.agentreplay.io.internal.LogParts;
import dev.agentreplay.io.internal.WholeFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Tells in what state a log is, and repairs one whose writer was broken off.
 *
 * <pre>{@code
 * Path log = directory.resolve("REPLAY.jsonl");
 * if (LogRecovery.inspect(log) instanceof Recovery.TornTail torn) {
 *   System.out.println(torn.droppedBytes() + " bytes are no event");
 *   LogRecovery.repair(log);
 * }
 * }</pre>
 *
 * <p>A repair loses nothing: the bytes that it cuts off are in another file, forced to the disk,
 * before it cuts them. Whenever it is broken off, it can be made again.
 */
public final class LogRecovery {

  private static final String TORN_SUFFIX = ".torn";

  private LogRecovery() {}

  /**
   * What a repair did.
   *
   * @param before in what state the log was
   * @param after in what state it is
   * @param removed the files that hold the bytes which were cut off, in their order in the log;
   *     empty when none were
   */
  public record Repair(Recovery before, Recovery after, List<Path> removed) {
    /** Checks for null, and copies. */
    public Repair {
      Objects.requireNonNull(before, "before");
      Objects.requireNonNull(after, "after");
      removed = List.copyOf(removed);
    }
  }

  /** Inspects a log as {@link #inspect(Path, ReaderOptions)} does, by default options. */
  public static Recovery inspect(Path log) throws IOException {
    return inspect(log, ReaderOptions.defaults());
  }

  /**
   * In what state a log is, which may be compressed. Only reads it. The state of a log that is
   * being written may be another one already.
   *
   * @throws NoSuchFileException if there is no such log
   * @throws IOException if it cannot be read, or the file is a later part of a log
   */
  public static Recovery inspect(Path log, ReaderOptions options) throws IOException {
    return inspect(LocalDisk.INSTANCE, LogFile.named(log), options);
  }

  /** In what state a log on a disk is. */
  static Recovery inspect(Disk disk, Path log) throws IOException {
    return inspect(disk, log, ReaderOptions.defaults());
  }

  private static Recovery inspect(Disk disk, Path log, ReaderOptions options) throws IOException {
    requireLog(disk, log);
    return LogScan.of(disk, log, options, line -> {}).recovery();
  }

  /** Salvages a log as {@link #salvage(Path, ReaderOptions)} does, by default options. */
  public static SalvageReader salvage(Path log) throws IOException {
    return salvage(log, ReaderOptions.defaults());
  }

  /**
   * Reads what can be read of a log that is {@link Recovery.Corrupt}, and says where it has gaps.
   *
   * @throws NoSuchFileException if there is no such log
   * @throws IOException if it cannot be read
   */
  public static SalvageReader salvage(Path log, ReaderOptions options) throws IOException {
    return salvage(LocalDisk.INSTANCE, LogFile.named(log), options);
  }

  /** Salvages a log on a disk. */
  static SalvageReader salvage(Disk disk, Path log) throws IOException {
    return salvage(disk, log, ReaderOptions.defaults());
  }

  private static SalvageReader salvage(Disk disk, Path log, ReaderOptions options)
      throws IOException {
    return SalvageReader.open(disk, log, options);
  }

  /** Salvages a log into another by default options. */
  public static long salvage(
      Path log, Path out, boolean overwrite, Consumer<? super Salvaged.Gap> gaps)
      throws IOException {
    return salvage(log, out, overwrite, ReaderOptions.defaults(), gaps);
  }

  /**
   * Writes all lines that can be read of a log into a new one, byte for byte, each with a line
   * feed. What is written is there whole or not at all.
   *
   * @param overwrite whether a file that is there is replaced
   * @param gaps is handed each gap, in order
   * @return how many lines were written
   * @throws FileAlreadyExistsException if the other file exists and is not to be replaced, is a
   *     file of this log or a part of another one by its name, or has such parts
   */
  public static long salvage(
      Path log,
      Path out,
      boolean overwrite,
      ReaderOptions options,
      Consumer<? super Salvaged.Gap> gaps)
      throws IOException {
    requireApart(LocalDisk.INSTANCE, LogFile.named(log), out);
    long lines = 0;
    try (SalvageReader reader = salvage(log, options);
        WholeFile file = overwrite ? WholeFile.replacing(out) : WholeFile.creating(out)) {
      for (Salvaged piece = reader.read(); piece != null; piece = reader.read()) {
        if (piece instanceof Salvaged.Gap gap) {
          gaps.accept(gap);
        } else if (piece instanceof Salvaged.Line line) {
          line.line().writeTo(file.out());
          lines++;
        }
      }
      file.commit();
    }
    return lines;
  }

  /** What is salvaged must neither replace what it is read from, nor be read with other parts. */
  private static void requireApart(Disk disk, Path log, Path out) throws IOException {
    NavigableSet<Integer> ownParts = DiskLogInput.laterParts(disk, log);
    ownParts.add(1);
    for (int part : ownParts) {
      if (Files.exists(out) && Files.isSameFile(LogParts.file(log, part), out)) {
        throw exists(out, "it is a file of the log that is salvaged");
      }
    }
    Path other = LogParts.ofLaterPart(out);
    if (other != null && disk.exists(other)) {
      throw exists(out, "it would be read as a part of " + other);
    }
    for (int part : DiskLogInput.laterParts(disk, out)) {
      throw exists(LogParts.file(out, part), "it would be read as a part of what is salvaged");
    }
  }

  private static FileAlreadyExistsException exists(Path file, String reason) {
    return new FileAlreadyExistsException(file.toString(), null, reason);
  }

  /** Repairs a log as {@link #repair(Path, ReaderOptions)} does, by default options. */
  public static Repair repair(Path log) throws IOException {
    return repair(log, ReaderOptions.defaults());
  }

  /**
   * Makes a log one that a writer may go on with: cuts off a torn tail, and adds the line feed
   * after a last line that has none. The bytes that are cut off are kept beside the file that they
   * were in, under its name and {@code .torn}, or {@code .torn.2} and so on when that is there. A
   * later part of the log in which nothing is left is deleted.
   *
   * @throws ReplayFormatException if the log is {@link Recovery.Corrupt}; nothing is changed
   * @throws LogLockedException if a writer has the log
   * @throws NoSuchFileException if there is no such log
   * @throws IOException also if it is compressed and not whole, or the file is a later part of a
   *     log; nothing is changed
   */
  public static Repair repair(Path log, ReaderOptions options) throws IOException {
    return repair(LocalDisk.INSTANCE, LogFile.named(log), options);
  }

  /** Repairs a log on a disk. */
  static Repair repair(Disk disk, Path log) throws IOException {
    return repair(disk, log, ReaderOptions.defaults());
  }

  @SuppressWarnings("try") // the lock is held, not used
  private static Repair repair(Disk disk, Path log, ReaderOptions options) throws IOException {
    requireLog(disk, log);
    try (Closeable lock = disk.lock(log)) {
      return repair(disk, log, options, line -> {});
    }
  }

  /** Truncates a log as {@link #truncate(Path, ReaderOptions)} does, by default options. */
  public static Repair truncate(Path log) throws IOException {
    return truncate(log, ReaderOptions.defaults());
  }

  /**
   * Makes a log one that a writer may go on with, as {@link #repair} does, even if it is
   * {@link Recovery.Corrupt}: it ends before its first fault then. All that is behind it is kept:
   * the rest of the file that the fault is in, and each later part, under the name of its file and
   * {@code .torn}. Good events may be among it; {@link #salvage} before it reads them.
   *
   * @throws ReplayFormatException if there is no event before the fault; nothing is changed
   * @throws LogLockedException if a writer has the log
   * @throws NoSuchFileException if there is no such log
   * @throws IOException also if it is compressed and not whole, or the file is a later part of a
   *     log; nothing is changed
   */
  public static Repair truncate(Path log, ReaderOptions options) throws IOException {
    return truncate(LocalDisk.INSTANCE, LogFile.named(log), options);
  }

  /** Truncates a log on a disk. */
  static Repair truncate(Disk disk, Path log) throws IOException {
    return truncate(disk, log, ReaderOptions.defaults());
  }

  @SuppressWarnings("try") // the lock is held, not used
  private static Repair truncate(Disk disk, Path log, ReaderOptions options) throws IOException {
    requireLog(disk, log);
    try (Closeable lock = disk.lock(log)) {
      LogScan.Result scan = LogScan.of(disk, log, options, line -> {});
      List<Path> removed = List.of();
      if (scan.recovery() instanceof Recovery.Corrupt corrupt) {
        if (corrupt.events() == 0) {
          throw refused(log, corrupt);
        }
        requirePlain(log, scan);
        removed = setAsideFrom(disk, log, corrupt.extent());
      }
      Repair rest = repair(disk, log, options, line -> {});
      return new Repair(
          scan.recovery(), rest.after(), removed.isEmpty() ? rest.removed() : removed);
    }
  }

  private static void requireLog(Disk disk, Path log) throws IOException {
    Path whole = LogParts.ofLaterPart(log);
    if (whole != null && disk.exists(whole)) {
      throw new IOException("%s is a part of the log %s: name that".formatted(log, whole));
    }
    if (!disk.exists(log)) {
      throw new NoSuchFileException(log.toString());
    }
  }

  private static void requirePlain(Path log, LogScan.Result scan) throws IOException {
    if (scan.compressed()) {
      throw new IOException(log + ": a compressed log is not repaired: decompress it first");
    }
  }

  private static ReplayFormatException refused(Path log, Recovery.Corrupt corrupt) {
    return new ReplayFormatException(
        corrupt.code(), log.toString(), corrupt.position(), corrupt.detail());
  }

  /**
   * Repairs a log whose lock the caller has, in one pass.
   *
   * @param lines is handed each line that stays, before anything is changed; the last may have the
   *     finding NO_FINAL_NEWLINE
   * @return its state after the repair: open or complete, with a line feed at its end
   */
  static Recovery repairLocked(Disk disk, Path log, Consumer<ReplayLine> lines) throws IOException {
    requireLog(disk, log);
    return repair(disk, log, ReaderOptions.defaults(), lines).after();
  }

  private static Repair repair(
      Disk disk, Path log, ReaderOptions options, Consumer<ReplayLine> lines) throws IOException {
    LogScan.Result scan = LogScan.of(disk, log, options, lines);
    Recovery before = scan.recovery();
    if (before instanceof Recovery.Corrupt corrupt) {
      throw refused(log, corrupt);
    }
    for (int empty = scan.emptyParts(); empty > 0; empty--) {
      delete(disk, LogParts.file(log, scan.parts() + empty));
    }
    if (before instanceof Recovery.TornTail torn) {
      requirePlain(log, scan);
      Path removed = cutTail(disk, log, scan.parts(), torn);
      return new Repair(before, whole(torn.ended(), torn.extent()), List.of(removed));
    }
    if (!before.missingLineFeed()) {
      return new Repair(before, before, List.of());
    }
    requirePlain(log, scan);
    Recovery.Extent extent = before.extent();
    addLineFeed(disk, LogParts.file(log, extent.part()), extent.partBytes());
    Recovery.Extent longer = new Recovery.Extent(
        extent.events(), extent.bytes() + 1, extent.part(), extent.partBytes() + 1);
    boolean ended = before instanceof Recovery.Complete;
    return new Repair(before, whole(ended, longer), List.of());
  }

  private static Recovery whole(boolean ended, Recovery.Extent extent) {
    return ended ? new Recovery.Complete(extent, false) : new Recovery.Open(extent, false);
  }

  /** Cuts the tail off the last part. Returns the file that keeps it. */
  private static Path cutTail(Disk disk, Path log, int lastPart, Recovery.TornTail torn)
      throws IOException {
    Recovery.Extent extent = torn.extent();
    boolean nothingLeft = extent.part() < lastPart;
    Path file = LogParts.file(log, lastPart);
    long left = nothingLeft ? 0 : extent.partBytes();
    Path removed = keep(disk, file, left, torn.droppedBytes());
    if (nothingLeft) {
      delete(disk, file);
    } else {
      cut(disk, file, left, torn.droppedBytes());
    }
    return removed;
  }

  /**
   * Leaves only what is good of a log, and keeps the rest. The last part goes first: whenever that
   * is broken off, what is left of the log is its beginning.
   */
  private static List<Path> setAsideFrom(Disk disk, Path log, Recovery.Extent good)
      throws IOException {
    Deque<Path> removed = new ArrayDeque<>();
    NavigableSet<Integer> behind = DiskLogInput.laterParts(disk, log).tailSet(good.part(), false);
    for (int part : behind.descendingSet()) {
      removed.addFirst(setAside(disk, LogParts.file(log, part)));
    }
    Path file = LogParts.file(log, good.part());
    long dropped = length(disk, file) - good.partBytes();
    if (dropped > 0) {
      removed.addFirst(keep(disk, file, good.partBytes(), dropped));
      cut(disk, file, good.partBytes(), dropped);
    }
    return List.copyOf(removed);
  }

  private static long length(Disk disk, Path file) throws IOException {
    try (AppendFile open = disk.append(file)) {
      return open.length();
    }
  }

  private static void cut(Disk disk, Path file, long left, long dropped) throws IOException {
    try (AppendFile open = disk.append(file)) {
      requireLength(file, open, left + dropped);
      open.truncate(left);
      open.force();
    }
  }

  private static void addLineFeed(Disk disk, Path file, long length) throws IOException {
    try (AppendFile out = disk.append(file)) {
      requireLength(file, out, length);
      out.write('\n');
      out.force();
    }
  }

  /** Copies the bytes of a file from an offset on into a new file beside it. */
  private static Path keep(Disk disk, Path file, long from, long bytes) throws IOException {
    for (int number = 1; true; number++) {
      Path kept = torn(file, number);
      try (WholeFile copy = WholeFile.creating(disk, kept);
          InputStream in = disk.read(file)) {
        in.skipNBytes(from);
        long copied = in.transferTo(copy.out());
        if (copied != bytes) {
          throw changed(file, from + bytes, from + copied);
        }
        copy.commit();
        return kept;
      } catch (FileAlreadyExistsException e) {
        // the next number
      } catch (EOFException e) {
        throw new IOException(file + " was cut while it was being repaired", e);
      }
    }
  }

  /** Gives a file the name that its bytes are kept under. */
  private static Path setAside(Disk disk, Path file) throws IOException {
    for (int number = 1; true; number++) {
      Path kept = torn(file, number);
      try {
        disk.moveIfAbsent(file, kept);
        disk.forceParent(kept);
        return kept;
      } catch (FileAlreadyExistsException e) {
        // the next number
      }
    }
  }

  private static Path torn(Path file, int number) {
    String suffix = TORN_SUFFIX + (number == 1 ? "" : "." + number);
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static void delete(Disk disk, Path file) throws IOException {
    disk.delete(file);
    disk.forceParent(file);
  }

  /** Whoever writes to the log without asking for its lock must not lose what was written. */
  private static void requireLength(Path file, AppendFile open, long expected) throws IOException {
    long found = open.length();
    if (found != expected) {
      throw changed(file, expected, found);
    }
  }

  private static IOException changed(Path file, long expected, long found) {
    return new IOException("%s changed while it was being repaired: expected %d bytes, found %d"
        .formatted(file, expected, found));
  }
}
