package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.dialect.LineEncoder.EncodedLine;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.model.ReplayHeader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Opens a log for a writer: a new one, or an existing one to append to. The lock is acquired first;
 * if anything fails after that, files and lock are released, and a log that was created is deleted.
 */
final class LogOpening {

  private final Disk disk;
  private final Path file;
  private final WriterOptions options;
  private final LogAccount account;

  /**
   * Creates an opening; nothing is opened yet.
   *
   * @param account receives each line that is in the log or is written
   */
  LogOpening(Disk disk, Path file, WriterOptions options, LogAccount account) {
    this.disk = disk;
    this.file = file;
    this.options = Objects.requireNonNull(options, "options");
    this.account = account;
  }

  /**
   * Creates a log, as {@link ReplayWriter#create(Path, ReplayHeader, WriterOptions)} specifies.
   *
   * @param replaces whether it may replace a log with nothing but a header
   */
  ReplayWriter create(ReplayHeader header, boolean replaces) throws IOException {
    String version = options.dialect().version();
    if (!header.version().equals(ReplayHeader.VERSION) && !header.version().equals(version)) {
      throw new IllegalArgumentException("version must be " + version + ": " + header.version());
    }
    Canonicalization canonicalization = Canonicalization.find(header.canonicalization());
    if (canonicalization == null) {
      throw new IllegalArgumentException(
          "canonicalization is not known: " + header.canonicalization());
    }
    requireAbsent(replaces);
    WrittenLog log =
        new WrittenLog(options.dialect(), canonicalization, options.evidence().tree());
    LineEncoder encoder = LineEncoder.of(options.dialect(), canonicalization);
    ReplayHeader complete = header.withVersion(version);
    EncodedLine encoded = LogAppender.encode(encoder, complete, options.now());
    WrittenEvent first = log.next(complete, encoded, 0);
    Disk.Lock claim = disk.lock(file);
    Journal journal = null;
    try {
      if (replaces && disk.exists(file)) {
        deleteLeftover(claim);
      }
      journal = Journal.create(disk, file, options, encoder);
      log.add(complete, encoder);
      account.add(first);
      return writer(options, claim, journal, log);
    } catch (Throwable e) {
      if (journal != null) {
        LogRelease.close(journal, e);
        LogRelease.delete(disk, file, 1, e);
      }
      LogRelease.close(claim, e);
      throw e;
    }
  }

  /** Opens a log to append to it, as {@link ReplayWriter#append} specifies. */
  ReplayWriter append() throws IOException {
    if (!disk.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    Disk.Lock claim = disk.lock(file);
    Journal journal = null;
    try {
      ExistingLog existing = new ExistingLog(file, options.evidence().tree(), account::add);
      Recovery.Extent extent = existing.repair(disk, claim);
      WrittenLog log = existing.log();
      WriterOptions same = options.withDialect(log.dialect());
      journal = Journal.append(disk, file, same, extent, existing.endsAtABeginning());
      return writer(same, claim, journal, log);
    } catch (Throwable e) {
      LogRelease.close(journal, e);
      LogRelease.close(claim, e);
      throw e;
    }
  }

  private ReplayWriter writer(
      WriterOptions same, Closeable claim, Journal journal, WrittenLog log) {
    EncoderPool encoders = new EncoderPool(log.dialect(), log.canonicalization());
    CountedLog lines = new CountedLog(disk, file, same, journal, log, account);
    LogAppender appender = new LogAppender(disk, file, same, claim, journal, lines, encoders);
    return new ReplayWriter(appender, same, encoders);
  }

  /**
   * Deletes a log that is empty or has only a header, as a recorder leaves it that was interrupted
   * before its session had begun. A torn line after the header, or a torn header, is kept as
   * {@link LogRecovery#repair()} does.
   *
   * @throws FileAlreadyExistsException if it has anything else; nothing is changed
   */
  private void deleteLeftover(Disk.Lock claim) throws IOException {
    boolean[] hasOther = new boolean[1];
    Recovery recovery;
    try {
      recovery = LogRecovery.of(disk, file)
          .inspect(line -> hasOther[0] |= !(line.event() instanceof ReplayHeader));
    } catch (IOException e) {
      throw new FileAlreadyExistsException(file.toString(), null, "it cannot be read: " + e);
    }
    boolean isTorn = recovery instanceof Recovery.TornTail && beginsAsObject();
    if (hasOther[0] || recovery.events() > 1 || !(isTorn || recovery instanceof Recovery.Open)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    if (isTorn) {
      LogRecovery.of(disk, file).repair(claim, line -> {});
    }
    disk.delete(file);
    disk.forceParent(file);
  }

  private boolean beginsAsObject() throws IOException {
    try (InputStream in = disk.read(LogSegments.named(file))) {
      return in.read() == '{';
    }
  }

  /**
   * Fails if the log exists, or a file with the name of a later segment of it, which would be read
   * as its continuation.
   */
  private void requireAbsent(boolean replaces) throws IOException {
    if (!replaces && disk.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    for (int segment : LogSegments.later(disk, file)) {
      throw new FileAlreadyExistsException(
          LogSegments.file(file, segment).toString(), null, "a segment of a log that is missing");
    }
  }
}
