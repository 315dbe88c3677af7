package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.TraceFormat;
import java.io.IOException;
import java.nio.file.Path;

/** Reads the traces of one format. Without state, safe for use by several threads. */
public interface TraceReader {

  /** The format that this reader reads. */
  TraceFormat format();

  /** Whether a file begins as one of this format, by its structure, never by its name. */
  boolean recognizes(SourceHead head);

  /** Whether a directory as a whole is one trace of this format. */
  default boolean recognizesDirectory(Path directory) throws IOException {
    return false;
  }

  /**
   * Whether a recognized file is a part of the trace in another file, with which it is read, and
   * not a trace of its own: exactly if {@link #attach} attaches it to that one.
   */
  default boolean isPart(Path file) throws IOException {
    return false;
  }

  /**
   * Attaches the other files of a source, which belong to the one that was recognized. They are
   * found with {@link SourceFiles}, which does not follow links.
   *
   * @throws IOException if a file or directory cannot be read
   */
  default void attach(TraceSource source) throws IOException {}

  /**
   * Reads a source, and writes the sessions in it. Only attached files are read.
   *
   * @throws IOException if the source cannot be read, or a session cannot be written
   */
  void read(TraceSource source, TraceOutput output) throws IOException;
}
