package dev.agentreplay.io.log;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.model.finding.Position;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log, one line at a time. The memory it needs is that of the longest line and its values,
 * which may take many times its bytes, however long the log is; a line longer than
 * {@link ReaderOptions#maxLineBytes} is refused. The dialect is that of the first line.
 *
 * <p>A log that is in several files, {@code REPLAY.jsonl}, {@code REPLAY.jsonl.2} and so on, is
 * read as one: lines and bytes are counted through all of them. It ends where there is no next
 * file.
 *
 * <p>A line feed ends a line, and nothing else does. Bytes after the last line feed that are a
 * whole event are read, with the finding NO_FINAL_NEWLINE. A log that is being written is read up
 * to where it is then; a {@link LogFollower} waits for more. Not safe for use by several threads.
 */
public final class ReplayReader implements Closeable, Iterable<ReplayLine> {

  private final @Nullable LogBytes log;
  private final LineSplitter lines;
  private final LineDecoder decoder;

  private ReplayReader(String source, InputStream in, ReaderOptions options) {
    this(source, in, options, new Position(1, 0));
  }

  private ReplayReader(String source, InputStream in, ReaderOptions options, Position start) {
    this.log = in instanceof LogBytes bytes ? bytes : null;
    this.lines = new LineSplitter(in, options.maxLineBytes(), start);
    this.decoder = new LineDecoder(source, log, options);
  }

  /** Opens a log as {@link #open(Path, ReaderOptions)} does, with the default options. */
  public static ReplayReader open(Path file) throws IOException {
    return open(file, ReaderOptions.defaults());
  }

  /**
   * Opens a log, which may be compressed with gzip, whatever its name. Positions count decompressed
   * bytes. Of a log that is compressed, or in a pipe, there is one file only.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  public static ReplayReader open(Path file, ReaderOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    return new ReplayReader(file.toString(), LogSegments.open(file), options);
  }

  /**
   * Opens a log at a line that another reader has reached, without reading what is before it.
   *
   * @param start what {@link #position} returned there
   * @param dialect what {@link #dialect} returned there
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if it is compressed, or no regular file, or no line begins there
   */
  public static ReplayReader openAt(
      Path file, Position start, @Nullable Dialect dialect, ReaderOptions options)
      throws IOException {
    LogBytes in = LogBytes.openPlain(LocalDisk.INSTANCE, file);
    try {
      if (start.offset() > 0) {
        in.enter(new Position(start.line(), start.offset() - 1));
        if (in.read() != '\n') {
          throw new IOException(
              "%s: %s: no line begins here, as one did before".formatted(file, start));
        }
      }
      ReplayReader reader = new ReplayReader(file.toString(), in, options, start);
      reader.decoder.setDialect(dialect);
      return reader;
    } catch (IOException | RuntimeException | Error e) {
      in.close();
      throw e;
    }
  }

  /** Reads a log as {@link #of(InputStream, String, ReaderOptions)} does, by default options. */
  public static ReplayReader of(InputStream in, String source) {
    return of(in, source, ReaderOptions.defaults());
  }

  /**
   * Reads a log from a stream as it is, which is closed with the reader.
   *
   * @param source what to call the stream in messages
   */
  public static ReplayReader of(InputStream in, String source, ReaderOptions options) {
    return new ReplayReader(
        Objects.requireNonNull(source, "source"),
        Objects.requireNonNull(in, "in"),
        Objects.requireNonNull(options, "options"));
  }

  /** The bytes that are read; null if they are those of any stream. */
  @Nullable
  LogBytes log() {
    return log;
  }

  /** The dialect of the log; null before the first line, and when its first line bears no tag. */
  public @Nullable Dialect dialect() {
    return decoder.dialect();
  }

  /** Where the next line begins, if there is one. */
  public Position position() {
    return lines.nextPosition();
  }

  /**
   * What the file looks like when its first line is not an event that a dialect knows, in words
   * such as {@code "a HAR archive"}. Null before that line was read, and when there is nothing to
   * say. A guess: the file may be a log all the same.
   */
  public @Nullable String foreignFormat() {
    return decoder.foreignFormat();
  }

  /**
   * The next line, or null at the end.
   *
   * @throws ReplayFormatException if it is not an event; reading may go on with the line after it
   * @throws IOException if the file cannot be read, or decompressed; reading ends with it
   */
  public @Nullable ReplayLine read() throws IOException {
    try {
      return lines.next() ? decoder.decode(lines) : null;
    } catch (LineSplitter.LineTooLongException e) {
      throw decoder.tooLong(lines);
    }
  }

  /**
   * The lines that are left. Where {@link #read} throws, the iterator throws
   * {@link UncheckedIOException}.
   */
  @Override
  public Iterator<ReplayLine> iterator() {
    return new ReadIterator<>(this::read);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
