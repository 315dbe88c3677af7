package dev.agentreplay.io.log;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.GzipInput;
import dev.agentreplay.io.file.RegularFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a log, one part after the other, and where each part begins in them. The parts are
 * those that are there when it is opened; empty ones at the end are none. Compressed data that is
 * damaged ends where the damage is seen.
 */
final class DiskLogInput extends InputStream {

  private static final int MAGIC_BYTES = 2;

  private final Disk disk;
  private final Path log;

  /** The numbers of the parts. */
  private final List<Integer> numbers = new ArrayList<>(List.of(1));

  /** The first part that lacks while a later one is there, and the last of these; or 0. */
  private int missingPart;

  private int lastPart;
  private final int emptyParts;
  private final boolean compressed;
  private final List<Long> starts = new ArrayList<>(List.of(0L));

  private InputStream in;
  private long total;
  private int last = '\n';
  private GzipInput.@Nullable DamagedException damage;

  private DiskLogInput(Disk disk, Path log, boolean behindMissing) throws IOException {
    this.disk = disk;
    this.log = log;
    PushbackInputStream first = new PushbackInputStream(disk.read(log), MAGIC_BYTES);
    this.in = first;
    boolean opened = false;
    try {
      byte[] beginning = first.readNBytes(MAGIC_BYTES);
      first.unread(beginning);
      compressed = GzipInput.isMagic(beginning);
      if (compressed) {
        in = new GzipInput(first, log.toString());
        emptyParts = 0;
      } else {
        find(behindMissing);
        emptyParts = dropEmpty();
      }
      opened = true;
    } finally {
      if (!opened) {
        in.close();
      }
    }
  }

  /**
   * Opens a log, which may be compressed when it is in one file. It ends before the first part that
   * is missing.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   * @throws IOException also if a part after the first is a link or a special file
   */
  static DiskLogInput open(Disk disk, Path log) throws IOException {
    return new DiskLogInput(disk, log, false);
  }

  /** As {@link #open}, with the parts behind one that is missing. */
  static DiskLogInput openAll(Disk disk, Path log) throws IOException {
    return new DiskLogInput(disk, log, true);
  }

  private void find(boolean behindMissing) throws IOException {
    NavigableSet<Integer> later = LogSegments.later(disk, log);
    int next = 2;
    while (disk.exists(LogSegments.file(log, next))) {
      numbers.add(next);
      next++;
    }
    NavigableSet<Integer> behind = later.tailSet(next, false);
    if (!behind.isEmpty()) {
      missingPart = next;
      lastPart = behind.last();
    }
    if (behindMissing) {
      numbers.addAll(behind);
    }
    for (int number : numbers.subList(1, numbers.size())) {
      RegularFiles.file(LogSegments.file(log, number));
    }
  }

  private int dropEmpty() throws IOException {
    int found = numbers.size();
    while (numbers.size() > 1 && isEmpty(file(numbers.size()))) {
      numbers.remove(numbers.size() - 1);
    }
    return found - numbers.size();
  }

  private boolean isEmpty(Path file) throws IOException {
    try (InputStream opened = disk.read(file)) {
      return opened.read() < 0;
    }
  }

  /** How many parts the log has. */
  int parts() {
    return numbers.size();
  }

  /** The number in the name of one of them, counted from 1; the same, unless one is missing. */
  int number(int part) {
    return numbers.get(part - 1);
  }

  /** The file of one of them, counted from 1. */
  Path file(int part) {
    return LogSegments.file(log, number(part));
  }

  /** How many empty files follow these, where a writer was broken off as it began a part. */
  int emptyParts() {
    return emptyParts;
  }

  /** Whether the log is compressed. */
  boolean isCompressed() {
    return compressed;
  }

  /** Where a part begins, from 1, if so much was read; else where the log ends so far. */
  long startOf(int part) {
    return part <= starts.size() ? starts.get(part - 1) : total;
  }

  /** How many bytes were read. */
  long total() {
    return total;
  }

  /** Whether the last byte that was read is a line feed, or there was none. */
  boolean endsWithLineFeed() {
    return last == '\n';
  }

  /** Why the log is not all that was written, whatever is in it, once it was read; or null. */
  @Nullable
  String loss() {
    if (damage != null) {
      return "gzip: byte %d of the file: %s".formatted(damage.offset(), damage.detail());
    }
    return missingPart == 0
        ? null
        : "part %d is missing, but part %d is there".formatted(missingPart, lastPart);
  }

  /** Whether the compressed data is damaged where the log ends. */
  boolean isDamaged() {
    return damage != null;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    while (damage == null) {
      int read = readPart(bytes, from, length);
      if (read > 0) {
        total += read;
        last = bytes[from + read - 1];
        return read;
      }
      if (starts.size() == numbers.size()) {
        return -1;
      }
      in.close();
      in = disk.read(file(starts.size() + 1));
      starts.add(total);
    }
    return -1;
  }

  private int readPart(byte[] bytes, int from, int length) throws IOException {
    try {
      return in.read(bytes, from, length);
    } catch (GzipInput.DamagedException e) {
      damage = e;
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
