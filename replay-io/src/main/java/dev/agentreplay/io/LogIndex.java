package dev.agentreplay.io;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the lines of a log are, by their numbers and by the ids in them, so that any of them is
 * read without those before it. It is made by reading the log once, through all its files.
 *
 * <pre>{@code
 * LogIndex index = LogIndex.of(Path.of("REPLAY.jsonl"));
 * ReplayLine last = index.line(index.size());
 * List<Position> callAndResult = index.positions("call-17");
 * }</pre>
 *
 * <p>It takes 8 bytes for a line and 8 for an id in one, and up to three times that while it is
 * made; values of the log are not held. Ids are kept by 32-bit fingerprints, and lines with the
 * fingerprint of an id are read to see whether they have the id.
 *
 * <p>The log may grow: the index is of the lines that were there, the last of which may lack its
 * line feed. When a file of the log is replaced or cut, reading a line fails. Immutable; safe for
 * use by several threads; holds no file open.
 */
public final class LogIndex {

  private static final int MIN_BUFFER = 16;
  private static final int MAX_BUFFER = 1 << 16;

  private final Path file;
  private final ReaderOptions options;
  private final PartsInput parts;
  private final @Nullable Dialect dialect;
  private final long malformed;

  /** Where each line begins; and then where the last one ends. */
  private final long[] offsets;

  /** Sorted: the fingerprint of an id, and in the lower half the number of the line it is in. */
  private final long[] ids;

  private LogIndex(
      Path file,
      ReaderOptions options,
      PartsInput parts,
      @Nullable Dialect dialect,
      long malformed,
      long[] offsets,
      long[] ids) {
    this.file = file;
    this.options = options;
    this.parts = parts;
    this.dialect = dialect;
    this.malformed = malformed;
    this.offsets = offsets;
    this.ids = ids;
  }

  /** Makes an index as {@link #of(Path, ReaderOptions)} does, with the default options. */
  public static LogIndex of(Path file) throws IOException {
    return of(file, ReaderOptions.defaults());
  }

  /**
   * Reads a log and makes an index of it. A line that is not an event, or longer than allowed, has
   * a number, too, but no ids; {@link #malformed} says how many there are.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if it is compressed, or no regular file, or has more than 2,147,483,638
   *     lines or ids in lines
   */
  public static LogIndex of(Path file, ReaderOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    try (PartsInput in = LogFile.openPlain(file)) {
      LineSplitter lines = new LineSplitter(in, options.maxLineBytes());
      LineDecoder decoder = new LineDecoder(file.toString(), in, options);
      LongList offsets = new LongList();
      LongList ids = new LongList();
      long malformed = 0;
      boolean hasRoom = true;
      while (hasRoom) {
        hasRoom = offsets.add(lines.nextPosition().offset());
        try {
          if (!lines.next()) {
            break;
          }
          for (String id : ids(decoder.decode(lines).event())) {
            hasRoom &= ids.add(entry(id, lines.line()));
          }
        } catch (ReplayFormatException | LineSplitter.LineTooLongException e) {
          malformed++; // reading the line says what is wrong with it
        }
      }
      if (!hasRoom) {
        throw new IOException(
            "%s: %s: too many lines for an index".formatted(file, lines.position()));
      }
      long[] sorted = ids.toArray();
      Arrays.sort(sorted);
      return new LogIndex(
          file,
          options,
          new PartsInput(in),
          decoder.dialect(),
          malformed,
          offsets.toArray(),
          sorted);
    }
  }

  /** How many lines there are. */
  public long size() {
    return offsets.length - 1L;
  }

  /** How many of the lines are not events, or longer than allowed. */
  public long malformed() {
    return malformed;
  }

  /**
   * Where a line begins.
   *
   * @param number the number of the line, from 1
   * @throws IndexOutOfBoundsException if there is no such line
   */
  public Position position(long number) {
    return new Position(number, offsets[index(number)]);
  }

  /**
   * Reads a line.
   *
   * @param number the number of the line, from 1
   * @throws IndexOutOfBoundsException if there is no such line
   * @throws ReplayFormatException if it is not an event
   * @throws IOException if it cannot be read, or the log is not what it was
   */
  public ReplayLine line(long number) throws IOException {
    int index = index(number);
    Position position = position(number);
    long length = offsets[index + 1] - position.offset();
    PartsInput in = new PartsInput(parts);
    int buffer = (int) Math.max(MIN_BUFFER, Math.min(MAX_BUFFER, length));
    LineDecoder decoder = new LineDecoder(file.toString(), in, options);
    decoder.setDialect(dialect);
    try (LineSplitter lines = new LineSplitter(in, options.maxLineBytes(), buffer, position)) {
      in.seek(position);
      boolean found;
      try {
        found = lines.next();
      } catch (LineSplitter.LineTooLongException e) {
        throw decoder.tooLong(lines);
      }
      boolean isLast = index == offsets.length - 2;
      if (!found || (!isLast && lines.nextPosition().offset() != offsets[index + 1])) {
        throw new IOException("%s: %s: expected a line of %d bytes, found another: the log changed"
            .formatted(file, position, length));
      }
      return decoder.decode(lines);
    }
  }

  /**
   * Where the lines with an id are, in their order: a tool call's or a model call's and its
   * result's, or that of a step, in its end and its calls. Real logs use ids again, so there may be
   * any number. Each is read.
   *
   * @throws IOException if one cannot be read, or the log is not what it was
   */
  public List<Position> positions(String id) throws IOException {
    List<Position> positions = new ArrayList<>();
    long first = entry(id, 0);
    int at = Arrays.binarySearch(ids, first); // no line has the number 0
    for (int i = -at - 1; i < ids.length && ids[i] >>> 32 == first >>> 32; i++) {
      ReplayLine line = line(ids[i] & 0xffffffffL);
      if (ids(line.event()).contains(id)) {
        positions.add(line.position());
      }
    }
    return positions;
  }

  /** How many bytes the index takes, but for a constant. */
  long heldBytes() {
    return Long.BYTES * ((long) offsets.length + ids.length);
  }

  private int index(long number) {
    return (int) Objects.checkIndex(number - 1, size());
  }

  private static Set<String> ids(ReplayEvent event) {
    if (event instanceof ToolCall call) {
      return call.stepId() == null || call.stepId().equals(call.id())
          ? Set.of(call.id())
          : Set.of(call.id(), call.stepId());
    } else if (event instanceof ToolResult result) {
      return Set.of(result.id());
    } else if (event instanceof StepComplete step) {
      return Set.of(step.stepId());
    } else if (event instanceof ModelCall call) {
      return Set.of(call.id());
    } else if (event instanceof ModelResult result) {
      return Set.of(result.id());
    }
    return Set.of();
  }

  /** The fingerprint, of which the upper half is kept, is FNV-1a and then mixed. */
  static long entry(String id, long line) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 32) * 0x9e3779b97f4a7c15L;
    return (hash & 0xffffffff00000000L) | line;
  }
}
