package dev.agentreplay.io.log;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.LogLockedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Tells the state of a log, and repairs one whose writer was interrupted.
 *
 * <pre>{@code
 * LogRecovery recovery = LogRecovery.of(directory.resolve("REPLAY.jsonl"));
 * if (recovery.inspect() instanceof Recovery.TornTail torn) {
 *   System.out.println(torn.droppedBytes() + " bytes are no event");
 *   recovery.repair();
 * }
 * }</pre>
 *
 * <p>A repair loses nothing: the bytes that it cuts off are in another file, forced to the disk,
 * before it cuts them. An interrupted repair can be made again. Immutable: each method reads the
 * log as it is then.
 */
public final class LogRecovery {

  private final Disk disk;
  private final Path file;
  private final ReaderOptions options;

  private LogRecovery(Disk disk, Path file, ReaderOptions options) {
    this.disk = disk;
    this.file = Objects.requireNonNull(file, "log");
    this.options = Objects.requireNonNull(options, "options");
  }

  /** The recovery of a log, which is read with default options. */
  public static LogRecovery of(Path log) {
    return of(log, ReaderOptions.defaults());
  }

  /** The recovery of a log. */
  public static LogRecovery of(Path log, ReaderOptions options) {
    return new LogRecovery(LocalDisk.INSTANCE, log, options);
  }

  /** The recovery of a log on a disk. */
  public static LogRecovery of(Disk disk, Path log) {
    return new LogRecovery(disk, log, ReaderOptions.defaults());
  }

  /**
   * The outcome of a repair.
   *
   * @param before the state of the log before it
   * @param after the state of the log after it
   * @param removed the files that hold the bytes which were cut off, in their order in the log;
   *     empty when none were
   * @param droppedBytes how many bytes these are
   */
  public record Repair(Recovery before, Recovery after, List<Path> removed, long droppedBytes) {
    /** Checks for null, and copies. */
    public Repair {
      Objects.requireNonNull(before, "before");
      Objects.requireNonNull(after, "after");
      removed = List.copyOf(removed);
    }
  }

  /**
   * The state of the log, which may be compressed. Only reads it. The state of a log that is being
   * written may be different already.
   *
   * @throws NoSuchFileException if there is no such log
   * @throws IOException if it cannot be read, or the file is a later segment of a log
   */
  public Recovery inspect() throws IOException {
    return inspect(line -> {});
  }

  /**
   * The state of the log, as {@link #inspect()} tells it.
   *
   * @param lines is handed each line before the first that is wrong, as it is read
   */
  public Recovery inspect(Consumer<? super ReplayLine> lines) throws IOException {
    Path log = LogSegments.named(file);
    requireLog(disk, log);
    return LogScan.of(disk, log, options, lines).recovery();
  }

  /**
   * Reads what can be read of a log that is {@link Recovery.Corrupt}, and reports its gaps.
   *
   * @throws NoSuchFileException if there is no such log
   * @throws IOException if it cannot be read
   */
  public SalvageReader salvage() throws IOException {
    return SalvageReader.open(disk, LogSegments.named(file), options);
  }

  /**
   * Writes all lines that can be read of the log into a new one, byte for byte, each with a line
   * feed. What is written is there whole or not at all.
   *
   * @param overwrite whether an existing file is replaced
   * @param gaps is handed each gap, in order
   * @return the number of lines that were written
   * @throws FileAlreadyExistsException if the other file exists and is not to be replaced, is a
   *     file of this log or a segment of another one by its name, or has such segments
   */
  public long salvage(Path out, boolean overwrite, Consumer<? super Salvaged.Gap> gaps)
      throws IOException {
    LogSalvage.requireApart(disk, LogSegments.named(file), out);
    try (SalvageReader reader = salvage()) {
      return LogSalvage.write(reader, out, overwrite, gaps);
    }
  }

  /**
   * Makes the log one that a writer can append to: cuts off a torn tail, and adds the line feed
   * after a last line that has none. The bytes that are cut off are kept beside the file that they
   * were in, under its name and {@code .torn}, or {@code .torn.2} and so on when that is there. A
   * later segment of the log in which nothing is left is deleted.
   *
   * @throws ReplayFormatException if the log is {@link Recovery.Corrupt}; nothing is changed
   * @throws LogLockedException if a writer has the log
   * @throws NoSuchFileException if there is no such log
   * @throws IOException also if it is compressed and not whole, or the file is a later segment of a
   *     log; nothing is changed
   */
  public Repair repair() throws IOException {
    return new LogRepair(disk, LogSegments.named(file), options).repair();
  }

  /**
   * Repairs the log as {@link #repair()} does, in one pass, for a writer that has its lock.
   *
   * @param lock the lock of this log, which the caller holds and keeps; its name is compared, not
   *     whether it is still held
   * @param lines is handed each line that stays, before anything is changed; the last may have the
   *     finding NO_FINAL_NEWLINE
   * @return its state after the repair: open or complete, with a line feed at its end
   * @throws IllegalArgumentException if it is the lock of another log
   */
  public Recovery repair(Disk.Lock lock, Consumer<? super ReplayLine> lines) throws IOException {
    if (!lock.log().equals(file)) {
      throw new IllegalArgumentException(
          "the lock must be that of %s: %s".formatted(file, lock.log()));
    }
    Path log = LogSegments.named(file);
    requireLog(disk, log);
    return new LogRepair(disk, log, options).repair(lines).after();
  }

  /**
   * Makes the log one that a writer can append to, as {@link #repair()} does, even if it is
   * {@link Recovery.Corrupt}: it ends before its first fault then. All that is behind it is kept:
   * the rest of the file that the fault is in, and each later segment, under the name of its file
   * and {@code .torn}. Good events may be among it; {@link #salvage()} before it reads them.
   *
   * @throws ReplayFormatException if there is no event before the fault; nothing is changed
   * @throws LogLockedException if a writer has the log
   * @throws NoSuchFileException if there is no such log
   * @throws IOException also if it is compressed and not whole, or the file is a later segment of a
   *     log; nothing is changed
   */
  public Repair truncate() throws IOException {
    return new LogRepair(disk, LogSegments.named(file), options).truncate();
  }

  /** Fails unless this is the first file of a log. */
  static void requireLog(Disk disk, Path log) throws IOException {
    Path whole = LogSegments.ofLaterSegment(log);
    if (whole != null && disk.exists(whole)) {
      throw new IOException("%s is a segment of the log %s: name that".formatted(log, whole));
    }
    if (!disk.exists(log)) {
      throw new NoSuchFileException(log.toString());
    }
  }
}
