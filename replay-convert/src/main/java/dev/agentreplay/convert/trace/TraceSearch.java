package dev.agentreplay.convert.trace;

import dev.agentreplay.convert.trace.reading.SourceFiles;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.file.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the traces below a directory, without following links. Imported sessions, and what an
 * import leaves that is killed, are passed over. Not safe for use by several threads.
 */
final class TraceSearch {

  /**
   * A trace, or a path that cannot be read.
   *
   * @param failure the reason why it cannot be read; null for a trace
   */
  record Found(Path path, @Nullable String failure) {}

  private final @Nullable TraceFormat from;
  private final @Nullable Path skipped;
  private final List<Found> found = new ArrayList<>();

  private TraceSearch(@Nullable TraceFormat from, @Nullable Path skipped) {
    this.from = from;
    this.skipped = skipped;
  }

  /**
   * Finds the traces of a directory, in the order of their paths: only the directory itself, if it
   * is one trace as a whole.
   *
   * @param from the format of the traces; null for all
   * @param out the directory of the sessions, which is passed over; it may be missing
   * @throws IOException if the directory cannot be read
   */
  static List<Found> find(Path directory, @Nullable TraceFormat from, Path out) throws IOException {
    TraceSearch search = new TraceSearch(from, Files.exists(out) ? out.toRealPath() : null);
    if (search.isTrace(directory)) {
      return List.of(new Found(directory, null));
    }
    search.collect(directory);
    return search.found;
  }

  private void collect(Path directory) throws IOException {
    for (Path entry : SourceFiles.entries(directory)) {
      try {
        if (SourceFiles.isFile(entry)) {
          if (isTrace(entry)) {
            found.add(new Found(entry, null));
          }
        } else if (SourceFiles.isDirectory(entry) && !isPassedOver(entry)) {
          if (isTrace(entry)) {
            found.add(new Found(entry, null));
          } else {
            collect(entry);
          }
        }
      } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
        found.add(new Found(entry, TraceImporter.message(e)));
      }
    }
  }

  private boolean isPassedOver(Path directory) throws IOException {
    return WholeFile.isTemporary(String.valueOf(directory.getFileName()))
        || EarlierImport.isSession(directory)
        || directory.toRealPath().equals(skipped);
  }

  private boolean isTrace(Path path) throws IOException {
    TraceReader reader = TraceReaders.find(path);
    return reader != null && (from == null || from == reader.format()) && !reader.isPart(path);
  }
}
