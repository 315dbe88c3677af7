package dev.agentreplay.io.log;

import dev.agentreplay.io.file.AppendFile;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.WholeFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.Consumer;

/**
 * Repairs a log as {@link LogRecovery} specifies. Bytes are copied and forced to disk before they
 * are truncated.
 */
final class LogRepair {

  private static final String TORN_SUFFIX = ".torn";

  private final Disk disk;
  private final Path log;
  private final ReaderOptions options;

  LogRepair(Disk disk, Path log, ReaderOptions options) {
    this.disk = disk;
    this.log = log;
    this.options = options;
  }

  /** Locks and repairs a log. */
  @SuppressWarnings("try") // the lock is only held
  LogRecovery.Repair repair() throws IOException {
    LogRecovery.requireLog(disk, log);
    try (Closeable lock = disk.lock(log)) {
      return repair(line -> {});
    }
  }

  /** Locks and repairs a log; a corrupt one is truncated before its first fault. */
  @SuppressWarnings("try") // the lock is only held
  LogRecovery.Repair truncate() throws IOException {
    LogRecovery.requireLog(disk, log);
    try (Closeable lock = disk.lock(log)) {
      LogScan.Result scan = LogScan.of(disk, log, options, line -> {});
      if (!(scan.recovery() instanceof Recovery.Corrupt corrupt)) {
        return repair(line -> {});
      }
      if (corrupt.events() == 0) {
        throw refused(corrupt);
      }
      requirePlain(scan);
      long droppedBytes = bytes() - corrupt.bytes();
      List<Path> removed = setAsideFrom(corrupt.extent());
      Recovery after = repair(line -> {}).after();
      return new LogRecovery.Repair(corrupt, after, removed, droppedBytes);
    }
  }

  private void requirePlain(LogScan.Result scan) throws IOException {
    if (scan.compressed()) {
      throw new IOException(log + ": a compressed log cannot be repaired: decompress it first");
    }
  }

  private ReplayFormatException refused(Recovery.Corrupt corrupt) {
    return new ReplayFormatException(
        corrupt.code(), log.toString(), corrupt.position(), corrupt.detail());
  }

  /**
   * Repairs the log, whose lock the caller holds, and passes each line that stays to {@code lines}.
   */
  LogRecovery.Repair repair(Consumer<? super ReplayLine> lines) throws IOException {
    LogScan.Result scan = LogScan.of(disk, log, options, lines);
    Recovery before = scan.recovery();
    if (before instanceof Recovery.Corrupt corrupt) {
      throw refused(corrupt);
    }
    for (int empty = scan.emptySegments(); empty > 0; empty--) {
      delete(LogSegments.file(log, scan.segments() + empty));
    }
    if (before instanceof Recovery.TornTail torn) {
      requirePlain(scan);
      Path removed = cutTail(scan.segments(), torn);
      return new LogRecovery.Repair(
          before, whole(torn.ended(), torn.extent()), List.of(removed), torn.droppedBytes());
    }
    if (!before.missingLineFeed()) {
      return new LogRecovery.Repair(before, before, List.of(), 0);
    }
    requirePlain(scan);
    Recovery.Extent extent = before.extent();
    addLineFeed(LogSegments.file(log, extent.segment()), extent.segmentBytes());
    Recovery.Extent longer = new Recovery.Extent(
        extent.events(), extent.bytes() + 1, extent.segment(), extent.segmentBytes() + 1);
    boolean ended = before instanceof Recovery.Complete;
    return new LogRecovery.Repair(before, whole(ended, longer), List.of(), 0);
  }

  private static Recovery whole(boolean ended, Recovery.Extent extent) {
    return ended ? new Recovery.Complete(extent, false) : new Recovery.Open(extent, false);
  }

  /** Truncates the tail of the last segment. Returns the file that keeps it. */
  private Path cutTail(int lastSegment, Recovery.TornTail torn) throws IOException {
    Recovery.Extent extent = torn.extent();
    boolean nothingLeft = extent.segment() < lastSegment;
    Path file = LogSegments.file(log, lastSegment);
    long left = nothingLeft ? 0 : extent.segmentBytes();
    Path removed = keep(file, left, torn.droppedBytes());
    if (nothingLeft) {
      delete(file);
    } else {
      cut(file, left, torn.droppedBytes());
    }
    return removed;
  }

  /**
   * Leaves only the good beginning of a log, and keeps the rest. The last segment is moved first,
   * so that an interruption at any point leaves a beginning of the log.
   */
  private List<Path> setAsideFrom(Recovery.Extent good) throws IOException {
    Deque<Path> removed = new ArrayDeque<>();
    NavigableSet<Integer> behind = LogSegments.later(disk, log).tailSet(good.segment(), false);
    for (int segment : behind.descendingSet()) {
      removed.addFirst(setAside(LogSegments.file(log, segment)));
    }
    Path file = LogSegments.file(log, good.segment());
    long dropped = length(file) - good.segmentBytes();
    if (dropped > 0) {
      removed.addFirst(keep(file, good.segmentBytes(), dropped));
      cut(file, good.segmentBytes(), dropped);
    }
    return List.copyOf(removed);
  }

  /** The length of all segments of the log. */
  private long bytes() throws IOException {
    long bytes = length(log);
    for (int segment : LogSegments.later(disk, log)) {
      bytes += length(LogSegments.file(log, segment));
    }
    return bytes;
  }

  private long length(Path file) throws IOException {
    try (AppendFile open = disk.append(file)) {
      return open.length();
    }
  }

  private void cut(Path file, long left, long dropped) throws IOException {
    try (AppendFile open = disk.append(file)) {
      requireLength(file, open, left + dropped);
      open.truncate(left);
      open.force();
    }
  }

  private void addLineFeed(Path file, long length) throws IOException {
    try (AppendFile out = disk.append(file)) {
      requireLength(file, out, length);
      out.write('\n');
      out.force();
    }
  }

  /** Copies the bytes of a file from an offset into a new file next to it. */
  private Path keep(Path file, long from, long bytes) throws IOException {
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
        // try the next number
      } catch (EOFException e) {
        throw new IOException(file + " was truncated while it was being repaired", e);
      }
    }
  }

  /** Renames a file to the name under which its bytes are kept. */
  private Path setAside(Path file) throws IOException {
    for (int number = 1; true; number++) {
      Path kept = torn(file, number);
      try {
        disk.moveIfAbsent(file, kept);
        disk.forceParent(kept);
        return kept;
      } catch (FileAlreadyExistsException e) {
        // try the next number
      }
    }
  }

  private static Path torn(Path file, int number) {
    String suffix = TORN_SUFFIX + (number == 1 ? "" : "." + number);
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private void delete(Path file) throws IOException {
    disk.delete(file);
    disk.forceParent(file);
  }

  /**
   * Fails if a file has changed, so that no bytes are lost that a program has written without
   * locking the log.
   */
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
