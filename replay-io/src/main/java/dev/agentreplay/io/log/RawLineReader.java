package dev.agentreplay.io.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a log as bytes, whatever they contain: for tools that count, search, copy or
 * split. It returns the same lines, at the same positions, as a {@link ReplayReader}.
 *
 * <pre>{@code
 * try (RawLineReader reader = RawLineReader.open(Path.of("REPLAY.jsonl"))) {
 *   for (RawLine line = reader.read(); line != null; line = reader.read()) {
 *     line.writeTo(System.out);
 *   }
 * }
 * }</pre>
 *
 * <p>Nothing is copied: a {@link RawLine} is a view of the read buffer, valid until the next line
 * is read. Not safe for use by several threads.
 */
public final class RawLineReader implements Closeable {

  private final LineSplitter lines;
  private final LineDecoder decoder;

  private RawLineReader(String source, InputStream in, ReaderOptions options) {
    this.lines = new LineSplitter(in, options.maxLineBytes());
    this.decoder = new LineDecoder(source, in instanceof LogBytes log ? log : null, options);
  }

  /** Opens a log as {@link #open(Path, ReaderOptions)} does, with the default options. */
  public static RawLineReader open(Path file) throws IOException {
    return open(file, ReaderOptions.defaults());
  }

  /**
   * Opens a log with all its segments, or one that is compressed with gzip, whatever its name.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file, or one of its segments is
   *     missing
   */
  public static RawLineReader open(Path file, ReaderOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    return new RawLineReader(file.toString(), LogSegments.open(file), options);
  }

  /**
   * Reads lines as {@link #of(InputStream, String, ReaderOptions)} does, with the default options.
   */
  public static RawLineReader of(InputStream in, String source) {
    return of(in, source, ReaderOptions.defaults());
  }

  /**
   * Reads lines from a stream, which is closed with the reader.
   *
   * @param source the name of the stream in messages
   */
  public static RawLineReader of(InputStream in, String source, ReaderOptions options) {
    return new RawLineReader(
        Objects.requireNonNull(source, "source"),
        Objects.requireNonNull(in, "in"),
        Objects.requireNonNull(options, "options"));
  }

  /**
   * Returns the next line, or null at the end. Bytes after the last line feed are a line, too.
   *
   * @throws ReplayFormatException if the line is longer than allowed; the next call returns the
   *     line after it
   * @throws IOException if the file cannot be read, or not decompressed; the reader cannot be used
   *     any more
   */
  public @Nullable RawLine read() throws IOException {
    try {
      return lines.next() ? new RawLine(lines) : null;
    } catch (LineSplitter.LineTooLongException e) {
      throw decoder.tooLong(lines);
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
