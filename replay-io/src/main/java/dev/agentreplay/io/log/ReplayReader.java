package dev.agentreplay.io.log;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.prompt.FullPrompt;
import dev.agentreplay.canonical.prompt.PromptHistory;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
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
 * Reads a log, one line at a time. Memory is bounded by the longest line and its values, which may
 * take many times its length, however long the log is; a line longer than
 * {@link ReaderOptions#maxLineBytes} is refused. The dialect is that of the first line that is a
 * JSON object.
 *
 * <p>A rotated log, with segments {@code REPLAY.jsonl}, {@code REPLAY.jsonl.2} and so on, is read
 * as one: lines and bytes are counted across all segments. It ends after the last segment.
 *
 * <p>Only a line feed ends a line. Bytes after the last line feed that are a complete event are
 * read, with the finding NO_FINAL_NEWLINE. A log that is being written is read up to its current
 * end; a {@link LogFollower} waits for more. Not safe for use by several threads.
 */
public final class ReplayReader implements Closeable, Iterable<ReplayLine> {

  private final @Nullable LogBytes log;
  private final LineSplitter lines;
  private final LineDecoder decoder;
  private @Nullable PromptHistory prompts;
  private boolean isDecodedAhead;
  private boolean hashesLeaves;
  private @Nullable CanonicalJson contents;
  private @Nullable LinesAhead ahead;

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
   * Opens a log, which may be compressed with gzip, whatever its name. Positions are those of the
   * decompressed bytes. A log that is compressed, or read from a pipe, has one file only.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file, or one of its segments is
   *     missing
   */
  public static ReplayReader open(Path file, ReaderOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    return new ReplayReader(file.toString(), LogSegments.open(file), options);
  }

  /**
   * Opens a log at a line that another reader has reached, without reading the lines before it.
   *
   * @param start the {@link #position} of that reader
   * @param dialect the {@link #dialect} of that reader
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if it is compressed or not a regular file, or no line begins at that
   *     position
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
              ("%s: %s: expected a line feed before this byte, found none: the file may have been"
                      + " changed after it was read")
                  .formatted(file, start));
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

  /**
   * Reads a log as {@link #of(InputStream, String, ReaderOptions)} does, with the default options.
   */
  public static ReplayReader of(InputStream in, String source) {
    return of(in, source, ReaderOptions.defaults());
  }

  /**
   * Reads a log from a stream, which is not decompressed, and is closed with the reader.
   *
   * @param source the name of the stream in messages
   */
  public static ReplayReader of(InputStream in, String source, ReaderOptions options) {
    return new ReplayReader(
        Objects.requireNonNull(source, "source"),
        Objects.requireNonNull(in, "in"),
        Objects.requireNonNull(options, "options"));
  }

  /**
   * Lets {@link #read} return each model call with its prompt in full, see
   * {@link ReplayLine#withFullPrompt}, also where the log holds it as a change of an earlier one.
   * If the prompt is not known, the line has a finding with the reason: HASH_UNVERIFIABLE,
   * PROMPT_DELTA_INVALID or BLOB_MISMATCH. Keeps the last prompts in memory. Call this before the
   * first line is read.
   *
   * @param values finds the values of prompts in blobs
   */
  public void expandPrompts(PromptHistory.Values values) {
    prompts = new PromptHistory(values);
  }

  /**
   * Lets further lines be decoded by threads of the common pool before they are read, if the log is
   * longer than some 64 KiB and the machine has more than one processor. Lines and exceptions are
   * the same, in the same order. About half a megabyte of the log is read and decoded ahead, less
   * in a small heap, and lines longer than 256 KiB one by one. Begins after the first line that is
   * a JSON object; has no effect if decoding ahead has begun.
   *
   * @param hashed the canonicalization in which the {@linkplain ReplayEvent#content contents} of
   *     the events are hashed, for {@link ReplayLine#hash}; null if they are not needed
   */
  public void decodeAhead(@Nullable CanonicalJson hashed) {
    isDecodedAhead = Runtime.getRuntime().availableProcessors() > 1;
    contents = hashed;
  }

  /**
   * Lets the threads that decode lines ahead also hash the leaves for them in a Merkle tree, for
   * {@link LogDigest#add}. Call this before {@link #decodeAhead}.
   */
  public void hashLeavesAhead() {
    hashesLeaves = true;
  }

  /** The bytes that are read; null if they come from an arbitrary stream. */
  @Nullable
  LogBytes log() {
    return log;
  }

  /**
   * The dialect of the log; null before the first line that is a JSON object, and if that has no
   * tag.
   */
  public @Nullable Dialect dialect() {
    return decoder.dialect();
  }

  /** The position of the next line, if there is one. */
  public Position position() {
    return ahead == null ? lines.nextPosition() : ahead.nextPosition();
  }

  /**
   * The format that the file seems to have if its first line is not a known event, in words such as
   * {@code "a HAR archive"}. Null before that line was read, and if no format is recognized. A
   * guess: the file may be a log nevertheless.
   */
  public @Nullable String foreignFormat() {
    return decoder.foreignFormat();
  }

  /**
   * Returns the next line, or null at the end.
   *
   * @throws ReplayFormatException if the line is not an event; the next call returns the line after
   *     it
   * @throws IOException if the file cannot be read, or not decompressed; the reader cannot be used
   *     any more
   */
  public @Nullable ReplayLine read() throws IOException {
    if (isDecodedAhead
        && ahead == null
        && decoder.isDetected()
        && lines.nextPosition().line() > 1) {
      ahead = new LinesAhead(lines, decoder, contents, hashesLeaves);
    }
    try {
      ReplayLine line = ahead != null ? ahead.read() : lines.next() ? decoder.decode(lines) : null;
      return line == null ? null : expand(line);
    } catch (LineSplitter.LineTooLongException e) {
      throw decoder.tooLong(lines);
    }
  }

  /**
   * Moves past the next line, if possible without decoding it. Returns whether there is one. Its
   * errors may not be found, and its prompt may not be known to later lines.
   *
   * @throws IOException as {@link #read} does, if the line is decoded; otherwise if the file cannot
   *     be read, or the line is longer than allowed
   */
  public boolean skip() throws IOException {
    if (ahead != null || !decoder.isDetected()) {
      return read() != null;
    }
    try {
      return lines.next();
    } catch (LineSplitter.LineTooLongException e) {
      throw decoder.tooLong(lines);
    }
  }

  private ReplayLine expand(ReplayLine line) {
    PromptHistory history = prompts;
    if (history == null || !(line.event() instanceof ModelCall call)) {
      return line;
    }
    FindingCode code;
    String reason;
    try {
      FullPrompt prompt = history.read(call);
      if (call.promptDelta() == null) {
        return line;
      } else if (prompt instanceof FullPrompt.Known known) {
        return line.withFullPrompt(known.json());
      }
      FullPrompt.Unknown unknown = (FullPrompt.Unknown) prompt;
      code = unknown.isInvalid() ? FindingCode.PROMPT_DELTA_INVALID : FindingCode.HASH_UNVERIFIABLE;
      reason = unknown.reason();
    } catch (IOException e) {
      code = FindingCode.BLOB_MISMATCH;
      reason = String.valueOf(e.getMessage());
    }
    return line.withFinding(new Finding(code, line.position(), reason).withId(call.id()));
  }

  /**
   * Returns an iterator over the remaining lines. If {@link #read} throws, the iterator throws an
   * {@link UncheckedIOException}.
   */
  @Override
  public Iterator<ReplayLine> iterator() {
    return new ReadIterator<>(this::read);
  }

  @Override
  public void close() throws IOException {
    decoder.close();
    lines.close();
  }
}
