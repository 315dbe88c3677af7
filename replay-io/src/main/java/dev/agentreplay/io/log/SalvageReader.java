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
 * Salvages a damaged log: reads all events that are readable, one piece at a time, and reports each
 * gap between them, so that every byte of the log is accounted for. Memory is bounded by the
 * longest line. {@link LogRecovery#salvage()} opens one. Not safe for use by several threads.
 *
 * <p>If a line is not an event, it is searched for events, from its beginning and from its end, in
 * time proportional to its length. An object that follows a truncated event in the same line is
 * taken as an event only if its kind is known, and no colon, comma or bracket precedes it:
 * otherwise it would be a part of the truncated event. Segments that do not continue each other,
 * and the missing end of a compressed log, are gaps of zero bytes.
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

  /** The position of a line that is too long; its end is known when the next line begins. */
  private @Nullable Position tooLong;

  /** The line after the gap of zero bytes that was returned last. */
  private Salvaged.@Nullable Line held;

  /** Whether the loss of compressed data was reported. */
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
   * Returns the next piece, or null at the end.
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

  /** The gap at the end of a truncated compressed log, once. */
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
   * Returns an iterator over the remaining pieces. If {@link #read} throws, the iterator throws an
   * {@link UncheckedIOException}.
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
