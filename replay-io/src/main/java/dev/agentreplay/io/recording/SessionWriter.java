package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.session.BlobStore;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;

/**
 * Writes a session whose events are known already, such as one that is imported from the trace of a
 * different tool: the log in the dialect {@code event}, blobs, and the receipt.
 *
 * <pre>{@code
 * try (SessionWriter writer = SessionWriter.create(directory, header)) {
 *   for (ReplayEvent event : events) {
 *     writer.write(event);
 *   }
 *   writer.finish(receipt -> receipt);
 * }
 * }</pre>
 *
 * <p>Unlike a {@link SessionRecorder}, it invents nothing: an event has the time that it states, or
 * else that of the event before, a prompt stays as it is given, in full or as a change, and a
 * session without an end has a receipt as well. The lines are forced to disk (fsync) by
 * {@link #finish}. Closing without it deletes the log; the caller deletes the directory. Not safe
 * for use by several threads.
 */
public final class SessionWriter implements Closeable {

  private final Disk disk;
  private final Path directory;
  private final SessionAccount account;
  private final ReplayWriter writer;
  private final BlobWriter blobs;
  private Timestamp lastTime;
  private boolean isFinished;

  private SessionWriter(Disk disk, Path directory, ReplayHeader header, Timestamp time)
      throws IOException {
    this.disk = disk;
    this.directory = directory;
    this.lastTime = time;
    this.account = new SessionAccount(line -> {});
    WriterOptions options = WriterOptions.defaults()
        .withDurability(Durability.BUFFERED)
        .withClock(Clock.fixed(time.instant(), ZoneOffset.UTC));
    this.writer = new LogOpening(disk, directory.resolve(Session.LOG_NAME), options, account)
        .create(header, false);
    this.blobs = new BlobWriter(
        new BlobStore(disk, directory.resolve(Session.BLOBS_NAME)),
        CanonicalJson.of(Canonicalization.SERDE),
        RecorderOptions.defaults().blobThreshold());
  }

  /**
   * Creates a log, and writes its header.
   *
   * @param directory the directory of the session; created if it is missing
   * @param header the header, which must state its time
   * @throws java.nio.file.FileAlreadyExistsException if there is a log
   * @throws IllegalArgumentException if the header has no time, or names a canonicalization
   */
  public static SessionWriter create(Path directory, ReplayHeader header) throws IOException {
    LocalDisk.createDirectories(directory);
    return create(LocalDisk.INSTANCE, directory, header);
  }

  static SessionWriter create(Disk disk, Path directory, ReplayHeader header) throws IOException {
    Timestamp time = header.meta().time();
    if (time == null || header.canonicalization() != null) {
      throw new IllegalArgumentException(
          "the header must state its time, and no canonicalization: " + header);
    }
    return new SessionWriter(disk, directory, header, time);
  }

  /**
   * Writes an event; a large value is stored in a blob.
   *
   * @throws IllegalArgumentException as {@link ReplayWriter#emit} throws it; nothing is written
   */
  public WrittenEvent write(ReplayEvent event) throws IOException {
    Timestamp time = event.meta().time();
    ReplayEvent timed = event;
    if (time == null) {
      timed = event.withMeta(event.meta().withTime(lastTime));
    }
    BlobWriter.LargeEvent large = blobs.prepare(timed, Dialect.EVENT);
    if (large != null) {
      LogAppender.requireInRange(timed);
      writer.check(large.event());
      large.keep();
    }
    WrittenEvent written = writer.emit(large == null ? timed : large.event());
    lastTime = time == null ? lastTime : time;
    return written;
  }

  /** The time of the last event that stated one; that of the header if none did. */
  public Timestamp lastTime() {
    return lastTime;
  }

  /**
   * Forces the log to disk (fsync), and writes the receipt.
   *
   * @param change changes the receipt before it is written, as by adding members
   */
  public SessionReceipt finish(UnaryOperator<SessionReceipt> change) throws IOException {
    writer.sync();
    WrittenLog.Digest digest = writer.digest();
    SessionReceipt receipt = change.apply(account.toReceipt(digest));
    writer.close();
    SessionSeal seal = new SessionSeal(
        disk,
        directory,
        digest.hash(),
        CanonicalJson.of(Canonicalization.SERDE),
        receipt,
        null,
        null);
    seal.write();
    isFinished = true;
    return receipt;
  }

  /** Deletes the log, unless it was finished. */
  @Override
  public void close() throws IOException {
    if (!isFinished) {
      writer.discard(new IOException("the session was not finished"));
    }
  }
}
