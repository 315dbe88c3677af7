package dev.agentreplay.io.log;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.tree.LeafHasher;
import dev.agentreplay.io.log.LineSplitter.LineTooLongException;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the next lines of a log with the threads of the common pool before they are asked for.
 * The reading thread decodes those that no other thread has begun, so that nothing waits for a
 * thread that is not free. A long line is decoded alone, because it takes many times its length in
 * memory. Not safe for use by several threads.
 */
final class LinesAhead {

  /** The number of bytes of lines from which on they are decoded together by one thread. */
  private static final int CHUNK_BYTES = 1 << 16;

  /** The length of the buffer of a chunk, unless its last line is long. */
  private static final int BUFFER_BYTES = CHUNK_BYTES + (CHUNK_BYTES >> 2);

  /** The length from which on a line is decoded alone. */
  private static final int LONG_LINE_BYTES = 1 << 18;

  /**
   * The number of bytes from which on no more lines are decoded ahead: they may take 32 times as
   * much memory.
   */
  private static final long MAX_BYTES_AHEAD =
      Math.min(1 << 19, Runtime.getRuntime().maxMemory() >> 8);

  private final LineSplitter lines;
  private final LineDecoder decoder;
  private final @Nullable CanonicalJson contents;
  private final boolean hashesLeaves;
  private final Queue<Chunk> chunks = new ArrayDeque<>();

  /** The buffers of chunks that were read. */
  private final Queue<byte[]> spareBuffers = new ArrayDeque<>();

  private long bytesAhead;
  private @Nullable Chunk current;
  private Position next;

  /** Whether the splitter is at a line that is not in a chunk, because it is long. */
  private boolean isAtLongLine;

  /** Whether the log has ended, or cannot be read further. */
  private boolean isAtEnd;

  private @Nullable Throwable failure;
  private @Nullable LineTooLongException tooLong;

  /**
   * Creates a reader of the lines after the current one of a splitter.
   *
   * @param decoder a decoder that knows the dialect
   * @param contents the canonicalization of the hashes of values to compute; null for none
   * @param hashesLeaves whether the leaves for the lines in a Merkle tree are hashed
   */
  LinesAhead(
      LineSplitter lines,
      LineDecoder decoder,
      @Nullable CanonicalJson contents,
      boolean hashesLeaves) {
    this.lines = lines;
    this.decoder = decoder;
    this.contents = contents;
    this.hashesLeaves = hashesLeaves;
    this.next = lines.nextPosition();
  }

  /** The position of the next line, if there is one. */
  Position nextPosition() {
    return current == null ? next : current.nextPosition();
  }

  /**
   * Returns the next line, or null at the end.
   *
   * @throws ReplayFormatException if the line is not an event; the next call returns the line after
   *     it
   * @throws IOException if the log cannot be read
   * @throws LineTooLongException if the line is longer than allowed; the next call returns the line
   *     after it
   */
  @Nullable
  ReplayLine read() throws IOException, LineTooLongException {
    while (true) {
      Chunk chunk = current;
      if (chunk != null) {
        if (chunk.moveToNext()) {
          return chunk.decoded();
        }
        next = chunk.nextPosition();
        recycle(chunk);
        current = null;
      }
      fill();
      Chunk ready = chunks.poll();
      if (ready != null) {
        bytesAhead -= ready.filled;
        await(ready);
        current = ready;
      } else if (isAtLongLine) {
        isAtLongLine = false;
        spareBuffers.clear(); // such a line takes much memory
        next = lines.nextPosition();
        return decoder.decode(lines);
      } else if (tooLong != null) {
        LineTooLongException longer = tooLong;
        tooLong = null;
        next = lines.nextPosition();
        throw longer;
      } else if (failure != null) {
        Throwable thrown = failure;
        failure = null;
        isAtEnd = false; // the splitter refuses to continue after an IOException
        throw unchecked(thrown);
      } else {
        spareBuffers.clear();
        return null;
      }
    }
  }

  /** Keeps the buffer of a chunk for a later one. */
  private void recycle(Chunk chunk) {
    if (chunk.bytes.length == BUFFER_BYTES) {
      spareBuffers.add(chunk.bytes);
    }
  }

  /** Passes chunks on for decoding until there are enough of them, or a line must be read alone. */
  private void fill() {
    while (bytesAhead < MAX_BYTES_AHEAD
        && !isAtLongLine
        && !isAtEnd
        && tooLong == null
        && (chunks.isEmpty() || chunks.size() < maxChunks())) { // last: a short log needs no pool
      Chunk chunk = null;
      try {
        chunk = new Chunk();
        while (chunk.hasRoom() && lines.next()) {
          if (lines.to() - lines.from() > LONG_LINE_BYTES) {
            isAtLongLine = true;
            break;
          }
          chunk.add(lines);
        }
        isAtEnd = chunk.hasRoom() && !isAtLongLine;
      } catch (LineTooLongException e) {
        tooLong = e;
      } catch (IOException | RuntimeException | Error e) {
        failure = e; // thrown after the lines before it
        isAtEnd = true;
      }
      if (chunk != null && chunk.isEmpty()) {
        recycle(chunk);
      } else if (chunk != null) {
        bytesAhead += chunk.filled;
        chunks.add(chunk);
        if (chunks.size() > 1) {
          chunk.task.offer(); // the first one is decoded by this thread
        }
      }
    }
  }

  private static int maxChunks() {
    return 2 * (ForkJoinPool.getCommonPoolParallelism() + 1);
  }

  /** Waits until the lines of a chunk are decoded; decodes them, or others meanwhile. */
  private void await(Chunk chunk) throws IOException {
    chunk.task.runIfNotBegun();
    for (Chunk other : chunks) {
      if (chunk.task.isDone()) {
        break;
      }
      other.task.runIfNotBegun();
    }
    chunk.task.result();
  }

  private static IOException unchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    } else if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    return (IOException) failure;
  }

  /** Consecutive lines, and what they were decoded to. */
  private final class Chunk implements LineBytes {

    private final PoolTask<Integer> task = new PoolTask<>(isAbandoned -> decode());
    private byte[] bytes = spareBuffers.isEmpty() ? new byte[BUFFER_BYTES] : spareBuffers.remove();
    private int filled;
    private int[] ends = new int[256];
    private int count;
    private boolean isTerminated = true;
    private final Position first = lines.nextPosition();

    /** The current line, first of the decoding thread, then of the reading one; -1 before. */
    private int line = -1;

    private final List<@Nullable ReplayLine> decoded = new ArrayList<>();

    boolean hasRoom() {
      return filled < CHUNK_BYTES;
    }

    boolean isEmpty() {
      return count == 0;
    }

    void add(LineSplitter source) {
      int length = source.to() - source.from();
      if (filled + length + 1 > bytes.length) {
        bytes = Arrays.copyOf(bytes, filled + length + 1);
      }
      System.arraycopy(source.buffer(), source.from(), bytes, filled, length);
      filled += length;
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, count * 2);
      }
      ends[count++] = filled;
      bytes[filled++] = '\n';
      isTerminated = source.isTerminated();
    }

    /**
     * Decodes the lines, up to one that fails otherwise than by not being an event. Returns their
     * number: the lines themselves would be kept by the pool.
     */
    private int decode() {
      try (LineDecoder decoderAhead = decoder.forLaterLines()) {
        LeafHasher leaves = hashesLeaves ? new LeafHasher() : null;
        for (line = 0; line < count; line++) {
          decoded.add(decodeLine(decoderAhead, leaves));
        }
      } catch (RuntimeException | Error e) {
        // happens again when that line is read
      }
      line = -1;
      return decoded.size();
    }

    /** The line, or null if it is not an event: it is decoded again, for its exception. */
    private @Nullable ReplayLine decodeLine(LineDecoder decoderAhead, @Nullable LeafHasher leaves) {
      try {
        ReplayLine each = decoderAhead.decode(this);
        if (contents != null) {
          each.hashContent(contents);
        }
        if (leaves != null) {
          each.setLeafHash(leaves.hash(bytes, from(), to()));
        }
        return each;
      } catch (ReplayFormatException e) {
        return null;
      }
    }

    boolean moveToNext() {
      if (line == count - 1) {
        return false;
      }
      line++;
      return true;
    }

    ReplayLine decoded() throws ReplayFormatException {
      ReplayLine ready = line < decoded.size() ? decoded.set(line, null) : null;
      return ready == null ? decoder.decode(this) : ready;
    }

    Position nextPosition() {
      return new Position(
          first.line() + line + 1, first.offset() + to() + (isTerminated() ? 1 : 0));
    }

    @Override
    public byte[] buffer() {
      return bytes;
    }

    @Override
    public int from() {
      return line == 0 ? 0 : ends[line - 1] + 1;
    }

    @Override
    public int to() {
      return ends[line];
    }

    @Override
    public int filled() {
      return filled;
    }

    @Override
    public boolean isTerminated() {
      return line < count - 1 || isTerminated;
    }

    @Override
    public Position position() {
      return new Position(first.line() + line, first.offset() + from());
    }
  }
}
