package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolCall;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes lines to the journal, and keeps their account consistent with it: hash, tree, totals, and
 * a {@link LogAccount}. All methods except {@link #log} are called under the lock of the
 * {@link LogAppender}.
 *
 * <p>The states are counted and stale. It is stale while a line is written, and stays stale if an
 * Error occurs between the write and its account: then the log is read again before the account is
 * used.
 */
final class CountedLog {

  private final Disk disk;
  private final Path file;
  private final boolean hasTree;
  private final Journal journal;
  private final LogAccount account;
  private volatile WrittenLog log;

  /** Whether the account may lack a line, or have one that is not in the log. */
  private boolean stale;

  /**
   * Continues a log.
   *
   * @param log the account of all lines of the journal; {@code account} has them, too
   */
  CountedLog(
      Disk disk,
      Path file,
      WriterOptions options,
      Journal journal,
      WrittenLog log,
      LogAccount account) {
    this.disk = disk;
    this.file = file;
    this.hasTree = options.evidence().tree();
    this.journal = journal;
    this.log = log;
    this.account = account;
  }

  /** The lines so far; any thread may hash its batches and read its constant properties. */
  WrittenLog log() {
    return log;
  }

  /**
   * Writes an event of the caller, whose position was assigned already.
   *
   * @throws ReplayWriteException if it is not in the log, or this is unknown
   * @throws Error if it is not in the log
   */
  void append(ReplayEvent event, WrittenEvent written, LineEncoder encoder) throws IOException {
    long offset = journal.position();
    stale = true;
    try {
      if (event instanceof SessionEnd || hasEffect(event)) {
        journal.appendUnbuffered(encoder);
      } else {
        journal.append(encoder, true);
      }
    } catch (IOException | Error e) {
      stale = journal.position() != offset;
      if (!stale) {
        throw e;
      } else if (e instanceof ReplayWriteException failed) {
        throw failed.of(written);
      }
    }
    try {
      log.add(event, encoder);
      account.add(written);
      stale = false;
    } catch (Error e) {
      stale = true; // the event is in the log, and is counted when that is read again
    }
  }

  /** Whether an event must be in the file before a tool runs, also if others are buffered. */
  private static boolean hasEffect(ReplayEvent event) {
    return event instanceof ToolCall call && call.attempt().effectId() != null;
  }

  /** Writes a line that the writer creates; the link of a segment begins that segment. */
  void appendOwn(ReplayEvent line, LineEncoder encoder) throws IOException {
    long offset = journal.position();
    stale = true;
    try {
      if (line instanceof LogSegment) {
        journal.rotate(encoder);
      } else {
        journal.append(encoder, false);
      }
      log.add(line, encoder);
      stale = false;
    } catch (IOException e) {
      stale = journal.position() != offset;
      throw e;
    }
  }

  /** Hash and tree of all lines. */
  WrittenLog.Digest digest() throws IOException {
    requireCounted();
    WrittenLog.Digest digest = log.digest();
    while (digest == null) {
      readAgain();
      digest = log.digest();
    }
    return digest;
  }

  /** Reads the log again if an Error has interrupted the account. */
  void requireCounted() throws IOException {
    if (stale) {
      readAgain();
    }
  }

  private void readAgain() throws IOException {
    try {
      stale = true;
      journal.flush();
      WrittenLog read = new WrittenLog(log.dialect(), log.canonicalization(), hasTree);
      account.restart();
      Recovery.Extent found = LogRecovery.of(disk, file)
          .inspect(line -> {
            read.add(line);
            account.add(line);
          })
          .extent();
      if (found.bytes() != journal.position()) {
        throw new IOException("%s: expected %d bytes, found %d events in %d"
            .formatted(file, journal.position(), found.events(), found.bytes()));
      }
      log = read;
      stale = false;
    } catch (ReplayWriteException e) {
      throw e;
    } catch (IOException e) {
      throw ReplayWriteException.rolledBack(
          file, "an Error interrupted an earlier event, and the log cannot be read again: " + e, e);
    }
  }
}
