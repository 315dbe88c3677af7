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
 * The file of a segment, and its place in the log. The {@link Journal} that writes it guards its
 * length.
 */
final class SegmentFile {

  final AppendFile file;

  /** The number of the segment, from 1. */
  final int number;

  /** The offset of its first byte in the log. */
  final long start;

  /** The bytes of whole lines; a write that failed may have left more in the file. */
  long length;

  /** The length at which it has only the line that it begins with; 0 if it has more. */
  final long opening;

  private SegmentFile(AppendFile file, int number, long start, long length, long opening) {
    this.file = file;
    this.number = number;
    this.start = start;
    this.length = length;
    this.opening = opening;
  }

  /**
   * Creates a segment with its first line, which is forced to the disk with its name; or leaves
   * nothing, unless the failure {@link #mayRemain} says otherwise.
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

  /** The offset of the byte after its last line in the log. */
  long end() {
    return start + length;
  }

  /** Deletes a file that was begun, because of a failure. */
  static void undo(Disk disk, Path path, @Nullable AppendFile begun, Throwable failure) {
    LogRelease.close(begun, failure);
    try {
      disk.delete(path);
      disk.forceParent(path);
    } catch (Throwable again) {
      failure.addSuppressed(new NotDeletedException(path, again));
    }
  }

  /** Whether something of a segment that could not be created may still exist. */
  static boolean mayRemain(Throwable failure) {
    return Stream.of(failure.getSuppressed()).anyMatch(NotDeletedException.class::isInstance);
  }

  private static final class NotDeletedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotDeletedException(Path file, Throwable cause) {
      super(file + " may still be there", cause);
    }
  }
}
