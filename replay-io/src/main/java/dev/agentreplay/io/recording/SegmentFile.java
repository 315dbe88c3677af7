package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.file.AppendFile;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.Recovery;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file of a segment, and its position in the log. Its length is guarded by the {@link Journal}
 * that writes it.
 */
final class SegmentFile {

  final AppendFile file;

  /** The number of the segment, from 1. */
  final int number;

  /** The offset of its first byte in the log. */
  final long start;

  /** The number of bytes of complete lines; a write that failed may have left more in the file. */
  long length;

  /**
   * The length of the line that the segment begins with; 0 if the segment already had more lines
   * when it was opened.
   */
  final long opening;

  private SegmentFile(AppendFile file, int number, long start, long length, long opening) {
    this.file = file;
    this.number = number;
    this.start = start;
    this.length = length;
    this.opening = opening;
  }

  /**
   * Creates a segment with its first line, which is forced to disk with the directory entry. A
   * failure leaves nothing, unless {@link #mayRemain} is true for it.
   */
  static SegmentFile create(Disk disk, Path log, int number, long start, LineEncoder line)
      throws IOException {
    Path path = LogSegments.file(log, number);
    int bytes = line.length();
    AppendFile begun = null;
    try {
      begun = disk.create(path);
      line.writeTo(begun);
      begun.force();
      disk.forceParent(path);
      return new SegmentFile(begun, number, start, bytes, bytes);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (Throwable e) {
      undo(disk, path, begun, e);
      throw e;
    }
  }

  /** Opens the last segment of a log. */
  static SegmentFile open(Disk disk, Path log, Recovery.Extent extent, boolean isBegun)
      throws IOException {
    long length = extent.segmentBytes();
    AppendFile file = disk.append(LogSegments.file(log, extent.segment()));
    try {
      return new SegmentFile(
          file, extent.segment(), extent.bytes() - length, length, isBegun ? length : 0);
    } catch (Throwable e) {
      LogRelease.close(file, e);
      throw e;
    }
  }

  /** The offset in the log of the byte after its last line. */
  long end() {
    return start + length;
  }

  /** Closes and deletes a file that was created, because of a failure. */
  static void undo(Disk disk, Path path, @Nullable AppendFile begun, Throwable failure) {
    LogRelease.close(begun, failure);
    try {
      disk.delete(path);
      disk.forceParent(path);
    } catch (Throwable again) {
      failure.addSuppressed(new NotDeletedException(path, again));
    }
  }

  /** Whether a segment that could not be created may still exist. */
  static boolean mayRemain(Throwable failure) {
    return Stream.of(failure.getSuppressed()).anyMatch(NotDeletedException.class::isInstance);
  }

  private static final class NotDeletedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotDeletedException(Path file, Throwable cause) {
      super(file + " may still exist", cause);
    }
  }
}
