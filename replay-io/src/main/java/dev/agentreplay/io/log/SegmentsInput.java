package dev.agentreplay.io.log;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a log that is not compressed, one of its files after the other. At the end it looks
 * anew each time: there may be more by then. No file is open before the first byte is read.
 */
class SegmentsInput extends InputStream {

  private static final String REPLACED = "another file is in its place";

  /** A file of the log: where it begins in the log, and what tells it from one put in its place. */
  private record Part(long start, @Nullable Object key) {}

  private final Path log;
  private final List<Part> parts = new ArrayList<>();

  private @Nullable InputStream in;

  /** The line that was sought last. */
  private Position sought = new Position(1, 0);

  private long offset;

  /** The bytes of a log from its beginning. */
  SegmentsInput(Path log) {
    this.log = log;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (true) {
      InputStream part = in == null ? open() : in;
      if (part == null) {
        continue;
      }
      int read = part.read(bytes, from, length);
      if (read < 0) {
        Path next = next();
        if (next == null) {
          return -1;
        }
        // a part is whole before the next one is there, but this one was read before that
        read = part.read(bytes, from, length);
        if (read < 0) {
          String change = change();
          if (change != null) {
            throw new TakenBackException(failure("byte " + offset, change));
          }
          close();
          if (!add(next)) {
            return -1;
          }
          continue;
        }
      }
      offset += read;
      return read;
    }
  }

  /**
   * Goes to a line that was reached before.
   *
   * <p>At the end of a part that is the part before: whoever began the next one may have taken it
   * back.
   */
  void seek(Position line) throws IOException {
    close();
    sought = line;
    offset = line.offset();
    while (parts.size() > 1 && parts.get(parts.size() - 1).start() >= offset) {
      parts.remove(parts.size() - 1);
    }
  }

  /** Goes to a line that another reader has reached: the parts before it are whole. */
  void enter(Position line) throws IOException {
    close();
    parts.clear();
    long start = 0;
    for (Path file = log; file != null; file = next()) {
      BasicFileAttributes now = attributes(file);
      parts.add(new Part(start, now.fileKey()));
      start += now.size();
      if (start > line.offset()) {
        break;
      }
    }
    sought = line;
    offset = line.offset();
  }

  /** The place of a byte in the files of the log, for messages; empty in the first file. */
  String place(long at) {
    int part = parts.size();
    while (part > 1 && parts.get(part - 1).start() > at) {
      part--;
    }
    return part < 2
        ? ""
        : " (%s, byte %d)"
            .formatted(LogSegments.file(log, part), at - parts.get(part - 1).start());
  }

  @Override
  public void close() throws IOException {
    if (in != null) {
      InputStream open = in;
      in = null;
      open.close();
    }
  }

  /** The part behind the one that is read; null when it is not there yet. */
  @Nullable
  Path next() throws IOException {
    return RegularFiles.file(LogSegments.file(log, parts.size() + 1));
  }

  /** Opens the part that the next byte is in; null when that was taken back before it was read. */
  private @Nullable InputStream open() throws IOException {
    if (parts.isEmpty()) {
      parts.add(new Part(0, attributes(log).fileKey()));
    }
    boolean isUnread = parts.size() > 1 && part().start() == offset;
    InputStream opened = null;
    try {
      // the log itself may be a link that somebody named, the others come with it
      opened = parts.size() == 1 ? Files.newInputStream(log) : RegularFiles.open(current());
      String change = change();
      if (change == null && (!isUnread || isEndOfPartBefore())) {
        opened.skipNBytes(offset - part().start());
        in = opened;
      } else if (change != null && !isUnread) {
        throw new IOException(failure(sought.toString(), change));
      }
    } catch (NoSuchFileException e) {
      if (!isUnread) {
        throw e;
      }
    } finally {
      if (opened != null && in == null) {
        opened.close();
      }
    }
    if (in == null) {
      parts.remove(parts.size() - 1);
    }
    return in;
  }

  /**
   * Whether nothing was written to the part before, since the open one was found: that may be
   * another than was found, which was taken back.
   */
  private boolean isEndOfPartBefore() throws IOException {
    int before = parts.size() - 1;
    long size = attributes(LogSegments.file(log, before)).size();
    return parts.get(before - 1).start() + size == offset;
  }

  /** Goes on in a part, which begins here. Returns whether it is there still. */
  private boolean add(Path next) throws IOException {
    try {
      parts.add(new Part(offset, attributes(next).fileKey()));
      return true;
    } catch (NoSuchFileException takenBack) {
      return false;
    }
  }

  /** What was done to the part since it was read up to here; null when nothing is seen. */
  private @Nullable String change() throws IOException {
    BasicFileAttributes now = attributes(current());
    if (!Objects.equals(now.fileKey(), part().key())) {
      return REPLACED;
    }
    return part().start() + now.size() < offset
        ? "the file was cut to " + now.size() + " bytes"
        : null;
  }

  private String failure(String at, String change) {
    return "%s: %s: %s after it was read up to here".formatted(current(), at, change);
  }

  private Path current() {
    return LogSegments.file(log, parts.size());
  }

  private Part part() {
    return parts.get(parts.size() - 1);
  }

  /** What a file is now. */
  BasicFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class);
  }

  /** Of the part that was just read, bytes are gone; they may have been of a line without end. */
  static final class TakenBackException extends IOException {
    private static final long serialVersionUID = 1L;

    private TakenBackException(String message) {
      super(message);
    }
  }
}
