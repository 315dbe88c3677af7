package dev.agentreplay.io.log;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.WholeFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.function.Consumer;

/**
 * Writes the readable lines of a damaged log to a new file, as {@link LogRecovery#salvage}
 * specifies.
 */
final class LogSalvage {

  private LogSalvage() {}

  /** Writes all lines that a reader returns. Returns their number. */
  static long write(
      SalvageReader reader, Path out, boolean overwrite, Consumer<? super Salvaged.Gap> gaps)
      throws IOException {
    long lines = 0;
    try (WholeFile file = overwrite ? WholeFile.replacing(out) : WholeFile.creating(out)) {
      for (Salvaged piece = reader.read(); piece != null; piece = reader.read()) {
        if (piece instanceof Salvaged.Gap gap) {
          gaps.accept(gap);
        } else if (piece instanceof Salvaged.Line line) {
          line.line().writeLineTo(file.out());
          lines++;
        }
      }
      file.commit();
    }
    return lines;
  }

  /**
   * Fails if the output would replace a file of the log, or would be read together with other
   * segments.
   */
  static void requireApart(Disk disk, Path log, Path out) throws IOException {
    NavigableSet<Integer> ownSegments = LogSegments.later(disk, log);
    ownSegments.add(1);
    for (int segment : ownSegments) {
      if (Files.exists(out) && Files.isSameFile(LogSegments.file(log, segment), out)) {
        throw exists(out, "it is a file of the log that is being salvaged");
      }
    }
    Path other = LogSegments.ofLaterSegment(out);
    if (other != null && disk.exists(other)) {
      throw exists(out, "it would be read as a segment of " + other);
    }
    for (int segment : LogSegments.later(disk, out)) {
      throw exists(LogSegments.file(out, segment), "it would be read as a segment of the output");
    }
  }

  private static FileAlreadyExistsException exists(Path file, String reason) {
    return new FileAlreadyExistsException(file.toString(), null, reason);
  }
}
