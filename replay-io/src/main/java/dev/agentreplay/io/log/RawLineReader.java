package dev.agentreplay.io.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a log as bytes, whatever they say: for tools that count, search, copy or cut.
 * It finds the same lines, at the same positions, as a {@link ReplayReader}.
 *
 * <pre>{@code
 * try (RawLineReader reader = RawLineReader.open(Path.of("REPLAY.jsonl"))) {
 *   for (RawLine line = reader.read(); line != null; line = reader.read()) {
 *     line.writeTo(System.out);
 *   }
 * }
 * }</pre>
 *
 * <p>Nothing is copied: a {@link RawLine} is a view of what was read, valid until the next one is.
 * Not safe for use by several threads.
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
   * Opens a log with all its files, or one that is compressed with gzip, whatever its name.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  public static RawLineReader open(Path file, ReaderOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    return new RawLineReader(file.toString(), LogSegments.open(file), options);
  }

  /** Reads lines as {@link #of(InputStream, String, ReaderOptions)} does, by default options. */
  public static RawLineReader of(InputStream in, String source) {
    return of(in, source, ReaderOptions.defaults());
  }

  /**
   * Reads lines from a stream, which is closed with the reader.
   *
   * @param source what to call the stream in messages
   */
  public static RawLineReader of(InputStream in, String source, ReaderOptions options) {
    return new RawLineReader(
        Objects.requireNonNull(source, "source"),
        Objects.requireNonNull(in, "in"),
        Objects.requireNonNull(options, "options"));
  }

  /**
   * The next line, or null at the end. What stands behind the last line feed is a line, too.
   *
   * @throws ReplayFormatException if it is longer than allowed; reading may go on with the line
   *     after it
   * @throws IOException if the file cannot be read, or decompressed; reading ends with it
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
