package dev.agentreplay.io.log;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.text.PlainText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a log from its beginning to its end, in one pass, and determines its state. */
final class LogScan {

  /**
   * The result of a scan.
   *
   * @param recovery the state of the log
   * @param segments the number of its segments that are not empty; at least 1
   * @param emptySegments the number of empty segments after these
   * @param compressed whether it is compressed
   */
  record Result(Recovery recovery, int segments, int emptySegments, boolean compressed) {}

  /** The minimum length of a NUL run; text in UTF-32 has three NUL bytes in a row. */
  private static final int MIN_NUL_RUN = 4;

  private final Path log;
  private final LogBytes in;
  private final Disk disk;
  private final ReplayReader reader;
  private final RunningHash hash = new RunningHash();
  private final SegmentChain chain;
  private final Consumer<? super ReplayLine> lines;

  private long events;
  private long known;
  private long bytes;
  private boolean ended;

  /** The first fault. */
  private @Nullable ReplayFormatException fault;

  /** Whether the first fault is a line that could not be read. */
  private boolean firstUnread;

  private long readableAfter;
  private long unreadableAfter;

  private LogScan(
      Disk disk, Path log, LogBytes in, ReplayReader reader, Consumer<? super ReplayLine> lines) {
    this.disk = disk;
    this.log = log;
    this.in = in;
    this.reader = reader;
    this.chain = new SegmentChain(in, hash::toHash);
    this.lines = lines;
  }

  /** Scans a log, and passes each line before the first fault to {@code lines}. */
  static Result of(Disk disk, Path log, ReaderOptions options, Consumer<? super ReplayLine> lines)
      throws IOException {
    try (LogBytes in = LogBytes.openDamaged(disk, log, false);
        ReplayReader reader = ReplayReader.of(in, log.toString(), options)) {
      Recovery recovery = new LogScan(disk, log, in, reader, lines).recovery();
      return new Result(recovery, in.segments(), in.emptySegments(), in.isCompressed());
    }
  }

  private Recovery recovery() throws IOException {
    boolean more = true;
    while (more) {
      try {
        ReplayLine line = reader.read();
        more = line != null;
        if (line != null) {
          accept(line);
        }
      } catch (ReplayFormatException e) {
        if (fault == null) {
          fault = e;
          firstUnread = true;
        } else {
          unreadableAfter++;
        }
      }
    }
    return conclude(fault);
  }

  private void accept(ReplayLine line) throws IOException {
    if (!(line.event() instanceof UnknownEvent)) {
      known++;
    }
    if (fault != null) {
      readableAfter++;
      return;
    }
    Finding misfit = chain.check(line);
    if (misfit != null) {
      fault = fault(misfit.code(), line.position(), misfit.message());
      return;
    }
    line.writeLineTo(hash);
    events++;
    bytes = line.position().offset() + line.length();
    if (bytes < in.offset()) {
      bytes++; // the line feed
    }
    ended |= line.event() instanceof SessionEnd;
    lines.accept(line);
  }

  private ReplayFormatException fault(FindingCode code, Position at, String detail) {
    return new ReplayFormatException(code, log.toString(), at, detail);
  }

  private Recovery conclude(@Nullable ReplayFormatException first) throws IOException {
    boolean wholeLines = in.endsWithLineFeed();
    boolean isTail = firstUnread && !wholeLines && readableAfter + unreadableAfter == 0;
    String loss = in.loss();
    if (loss != null && (first == null || isTail)) {
      FindingCode code =
          in.isCompressed() ? FindingCode.MALFORMED_LINE : FindingCode.REPLAY_HASH_MISMATCH;
      return corrupt(fault(code, extent().end(), loss));
    }
    if (known == 0 && events > 0 && (first == null || isTail)) {
      return foreign(isTail); // never change a file that is not a log
    }
    if (first == null) {
      return ended
          ? new Recovery.Complete(extent(), !wholeLines)
          : new Recovery.Open(extent(), !wholeLines);
    }
    if (!isTail || (events == 0 && first.code() != FindingCode.TORN_TAIL)) {
      return corrupt(firstUnread ? withNulRun(first) : first);
    }
    Finding split = chain.checkTail(extent().end());
    if (split != null) {
      return corrupt(fault(split.code(), extent().end(), split.message()));
    }
    return new Recovery.TornTail(extent(), in.offset() - bytes, ended);
  }

  /** The state of a file of JSON objects, none of which is an event of a known kind. */
  private Recovery foreign(boolean hasTail) {
    String format = reader.foreignFormat();
    String detail = "expected events, found none of a known kind in %s%s"
        .formatted(
            PlainText.count(events, "line"),
            format == null ? "" : "; the file looks like " + format);
    return new Recovery.Corrupt(
        new Recovery.Extent(0, 0, 1, 0),
        new Position(1, 0),
        FindingCode.UNKNOWN_EVENT,
        detail,
        events - 1,
        hasTail ? 1 : 0);
  }

  /** The same fault; if it is a run of NUL bytes, its detail says so. */
  private ReplayFormatException withNulRun(ReplayFormatException first) throws IOException {
    long offset = first.position().offset();
    if (!in.isSegmented()) {
      return first; // it is not truncated, or cannot be read again
    }
    int segment = in.segmentAt(offset);
    try (InputStream file = new BufferedInputStream(disk.read(in.file(segment)))) {
      file.skipNBytes(offset - in.startOf(segment));
      boolean before = file.read() != 0; // the NUL bytes after it look like UTF-16 then
      long nuls = before ? 0 : 1;
      while (file.read() == 0) {
        nuls++;
      }
      return nuls < MIN_NUL_RUN
          ? first
          : fault(
              first.code(),
              new Position(
                  first.position().line(),
                  before ? offset + 1 : offset,
                  first.position().lineOffset()),
              "expected JSON, found a run of %d NUL bytes, as power loss leaves it"
                  .formatted(nuls));
    }
  }

  private Recovery corrupt(ReplayFormatException first) {
    return new Recovery.Corrupt(
        extent(),
        first.position(),
        first.code(),
        first.toFinding().message(),
        readableAfter,
        unreadableAfter);
  }

  private Recovery.Extent extent() {
    int segment = in.segmentAt(bytes - 1);
    return new Recovery.Extent(events, bytes, segment, bytes - in.startOf(segment));
  }
}
