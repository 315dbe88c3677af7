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
 * Crash recovery of a log: diagnoses its state, and repairs a torn write at its end.
 *
 * <pre>{@code
 * LogRecovery recovery = LogRecovery.of(directory.resolve("REPLAY.jsonl"));
 * if (recovery.inspect() instanceof Recovery.TornTail torn) {
 *   System.out.println(torn.droppedBytes() + " bytes are not an event");
 *   recovery.repair();
 * }
 * }</pre>
 *
 * <p>A repair loses nothing: before it truncates a file, it copies the bytes to another file and
 * forces that to disk (fsync). A repair that was interrupted can be repeated. A log that a writer
 * has locked is not repaired. Immutable and safe for use by several threads: each method reads the
 * log as it is when the method is called.
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

  /** Creates the recovery of a log, which is read with the default options. */
  public static LogRecovery of(Path log) {
    return of(log, ReaderOptions.defaults());
  }

  /** Creates the recovery of a log. */
  public static LogRecovery of(Path log, ReaderOptions options) {
    return new LogRecovery(LocalDisk.INSTANCE, log, options);
  }

  /** Creates the recovery of a log on a disk. */
  public static LogRecovery of(Disk disk, Path log) {
    return new LogRecovery(disk, log, ReaderOptions.defaults());
  }

  /**
   * The outcome of a repair.
   *
   * @param before the state of the log before it
   * @param after the state of the log after it
   * @param removed the files with the bytes that were removed from the log, in their order in the
   *     log; empty if none were
   * @param droppedBytes the number of these bytes
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
   * Diagnoses the log, which may be compressed; it is only read. If a writer is writing the log,
   * its state may have changed when this method returns.
   *
   * @throws NoSuchFileException if there is no such log
   * @throws IOException if it cannot be read, or the file is a later segment of a log
   */
  public Recovery inspect() throws IOException {
    return inspect(line -> {});
  }

  /**
   * Diagnoses the log as {@link #inspect()} does.
   *
   * @param lines receives each line before the first fault, as it is read
   */
  public Recovery inspect(Consumer<? super ReplayLine> lines) throws IOException {
    Path log = LogSegments.named(file);
    requireLog(disk, log);
    return LogScan.of(disk, log, options, lines).recovery();
  }

  /**
   * Opens a reader that reads all readable events of a damaged log, as one that is
   * {@link Recovery.Corrupt}, and reports its gaps.
   *
   * @throws NoSuchFileException if there is no such log
   * @throws IOException if it cannot be read
   */
  public SalvageReader salvage() throws IOException {
    return SalvageReader.open(disk, LogSegments.named(file), options);
  }

  /**
   * Writes all readable lines of the log to a file, byte for byte, each with a line feed. The file
   * is written atomically: a crash leaves the complete file, or what was there before.
   *
   * @param overwrite whether an existing file is replaced
   * @param gaps receives each gap, in order
   * @return the number of lines that were written
   * @throws FileAlreadyExistsException if the output file exists and is not to be replaced, is a
   *     file of this log, has the name of a later segment of an existing log, also of this one, or
   *     has later segments itself
   */
  public long salvage(Path out, boolean overwrite, Consumer<? super Salvaged.Gap> gaps)
      throws IOException {
    LogSalvage.requireApart(disk, LogSegments.named(file), out);
    try (SalvageReader reader = salvage()) {
      return LogSalvage.write(reader, out, overwrite, gaps);
    }
  }

  /**
   * Repairs the log so that a writer can append to it: truncates a torn tail, and adds the line
   * feed after a last line that has none. The truncated bytes are kept next to their file, under
   * its name with the suffix {@code .torn}, or {@code .torn.2} and so on if that exists. A later
   * segment in which nothing is left is deleted. The changes are forced to disk.
   *
   * @throws ReplayFormatException if the log is {@link Recovery.Corrupt}; nothing is changed
   * @throws LogLockedException if a writer has locked the log
   * @throws NoSuchFileException if there is no such log
   * @throws IOException also if it needs a repair but is compressed, or the file is a later segment
   *     of a log; nothing is changed
   */
  public Repair repair() throws IOException {
    return new LogRepair(disk, LogSegments.named(file), options).repair();
  }

  /**
   * Repairs the log as {@link #repair()} does, in one pass, for a writer that has locked it.
   *
   * @param lock the lock of this log, which the caller holds and keeps; only its name is compared,
   *     not whether it is still held
   * @param lines receives each line that stays, before anything is changed; the last line may have
   *     the finding NO_FINAL_NEWLINE
   * @return the state after the repair: open or complete, with a line feed at its end
   * @throws IllegalArgumentException if the lock is that of a different log
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
   * Repairs the log as {@link #repair()} does, and also one that is {@link Recovery.Corrupt}: that
   * is truncated before its first fault. The removed bytes are kept: the rest of the file with the
   * fault, and each later segment, under the name of its file with the suffix {@code .torn}. They
   * may contain good events, which {@link #salvage()} reads if it is called before.
   *
   * @throws ReplayFormatException if there is no event before the fault; nothing is changed
   * @throws LogLockedException if a writer has locked the log
   * @throws NoSuchFileException if there is no such log
   * @throws IOException also if it needs a repair but is compressed, or the file is a later segment
   *     of a log; nothing is changed
   */
  public Repair truncate() throws IOException {
    return new LogRepair(disk, LogSegments.named(file), options).truncate();
  }

  /** Fails unless this is the first file of a log. */
  static void requireLog(Disk disk, Path log) throws IOException {
    Path whole = LogSegments.ofLaterSegment(log);
    if (whole != null && disk.exists(whole)) {
      throw new IOException(
          "%s is a segment of the log %s: specify the log instead".formatted(log, whole));
    }
    if (!disk.exists(log)) {
      throw new NoSuchFileException(log.toString());
    }
  }
}
