package dev.agentreplay.io.log;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.Salvaged.Gap;
import dev.agentreplay.io.log.Salvaged.GapKind;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.Position;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Reads what can be read of a log, however damaged, one piece at a time, and says where it has
 * gaps: nothing is left out. The memory it needs is that of the longest line. Not safe for use by
 * several threads.
 *
 * <p>Where a line is no event, events are looked for in it, from its beginning and from its end, in
 * time in proportion to its length: what follows one that is cut short in the same line must be an
 * event of a kind that is known, and not follow a colon, a comma or a bracket, since it would be a
 * part of it else. Segments of a log that do not go together, and what is missing of a compressed
 * one, are gaps of no bytes.
 */
public final class SalvageReader implements Closeable, Iterable<Salvaged> {

  private final LogBytes in;
  private final LineSplitter lines;
  private final SalvageDecoder decoder;
  private final RunningHash hash = new RunningHash();
  private final SegmentChain chain;
  private final ReaderOptions options;

  /** The line that is being read. */
  private @Nullable SalvagedLine line;

  /** Where a line that is too long begins; it ends where the next one does. */
  private @Nullable Position tooLong;

  /** The line behind the gap that was handed over last, which is of no bytes. */
  private Salvaged.@Nullable Line held;

  /** Whether that which could not be decompressed was said. */
  private boolean lossSaid;

  private SalvageReader(LogBytes in, ReaderOptions options) {
    this.in = in;
    this.lines = new LineSplitter(in, options.maxLineBytes());
    this.decoder = new SalvageDecoder(options);
    this.chain = new SegmentChain(in, hash::toHash);
    this.options = options;
  }

  static SalvageReader open(Disk disk, Path log, ReaderOptions options) throws IOException {
    return new SalvageReader(LogBytes.openDamaged(disk, log, true), options);
  }

  /**
   * The next piece, or null at the end.
   *
   * @throws IOException if the log cannot be read from disk
   */
  public @Nullable Salvaged read() throws IOException {
    Salvaged.Line behindGap = held;
    if (behindGap != null) {
      held = null;
      return behindGap;
    }
    while (true) {
      Salvaged piece = line == null ? null : line.next();
      if (piece != null) {
        return checked(piece);
      }
      Position skipped = tooLong;
      boolean more = nextLine();
      if (skipped != null) {
        long end = more ? lines.offset() : in.offset();
        chain.skipTo(end);
        chain.loseHash();
        String detail = "line is longer than " + options.maxLineBytes() + " bytes";
        return new Gap(GapKind.TOO_LONG, skipped, end - skipped.offset(), detail);
      }
      if (!more) {
        return loss();
      }
    }
  }

  /** The piece, or the gap before it. */
  private Salvaged checked(Salvaged piece) {
    int from = (int) (lines.from() + piece.position().offset() - lines.offset());
    Finding misfit = null;
    if (piece instanceof Salvaged.Line found) {
      misfit = chain.check(found.line());
      held = misfit == null ? null : found;
    } else {
      chain.skipTo(piece.position().offset() + piece.bytes());
    }
    hash.write(lines.buffer(), from, (int) piece.bytes());
    return misfit == null
        ? piece
        : new Gap(GapKind.PART_MISMATCH, piece.position(), 0, misfit.message());
  }

  /** The gap at the end of a compressed log that was cut short, once. */
  private @Nullable Gap loss() throws IOException {
    String loss = lossSaid ? null : in.loss();
    if (loss == null) {
      return null;
    }
    lossSaid = true;
    return new Gap(GapKind.TRUNCATED, lines.nextPosition(), 0, loss);
  }

  private boolean nextLine() throws IOException {
    line = null;
    tooLong = null;
    try {
      boolean found = lines.next();
      line = found ? new SalvagedLine(lines, decoder) : null;
      return found;
    } catch (LineSplitter.LineTooLongException e) {
      tooLong = new Position(lines.line(), lines.offset());
      return true;
    }
  }

  /**
   * The pieces that are left. Where {@link #read} throws, it throws {@link UncheckedIOException}.
   */
  @Override
  public Iterator<Salvaged> iterator() {
    return new ReadIterator<>(this::read);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
