package dev.agentreplay.io.log;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.GzipInput;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a log: those of its segments in order, the decompressed bytes of a compressed log,
 * or those of a pipe. The offset of a segment is known once one of its bytes was read. Not safe for
 * use by several threads.
 *
 * <p>A log that may have several segments is in one of three states:
 *
 * <ul>
 *   <li><b>Between reads:</b> no file is open. The next read opens the segment of the next byte. It
 *       must be the same file as before and not shorter than what was read of it; otherwise the
 *       read fails.
 *   <li><b>Within a segment:</b> its file is open. At its end, a read looks for the next segment.
 *       If there is none, that is the end of the log for now, and the next read looks again. If
 *       there is one, it is entered, unless the current one has been replaced by a different file
 *       or truncated meanwhile ({@link TakenBackException}).
 *   <li><b>Entered:</b> no file is open, and no byte of the segment was read. If the segment is
 *       missing or was replaced when it is opened, its writer has taken it back; if the segment
 *       before has grown, its end was read too early, since a segment is complete before the next
 *       one is created. In both cases reading continues in the segment before.
 * </ul>
 *
 * <p>{@link #seek} leads from any state to the first; {@link #close} ends all of them.
 */
final class LogBytes extends InputStream {

  /** The handling of a missing segment, and of damaged compressed data. */
  private enum OnDamage {
    /** Opening or reading fails. */
    FAIL,
    /** The log ends before the damage. */
    END,
    /** Reading continues with the segments after it. */
    SKIP
  }

  /**
   * A segment.
   *
   * @param number the number in the name of its file
   * @param start the offset of its first byte in the log
   * @param key the identity of its file; null if the file system has none
   */
  private record Segment(int number, long start, @Nullable Object key) {}

  private final Disk disk;
  private final Path log;
  private final OnDamage onDamage;
  private final boolean isCompressed;

  /** Whether the log may have several segments: it is neither compressed nor a pipe. */
  private final boolean isSegmented;

  /** The segments from the first to the current one. */
  private final List<Segment> segments = new ArrayList<>();

  /** The open segment. */
  private @Nullable InputStream in;

  /** The target of the last {@link #seek}. */
  private Position sought = new Position(1, 0);

  private boolean closed;
  private long offset;
  private int last = '\n';
  private GzipInput.@Nullable DamagedException damage;

  private LogBytes(Disk disk, Path file, OnDamage onDamage) throws IOException {
    this.disk = disk;
    boolean isRegular = Files.isRegularFile(file);
    this.log = isRegular ? LogSegments.named(file) : file;
    this.onDamage = onDamage;
    Disk.FileState state = isRegular ? null : disk.state(log);
    boolean isPipe = state != null && !state.isRegular();
    // a pipe exists on the local disk only, and cannot be opened again
    InputStream opened = isPipe ? Files.newInputStream(log) : disk.read(log);
    try {
      PushbackInputStream first = new PushbackInputStream(opened, GzipInput.MAGIC_BYTES);
      byte[] beginning = first.readNBytes(GzipInput.MAGIC_BYTES);
      first.unread(beginning);
      isCompressed = GzipInput.isMagic(beginning);
      isSegmented = !isCompressed && !isPipe;
      if (!isSegmented) {
        in = isCompressed ? new GzipInput(first, log.toString()) : first;
      }
    } finally {
      if (in == null) {
        opened.close();
      }
    }
    segments.add(new Segment(1, 0, null));
  }

  /**
   * Opens a log to read all of it.
   *
   * @throws NoSuchFileException if it is missing, or one of its segments is
   * @throws IOException also if a later segment is not a regular file, or the log is compressed and
   *     has segments
   */
  static LogBytes open(Disk disk, Path file) throws IOException {
    LogBytes bytes = new LogBytes(disk, file, OnDamage.FAIL);
    try {
      if (bytes.isSegmented) {
        LogSegments.existing(disk, bytes.log);
      } else if (Files.isRegularFile(file)) {
        LogSegments.requireNone(disk, bytes.log);
      }
      return bytes;
    } catch (IOException | RuntimeException | Error e) {
      bytes.close();
      throw e;
    }
  }

  /**
   * Opens a log for random access.
   *
   * @throws NoSuchFileException if it is missing
   * @throws IOException if it is compressed, or not a regular file
   */
  static LogBytes openPlain(Disk disk, Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    String found = "another kind";
    if (Files.isRegularFile(file)) { // opening a pipe waits for its writer
      LogBytes bytes = new LogBytes(disk, file, OnDamage.FAIL);
      if (bytes.isSegmented) {
        return bytes;
      }
      bytes.close();
      found = "a gzip file";
    }
    throw new IOException(
        "%s: expected a regular file that is not compressed, found %s".formatted(file, found));
  }

  /**
   * Opens a log that may be damaged: it ends before damaged compressed data, which {@link #loss}
   * then reports.
   *
   * @param skipsMissing whether reading continues after a missing segment; otherwise the log ends
   *     there
   * @throws NoSuchFileException if there is no log
   * @throws IOException also if a later segment is not a regular file
   */
  static LogBytes openDamaged(Disk disk, Path log, boolean skipsMissing) throws IOException {
    return new LogBytes(disk, log, skipsMissing ? OnDamage.SKIP : OnDamage.END);
  }

  /** The number of segments of which a byte was read; at least 1. */
  int segments() {
    return segmentAt(offset - 1);
  }

  /** The number of empty segments after these, once the log was read to its end. */
  int emptySegments() {
    return segments.size() - segments();
  }

  /** The number in the file name of a segment; segments are counted from 1. */
  int number(int segment) {
    return segments.get(segment - 1).number();
  }

  /** The offset of the first byte of a segment; segments are counted from 1. */
  long startOf(int segment) {
    return segments.get(segment - 1).start();
  }

  /** The segment that contains a byte, counted from 1. */
  int segmentAt(long byteOffset) {
    int segment = segments.size();
    while (segment > 1 && startOf(segment) > byteOffset) {
      segment--;
    }
    return segment;
  }

  /** The file of a segment; segments are counted from 1. */
  Path file(int segment) {
    return LogSegments.file(log, number(segment));
  }

  /** The file and the offset in it of a byte of the log, for messages; empty for the first file. */
  String place(long byteOffset) {
    int segment = segmentAt(byteOffset);
    return segment == 1
        ? ""
        : " (%s, byte %d)".formatted(file(segment), byteOffset - startOf(segment));
  }

  /** Whether the log may have several segments, each of which can be opened again. */
  boolean isSegmented() {
    return isSegmented;
  }

  /** Whether the log is compressed. */
  boolean isCompressed() {
    return isCompressed;
  }

  /** The offset of the next byte. */
  long offset() {
    return offset;
  }

  /** Whether the last byte that was read is a line feed, or no byte was read. */
  boolean endsWithLineFeed() {
    return last == '\n';
  }

  /**
   * The reason why a part of the log is missing, once it was read to its end; null if no part is
   * known to be missing.
   */
  @Nullable
  String loss() throws IOException {
    if (damage != null) {
      return "gzip: byte %d of the file: %s".formatted(damage.offset(), damage.detail());
    }
    return isSegmented ? LogSegments.missing(disk, log, current().number() + 1) : null;
  }

  /**
   * Moves to a line that was reached before.
   *
   * <p>At the boundary of two segments, it moves to the end of the first: the writer that created
   * the second may have taken it back.
   */
  void seek(Position line) throws IOException {
    closeSegment();
    sought = line;
    offset = line.offset();
    segments.subList(segments(), segments.size()).clear();
  }

  /** Moves to a line that another reader has reached: the segments before it are complete. */
  void enter(Position line) throws IOException {
    seek(new Position(1, 0));
    segments.set(0, first());
    Segment next = current();
    while (next != null) {
      long end = current().start() + state(segments.size()).size();
      next = end > line.offset() ? null : next(end);
      if (next != null) {
        segments.add(next);
      }
    }
    sought = line;
    offset = line.offset();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, bytes.length);
    if (closed) {
      throw new IOException(log + ": expected an open stream, found a closed one");
    }
    if (length == 0) {
      return 0;
    }
    int read = damage == null ? readSegments(bytes, from, length) : -1;
    if (read > 0) {
      offset += read;
      last = bytes[from + read - 1];
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    closeSegment();
  }

  private void closeSegment() throws IOException {
    if (in != null) {
      InputStream open = in;
      in = null;
      open.close();
    }
  }

  private int readSegments(byte[] bytes, int from, int length) throws IOException {
    while (true) {
      InputStream segment = in == null ? open() : in;
      if (segment == null) {
        continue;
      }
      int read;
      try {
        read = segment.read(bytes, from, length);
      } catch (GzipInput.DamagedException e) {
        if (onDamage == OnDamage.FAIL) {
          throw e;
        }
        damage = e;
        return -1;
      }
      Segment next = read < 0 ? next(offset) : null;
      if (next == null) {
        return read;
      }
      String change = change();
      if (change != null) {
        throw new TakenBackException(failure("byte " + offset, change));
      }
      closeSegment();
      segments.add(next);
    }
  }

  /** The segment after the current one, which ends at an offset; null if it does not exist yet. */
  private @Nullable Segment next(long start) throws IOException {
    if (!isSegmented) {
      return null;
    }
    int number = current().number() + 1;
    Disk.FileState state = LogSegments.state(disk, LogSegments.file(log, number));
    if (state == null && onDamage == OnDamage.SKIP) {
      Integer later = LogSegments.later(disk, log).higher(number);
      number = later == null ? number : later;
      state = later == null ? null : LogSegments.state(disk, LogSegments.file(log, number));
    }
    return state == null ? null : new Segment(number, start, state.key());
  }

  /**
   * Opens the current segment; returns null if it was taken back, and then the one before is the
   * current one.
   */
  private @Nullable InputStream open() throws IOException {
    boolean isEntered = segments.size() > 1 && current().start() == offset;
    if (offset == 0 && !isEntered) {
      segments.set(0, first());
    }
    InputStream opened = null;
    try {
      opened = disk.read(file(segments.size()));
      String change = change();
      if (change == null && (!isEntered || isEndOfOneBefore())) {
        opened.skipNBytes(offset - current().start());
        in = opened;
      } else if (change != null && !isEntered) {
        throw new IOException(failure(sought.toString(), change));
      }
    } catch (NoSuchFileException e) {
      if (!isEntered) {
        throw e;
      }
    } finally {
      if (opened != null && in == null) {
        opened.close();
      }
    }
    if (in == null) {
      segments.remove(segments.size() - 1);
    }
    return in;
  }

  private boolean isEndOfOneBefore() throws IOException {
    int before = segments.size() - 1;
    return startOf(before) + state(before).size() == offset;
  }

  /** The first segment, before anything of it was read. */
  private Segment first() throws IOException {
    return new Segment(1, 0, state(1).key());
  }

  /**
   * The change to the current segment that makes the bytes read so far invalid; null if there is
   * none.
   */
  private @Nullable String change() throws IOException {
    Disk.FileState now = state(segments.size());
    if (!Objects.equals(now.key(), current().key())) {
      return "replaced by a different file";
    }
    return current().start() + now.size() < offset ? "truncated to " + now.size() + " bytes" : null;
  }

  private Disk.FileState state(int segment) throws IOException {
    Disk.FileState state = LogSegments.state(disk, file(segment));
    if (state == null) {
      throw new NoSuchFileException(file(segment).toString());
    }
    return state;
  }

  private String failure(String at, String change) {
    return "%s: %s: %s after it was read up to here".formatted(file(segments.size()), at, change);
  }

  private Segment current() {
    return segments.get(segments.size() - 1);
  }

  /**
   * Thrown when bytes of a segment that were just read do not exist any more; they may be a part of
   * an incomplete line.
   */
  static final class TakenBackException extends IOException {
    private static final long serialVersionUID = 1L;

    private TakenBackException(String message) {
      super(message);
    }
  }
}
